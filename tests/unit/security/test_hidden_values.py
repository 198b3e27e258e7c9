"""What was hidden once stays hidden, at each limit; wide letters; and which place of a text a seen place is."""

from __future__ import annotations

import pytest

from metona_tk.security.key_blocks import is_lone_key_line, key_fields, key_lines
from metona_tk.security.linear import first_match, searchable
from metona_tk.security.masking import UNKNOWN, Masker
from metona_tk.security.remembered import Remembered, open_places
from metona_tk.security.secrets import Span


def test_wide_letters_and_digits_are_plain_ones_and_nothing_else_changes() -> None:
    assert searchable("\uff10\uff19\uff21\uff3a\uff41\uff5a\uff3f\uff5e") == "09AZaz_~"
    assert searchable("\uff21\uff0f\uff1a\uff1b\uff1f\uff20\uff5f\uff60\u3000") == (
        "A\uff0f\uff1a\uff1b\uff1f\uff20\uff5f\uff60\u3000"
    )
    assert searchable("a\ud800\u00e9") == "a?\u00e9"


def test_a_pattern_from_outside_tells_where_it_matches_first() -> None:
    assert [first_match("b+", text) for text in ("bab", "abb", "a", "", "\uff42")] == [0, 1, None, None, 0]
    assert first_match("(", "(") is None
    assert first_match("(?=a)", "a") is None


STAYS = [
    ("abc12", False), ("abc123", True), ("december", False), ("abcdefghijk", False), ("abcdefghijkl", True),
    ("abcdef1", True), ("", False),
]  # fmt: skip


@pytest.mark.parametrize("others", [0, 49, 50, 60])
@pytest.mark.parametrize(("value", "stays"), STAYS)
def test_a_value_that_is_its_own_is_found_again_among_few_and_many(value: str, stays: bool, others: int) -> None:
    remembered = Remembered()
    remembered.add({value: "token"} | {f"other{number:03}x": "password" for number in range(others)})
    text = f"{value} x {value}{value}"
    size = len(value)
    places = [0, size + 3, 2 * size + 3] if stays else []
    assert sorted(remembered.found(text), key=lambda span: span.start) == [
        Span(at, at + size, "token") for at in places
    ]
    remembered.add({value: "password"})
    assert {span.kind for span in remembered.found(text)} <= {"token"}, "the first kind stays"
    assert others == 0 or [span.end for span in remembered.found("other000x")] == [9]


def test_the_oldest_of_too_many_values_go() -> None:
    remembered = Remembered()
    remembered.add({"abc123first": "a", "abc123second": "a"})
    remembered.add({f"{number:06}x": "b" for number in range(49_998)})
    assert len(list(remembered.found("abc123first abc123second 049997x"))) == 3
    remembered.add({"xyz9999": "c"})
    assert [span.start for span in remembered.found("abc123first abc123second 049997x")] == [12, 25]
    remembered.add({"xyz9998": "c"})
    assert [span.start for span in remembered.found("abc123first abc123second 049997x xyz9998")] == [25, 33]


OPEN = [
    (["abc"], "abc", [], {}),
    (["abcd"], "abcd", [], {"abcd": 1}),
    (["abcd"], "abcdabcd abcd", [], {"abcd": 3}),
    (["abcd"], "xabcd", [(1, 5)], {}),
    (["abcd"], "xabcd", [(1, 4)], {"abcd": 1}),
    (["abcd"], "xabcd", [(2, 5)], {"abcd": 1}),
    (["abcd"], "xabcd", [(0, 9)], {}),
    (["abcd", "abcdef"], "abcdef abcdxx", [(0, 5)], {"abcdef": 1, "abcd": 1}),
    (["abcd"], "abcd abcd", [(0, 4)], {"abcd": 1}),
]


@pytest.mark.parametrize(("values", "text", "hidden", "counted"), OPEN)
def test_a_place_is_open_where_not_all_of_the_value_is_hidden(
    values: list[str], text: str, hidden: list[tuple[int, int]], counted: dict[str, int]
) -> None:
    assert open_places(values, text, [Span(*each, "x") for each in hidden]) == counted


INI = "password = sunshine1\nport = 80\n"
UNCOVERED = [
    (INI, INI, "", False),
    (INI, INI.replace("password", "colour"), "", True),
    (INI, INI.replace("password", "colour"), "use sunshine1 there", False),
    (INI, INI.replace("password", "db_password"), "", False),
    (INI, INI + "# sunshine1\n", "", True),
    (INI + "# sunshine1\n", INI + "# sunshine1\n", "", False),
    (INI + "# sunshine1\n", "# sunshine1\n" + INI, "", False),
    (INI + "# sunshine1\n", INI + "# sunshine1 sunshine1\n", "", True),
    (INI, "port = 80\n", "", False),
    ("port = 80\n", "sunshine1\n", "", False),
    ("<|im_start|>\n", "<x|im_start|>\n", "", False),
]


@pytest.mark.parametrize(("text", "new", "told", "uncovers"), UNCOVERED)
def test_a_change_uncovers_what_is_hidden_now(text: str, new: str, told: str, uncovers: bool) -> None:
    assert Masker().uncovers("/w/a.ini", text, "/w/a.ini", new, told) is uncovers


def test_what_the_user_said_may_be_seen() -> None:
    assert Masker().veil("/w/a.ini", INI, "it is sunshine1").shown == INI
    assert "sunshine1" not in Masker().veil("/w/a.ini", INI, "it is sunshine").shown


def test_every_place_that_is_seen_is_known_in_the_text_and_back() -> None:
    text = "a\npassword = hunter22x\nb\ntoken = abc12345\nc\n"
    veil = Masker().veil("/w/a.ini", text)
    one, two = "\u27e8secret 1\u27e9", "\u27e8secret 2\u27e9"
    assert veil.shown == text.replace("hunter22x", one).replace("abc12345", two)
    for word in ("a\n", "password", one, "\nb\ntoken = ", two, "\nc\n", f"= {one}\nb"):
        start = veil.shown.index(word)
        real = text.index(word.replace(one, "hunter22x").replace(two, "abc12345"))
        assert veil.original(start, start + len(word)) == (
            real, real + len(word.replace(one, "hunter22x").replace(two, "abc12345")),
        )  # fmt: skip
        assert veil.place(real) == start
    inner = veil.shown.index(one) + 1
    assert veil.original(0, inner) is None and veil.original(inner, len(veil.shown)) is None
    assert veil.original(inner + len(one) - 2, inner + len(one)) is None
    assert veil.place(text.index("unter22x")) == veil.place(text.index("2x")) == veil.shown.index(one)
    assert veil.original(0, len(veil.shown)) == (0, len(text)) and veil.place(len(text)) == len(veil.shown)
    assert Masker().veil("/w/a.ini", "plain").original(1, 3) == (1, 3) and veil.original(0, 0) == (0, 0)


def test_a_piece_hides_the_part_of_a_secret_that_is_in_it() -> None:
    path, secret = "/w/a.xml", "\u27e8secret 1\u27e9"
    first, second = "<password>hunter22\n", "sunshine5</password>\n"
    assert Masker().mask_window(path, second, before=first) == f"{secret}</password>\n"
    assert Masker().mask_window(path, first, after=second) == f"<password>{secret}"
    assert Masker().mask_window(path, "\nx\n", before="PASSWORD=hunter22") == "\nx\n"
    assert Masker().mask_window(path, "x\n", after="ghp_" + "a1B2" * 9) == "x\n"
    assert Masker().mask_window(path, "x\n", after="") == Masker().mask_window(path, "x\n", cut=True) == "x\n"


@pytest.mark.parametrize(("word", "shown"), [("a" * 7, "a" * 7), ("a" * 8, "#"), ("a" * 400, "#"), ("a" * 401, "a#")])
def test_a_long_word_at_a_cut_is_hidden_but_not_remembered(word: str, shown: str) -> None:
    masker = Masker()
    masked = masker.mask_window("/w/a.txt", f"see {word}", cut=True)
    assert masked == "see " + shown.replace("#", "\u27e8secret 1\u27e9")
    assert masker.mask_window("/w/a.txt", f"see {word}") == f"see {word}"


def test_lines_and_places_by_themselves_are_hidden_as_in_the_whole() -> None:
    masker = Masker()
    key = "Ab1/" * 16
    lines = ["password: hunter22x\r\n", f"  {key}\n", "plain", "two\nlines", "hunter22x too"]
    seen = masker.mask_lines("/w/a.txt", lines)
    assert [line.replace("\u27e8secret ", "#").replace("\u27e9", "") for line in seen] == [
        "password: #1", "  #2\n", "plain", "two lines", "#1 too",
    ]  # fmt: skip
    text = "x\npassword: hunter22x\n"
    assert masker.mask_places("/w/a.txt", text, [(0, 1), (2, len(text) - 1), (14, 15)])[:2] == [
        "x", "password: \u27e8secret 1\u27e9",
    ]  # fmt: skip


def test_bytes_and_text_of_no_file_hide_what_the_chat_knows() -> None:
    masker = Masker()
    assert masker.mask_bytes("/w/a", b"\xff password: hunter22x <s>") == (
        "\x00 password: \u27e8secret 1\u27e9 <s>".encode().replace(b"\x00", b"\xff")
    )
    assert masker.mask_known("see hunter22x <s>") == f"see {UNKNOWN} \u27e8s\u27e9"
    assert masker.mask_known("ghp_" + "a1B2" * 9) == UNKNOWN
    assert Masker().mask_known("see hunter22x") == "see hunter22x"


def test_the_word_of_a_mark_is_short() -> None:
    assert Masker().mask("/w/a", f"<|{'x' * 41}|>") == f"\u27e8mark 1 {'x' * 40}\u27e9"
    assert Masker().mask("/w/a", "<|\u00e9|>") == "\u27e8mark 1\u27e9"


@pytest.mark.parametrize("blanks", [1136, 1137])
def test_a_line_of_a_key_is_no_wider_than_keys_are(blanks: int) -> None:
    line = " " * blanks + "Ab1/" * 16
    assert is_lone_key_line(line) is (len(line) <= 1200)
    text = f"-----BEGIN PRIVATE KEY-----\nQUJD\n{line}\nAAAA\n"
    assert len(list(key_lines(text))) == (3 if len(line) <= 1200 else 1)


def test_a_key_without_end_may_have_one_odd_word_behind_its_mark() -> None:
    for head, count in (("", 1), ("\u00e9", 2), ("\u00e9 \u00e9", 0)):
        assert len(list(key_lines(f"-----BEGIN PRIVATE KEY-----{head}\nQUJD\n\u00e9\nQUJD\n"))) == count
    assert len(list(key_lines("-----begin private key-----\nQUJD\n"))) == 1
    assert list(key_lines("a private key\nQUJD\n")) == list(key_lines("---- a private word\nQUJD\n")) == []


def test_the_numbers_of_a_key_in_json_and_xml_are_hidden_whole() -> None:
    number = "Ab1_" * 5
    for form in (
        f'{{"d":"{number}"}}',
        f'{{"k" :\n "{number}=="}}',
        f"<D>{number[:3] * 7}</D>",
        f"<InverseQ>{'Ab1/' * 5}</I",
    ):
        ((start, end),) = key_fields(form)
        assert form[start:end].startswith("Ab1") and len(form[start:end]) in {20, 21, 22}
        assert form[start - 1] in '">' and form[end] in '"<'
    assert list(key_fields(f'{{"d":"{number[:-1]}"}}')) == list(key_fields(f'{{"e":"{number}"}}')) == []
