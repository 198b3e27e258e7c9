from __future__ import annotations

import re
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from metona_tk.ui.visible import drawable, visible, visible_line

texts = st.text(st.characters() | st.sampled_from(" \u202e\u200b\u00a0\ufe0f\u3164⟨⟩U+20×\ud800"), max_size=30)


@given(texts, texts)
def test_different_text_never_renders_the_same(one, other):
    assert (one == other) == (visible(one) == visible(other))


@given(texts)
def test_it_can_be_read_back(text):
    def back(match: re.Match[str]) -> str:
        return chr(int(match[1], 16)) * int(match[2] or 1)

    assert re.sub("⟨U\\+([0-9A-F]+)(?: ×([0-9]+))?⟩", back, visible(text)) == text


@given(texts)
def test_nothing_that_hides_or_reorders_is_left(text):
    for char in visible(text):
        assert unicodedata.category(char)[0] != "C"
        assert unicodedata.category(char) not in ("Zl", "Zp")
    assert "     " not in visible(text)


def test_plain_names_stay_as_they_are():
    for name in ("/home/a/Invoice 03.txt", "青山设计/发票（三月）.pdf", "naïve.txt", "~/x", "photo 😀.png"):
        assert visible(name) == name


def test_examples():
    assert visible("a\u202etxt.exe") == "a⟨U+202E⟩txt.exe"
    assert visible("a" + " " * 400 + "b") == "a⟨U+0020 ×400⟩b"
    assert visible("end ") == "end⟨U+0020 ×1⟩"
    assert visible("⟨U+202E⟩") == "⟨U+27E8⟩U+202E⟨U+27E9⟩"
    assert visible("\udc80") == "⟨U+DC80⟩"


@given(texts)
def test_lines_of_files_hold_no_control_or_bidi_character(text):
    bad = set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\0\x1b\n\r")
    assert not bad & set(visible_line(text))


def test_lines_of_files_keep_what_is_harmless():
    assert visible_line("\tif x:\t# ⟨a⟩ 　全角 ❤️") == "    if x:   # ⟨a⟩ 　全角 ❤️"


@given(texts)
def test_what_tk_gets_has_no_lone_surrogate(text):
    drawable(text).encode("utf-8")
