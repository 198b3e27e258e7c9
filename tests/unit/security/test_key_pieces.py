"""Private keys in pieces: which lines are hidden when only a part of a file is seen, and where a key ends."""

from __future__ import annotations

import pytest

from metona_tk.security.key_blocks import KeyScan, is_lone_key_line, key_lines

BEGIN, END = "-----BEGIN RSA PRIVATE KEY-----", "-----END RSA PRIVATE KEY-----"
ONE, TWO, THREE = "QUJD" * 16, "REVG" * 16, "R0hJ=="


def hidden(text: str, inside: bool = False) -> list[str]:
    return [text[start:end] for start, end in key_lines(text, inside)]


def test_a_whole_key_is_hidden_line_by_line_whatever_is_in_it() -> None:
    text = f"before\n{BEGIN}\nProc-Type: 4,ENCRYPTED\n\n{ONE}\n  {TWO}\r\nodd words here\n{THREE}\n{END}\nafter {ONE}\n"
    assert hidden(text) == ["Proc-Type: 4,ENCRYPTED", ONE, TWO, "odd words here", THREE]


@pytest.mark.parametrize("kind", ["PRIVATE KEY", "EC PRIVATE KEY", "OPENSSH PRIVATE KEY", "PGP PRIVATE KEY BLOCK"])
def test_keys_of_every_kind_are_known(kind: str) -> None:
    assert hidden(f"-----BEGIN {kind}-----\n{ONE}\n-----END {kind}-----\n") == [ONE]
    assert hidden(f"-----BEGIN {kind.replace('PRIVATE', 'PUBLIC')}-----\n{ONE}\n") == []


def test_two_keys_are_two() -> None:
    text = f"{BEGIN}\n{ONE}\n{END}\nbetween\n{BEGIN}\n{TWO}\n{END}\nafter\n"
    assert hidden(text) == [ONE, TWO]


def test_a_key_that_has_no_end_ends_where_it_looks_like_one_no_more() -> None:
    assert hidden(f"{BEGIN}\n{ONE}\n{TWO}\nso the words go on\n{THREE}\n") == [ONE, TWO]
    assert hidden(f"{BEGIN} and words behind it\n{ONE}\n") == []
    assert hidden(f"{BEGIN}\n{ONE}\n{TWO}\nso it goes on\n{BEGIN}\n{THREE}\n{END}\n") == [ONE, TWO, THREE]
    assert hidden(f"{BEGIN}\\n{ONE}") == [f"\\n{ONE}"] or ONE in "".join(hidden(f"{BEGIN}\\n{ONE}"))


def test_a_key_that_has_no_beginning_begins_where_it_looks_like_one() -> None:
    assert hidden(f"words before it\n{THREE}\nand more words\n{ONE}\n{TWO}\n{END}\nafter\n") == [TWO, ONE]
    assert hidden(f"{ONE}\n{TWO}\n{END}\n") == [TWO, ONE]
    assert hidden(f"{BEGIN}\n{ONE}\n{END}\nwords between them\n{TWO}\n{END}\n") == [ONE, TWO]


def test_a_piece_from_within_a_key_is_hidden_from_its_first_line_on() -> None:
    assert hidden(f"{ONE}\n{TWO}\n{END}\nafter\n", inside=True) == [ONE, TWO]
    assert hidden(f"{ONE}\n{TWO}\nand words then\n{THREE}\n", inside=True) == [ONE, TWO]
    assert hidden(f"{ONE}\n{TWO}\n") == []


def test_lines_of_putty_are_counted() -> None:
    text = f"Public-Lines: 1\n{THREE}\nPrivate-Lines: 2\n{ONE}\n{TWO}\nPrivate-MAC: 0123abcd\nafter {ONE}\n"
    assert hidden(text) == [ONE, TWO, "0123abcd"]
    assert hidden(f"Private-Lines: 1\n{ONE}\nwords\n") == [ONE]
    assert hidden(f"Private-Lines: 3\n{ONE}\n{TWO}\n") == [ONE, TWO]


@pytest.mark.parametrize(("width", "alike"), [(59, False), (60, True), (64, True), (80, True), (81, False)])
def test_a_line_by_itself_is_known_by_its_width(width: int, alike: bool) -> None:
    assert is_lone_key_line("Ab1/" * 20 + "A" * (width - 80) if width > 80 else ("Ab1/" * 20)[:width]) is alike
    assert not is_lone_key_line(("Ab1/" * 20)[:40] + " " + ("Ab1/" * 20)[:20])


@pytest.mark.parametrize("size", [1, 3, 7, 40, 1000])
def test_a_scan_knows_after_every_piece_whether_a_key_is_open(size: int) -> None:
    text = f"before\n{BEGIN}\n{ONE}\n{END}\nafter\n{BEGIN}\n{TWO}\n"
    for form in (text, text.encode()):
        scan = KeyScan()
        for start in range(0, len(form), size):
            scan.feed(form[start : start + size])
            seen = text[: start + size]
            opened, closed = seen.rfind(BEGIN[:-1]), seen.rfind(END[:-1])
            assert scan.inside is (opened > closed), seen[-90:]
    scan = KeyScan(inside=True)
    scan.feed(f"{ONE}\n")
    assert scan.inside
    scan.feed(f"{END}\n")
    assert not scan.inside
