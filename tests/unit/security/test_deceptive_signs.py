"""Single signs that make a name deceptive, each with its neighbours that do not: both sides of every range and pile."""

from __future__ import annotations

import pytest

from metona_tk.security.deception import deceptive

FLAG = "\U0001f3f4\U000e0067\U000e0062{}\U000e007f"
# (first, last) points of a range, the kind; the points beside a range are of another kind or of none
RANGES = [
    (0x202A, 0x202E, "bidi"),
    (0x2066, 0x2069, "bidi"),
    (0x200E, 0x200F, "bidi"),
    (0x061C, 0x061C, "bidi"),
    (0x0334, 0x0338, "marks"),
    (0x20D0, 0x20F0, "marks"),
    (0x1D400, 0x1D7FF, "look_alike"),
]


@pytest.mark.parametrize(("first", "last", "kind"), RANGES)
def test_a_range_begins_and_ends_where_it_should(first: int, last: int, kind: str) -> None:
    assert {deceptive(f"a{chr(point)}b") for point in (first, last)} == {kind}
    assert kind not in {deceptive(f"a{chr(point)}b") for point in (first - 1, last + 1)}


# name -> kind or None
SIGNS = {
    # control characters, also where all the rest is plain
    "a\x00b": "control", "a\x1fb": "control", "a\x7fb": "control", "\u05d0\x1fb": "control", "\u05d0\x7f": "control",
    # joiners between what they join
    "\U0001f468\u200d\U0001f469": None, "\U0001f468\u200da": "invisible", "a\u200d\U0001f469": "invisible",
    "\u2764\ufe0f\u200d\U0001f525": None, "\u2764\ufe0f\u200da": "invisible", "\u200d\U0001f525": "invisible",
    "\u0645\u200c\u062e": None, "\u0645\u200ca": "invisible", "a\u200c\u062e": "invisible", "\u0645\u200c": "invisible",
    "\u200c\u062e": "invisible", "\u0915\u200c\u062e": "invisible", "\u05d0\u200c\u05d0": "invisible",
    "\u0416\u200d\u0416": "invisible", "\u0645 \u200c\u062e": "invisible",
    # how a sign is drawn
    "\U0001f600\ufe0f": None, "\U0001f600\ufe0e": None, "a\ufe0e": "invisible", "\ufe0f": "invisible",
    "\u203c\ufe0f": None, "\u2049\ufe0f": None, "\u2139\ufe0f": None, "\u3030\ufe0f": None, "\u2194\ufe0f": None,
    "+\ufe0f": "invisible", "\u00e9\ufe0f": "invisible", "\U0001f000\ufe0f": None, "\U0001faff\ufe0f": None,
    "\u1820\u180b": None, "\u1820\u180d": None, "\u1820\u180f": None, "a\u180d": "invisible", "\u180b": "invisible",
    "\u1820\u180e": None,
    # keys with a number, flags, the time of a screenshot
    "9\ufe0f\u20e3": None, "#\u20e3": None, "*\ufe0f\u20e3": None, "a\ufe0f\u20e3": "invisible", "a\u20e3": "marks",
    FLAG.format("\U000e0065\U000e006e\U000e0067"): None, FLAG.format("\U000e0073\U000e0063\U000e0074"): None,
    FLAG.format("\U000e0077\U000e006c\U000e0073"): None, FLAG.format("\U000e0077\U000e006c\U000e0074"): "invisible",
    "9.41\u202fAM": None, "9.41\u202fPM": None, "9.41\u202fXM": "blanks", "a\u202fAM": "blanks",
    # characters that are not drawn, or that nobody knows
    "a\u0600": None, "a\u0605": None, "a\u06dd": None, "a\u070f": None, "a\U000110bd": None, "a\u08e2": None,
    "a\ue000": "invisible", "a\U0010fffd": "invisible", "a\u0378": "invisible", "a\ufdd0": "invisible",
    "\U0001f02c": None, "\U0001faff": None, "\U0001fb00": None, "\U0001fbff": "invisible", "\U0003fffd": None,
    "\U0002fffe": None, "\U0003fffe": "invisible", "\U0001fffe": "invisible",
    # blanks
    "\u8cc7\u3000a": None, "a\u3000\u8cc7": None, "a\u3000b": "blanks", "\u8cc7\u3000": "blanks",
    "\u3000\u8cc7": "blanks",
    "\u8cc7\u3000\u3000\u8cc7": None, "\u8cc7\u00a0\u8cc7": "blanks", "\u8cc7\u2003\u8cc7": "blanks",
    "a   b": None, "a    b": "blanks", "a .exe": None, "a  .exe": "blanks", "a  .abcdef": None, "a  .x y": None,
    # points and slashes
    "\uff11\uff0e\u306f": None, "a\uff0e\u306f": None, "\uff11\uff0ea": None, "a\uff0eb": "look_alike",
    "\uff10\uff1a\uff19": None, "\uff19\uff0ea": None, "\uff10\uff0ea": None, "\u62a5\uff1ab": None,
    "\uff0e\u306f": None,
    "\u62a5\ufe52\u62a5": "look_alike", "\u62a5\ua789\u62a5": "look_alike", "\u62a5\uff0f\u62a5": "look_alike",
    "\uff0f": "look_alike", "\u2024": "look_alike",
    # marks: three on a letter of an alphabet, six on others
    "e\u0300\u0301\u0302": None, "e\u0300\u0301\u0302\u0303": "marks", "\u0436\u0300\u0301\u0302": None,
    "\u0436\u0300\u0301\u0302\u0303": "marks", "\u0e01" + "\u0e48" * 6: None, "\u0e01" + "\u0e48" * 7: "marks",
    "e\u0300\u0301a\u0302\u0303": None, "\u0301": "marks", "\u00e9\u0301": None, "1\u0301": None, "-\u0301": "marks",
    "\u2013\u0301": "marks", "b \u0301a": "marks", "\u8fba\ufe00": "invisible", "\u0301b": "marks",
    # alphabets that look alike
    "\u0394T": None, "\u0391T": "mixed_scripts", "\u03b1\u0430": "mixed_scripts", "\u0394\u0436": None,
    "\u0394\u0436a": "mixed_scripts", "\u0436a": "mixed_scripts", "\u0436-a": None, "\u0436a\u0301": "mixed_scripts",
    "b\u0251": "mixed_scripts", "\u0251\u0283": None, "\uff41b": "mixed_scripts", "\uff41\uff42": None,
    "\ufe50": None, "\u2160b": None, "\u217cb": "mixed_scripts", "x.\u0436b": "mixed_scripts",
    # letters that look like Latin ones, with Latin ones about them
    "a1\u0430": "look_alike", "\u0430\u0430": None, "\u0430\u0436": None, "a1\u0436": None, "a1\u0430\u0436": None,
    "a1\u0391": "look_alike", "a-\u0430": None, "a_\u0430": None, "a.\u0430\u0435": "look_alike",
    "a.\u0430\u0436": None,
    "\u0430\u0435": None, ".\u0430\u0435": None, "\u0436.\u0430\u0435.": None, "\u0436.": None,
    "\u0436.\u0430\u0435": "look_alike", "a.b\u0436": "mixed_scripts", "1\u0430": None,
}  # fmt: skip


@pytest.mark.parametrize("name", SIGNS, ids=ascii)
def test_a_sign_is_judged_with_its_neighbours(name: str) -> None:
    assert deceptive(name) == SIGNS[name]
