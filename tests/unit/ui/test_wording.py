from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metona_tk.i18n.quantities import size_words, time_words
from metona_tk.ui.wording import cut_middle, home_path


@pytest.mark.parametrize(
    ("size", "words"),
    [
        (0, "0 B"),
        (1023, "1023 B"),
        (1024, "1.0 KB"),
        (1229, "1.2 KB"),
        (317_440, "310 KB"),
        (1 << 20, "1.0 MB"),
        (1 << 50, "1024 TB"),
    ],
)
def test_sizes(size, words):
    assert size_words(size) == words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "1 ms"), (0.004, "4 ms"), (0.21, "0.2 s"), (3, "3.0 s"), (12.4, "12 s"), (125, "2 min 5 s")],
)
def test_times(seconds, words):
    assert time_words(seconds) == words


@pytest.mark.parametrize(
    ("path", "words"),
    [("/home/a", "~"), ("/home/a/x y", "~/x y"), ("/home/ab/x", "/home/ab/x"), ("", ""), (".", ".")],
)
def test_the_home_folder_is_a_tilde(path, words):
    assert home_path(path, "/home/a") == words


@given(st.text(min_size=1), st.integers(1, 60))
def test_a_cut_text_fits_and_keeps_its_end(text, width):
    cut = cut_middle(text, width, len)
    assert len(cut) <= max(width, 1)
    assert cut == text if len(text) <= width else "…" in cut


def test_whole_folders_give_way_in_a_path():
    path = "~/Documents/Invoices/2026/report.txt"
    assert cut_middle(path, 30, len) == "~/…/Invoices/2026/report.txt"
    assert cut_middle(path, 20, len) == "~/…/2026/report.txt"
    assert cut_middle(path, 16, len) == "~/…/report.txt"
    assert cut_middle(path, 13, len) == "…/report.txt"
    assert cut_middle(path, 9, len).endswith("port.txt")
    assert cut_middle(r"C:\Users\a\Documents\b.txt", 15, len) == r"C:\…\b.txt"


def test_the_name_of_the_file_stays_whole():
    assert cut_middle("/home/a/very/long/way/to/the/report.txt", 20, len).endswith("/report.txt")
