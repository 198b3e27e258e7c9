"""Names that deceive and names that do not, in many languages."""

from __future__ import annotations

import time

import pytest

from metona_tk.security.deception import deceptive

ZW, RLO, BLANK = "\u200b", "\u202e", "\u00a0"
DECEPTIVE = {
    "bidi": [
        f"cod{RLO}txt.exe",
        f"{RLO}gpj.exe",
        "a\u202ab",
        "a\u202d.txt",
        "a\u2066b\u2069.txt",
        "a\u200e.txt",
        "a\u200f.txt",
        "\u061cx.txt",
        f"folder{RLO}/a.txt",
        f"\u05d0{RLO}.txt",
        "a\u2068.md",
    ],
    "invisible": [
        f"a{ZW}.txt",
        f"{ZW}.bashrc",
        "a\u2060.txt",
        "\ufeffa.txt",
        "a\u00ad.txt",
        "pass\u200cword.txt",
        "pass\u200dword.txt",
        "a\u3164.txt",
        "a\uffa0.txt",
        "a\u115f.txt",
        "a\u1160.txt",
        "a\u2800.txt",
        "a\u034f.txt",
        "a\ufe0f.txt",
        "a\ufe00.txt",
        "+\ufe0f.txt",
        "a\U000e0041.txt",
        "a\U000e0100.txt",
        "\U0001f3f4\U000e0065\U000e0076\U000e0069\U000e006c\U000e007f.txt",
        "a\u17b4.txt",
        "a\u180b.txt",
        "\u8fba\U000e0101.txt",
        "a\ue000.txt",
        "a\uf8ff.txt",
        "a\u0378.txt",
        "\U0001f600\u200d.txt",
        "a\u2063.txt",
        "\ufff9a\ufffab\ufffb.txt",
    ],
    "control": ["a\tb", "a\nb.txt", "a\r.txt", "\x1b[31m.txt", "a\x7f", "a\x85.txt", "a\u2028b", "a\u2029b", "a\ud800"],
    "blanks": [
        " a.txt",
        "a.txt ",
        "photo.jpg          .exe",
        "photo.jpg  .exe",
        "a    b",
        f"a{BLANK}b.txt",
        "a\u2003b.txt",
        "a\u2009.txt",
        "a\u202fb.txt",
        "a\u3000b.txt",
        "\u8cc7\u6599\u3000\u3000\u3000.exe",
        "\u3000\u8cc7\u6599.txt",
        "dir /a.txt",
    ],
    "look_alike": [
        "a\uff0fb.txt",
        "a\u2044b",
        "a\u2215b",
        "a\u29f8b",
        "a\uff3cb",
        "a\u2216b",
        "photo\uff0ejpg",
        "photo\u2024exe",
        "C\uff1a\uff3cx",
        "a\ua789b",
        "a\ufe52b",
        "a\u2236b",
        "\U0001d41e\U0001d431\U0001d41e.txt",
        "photo.\u0435\u0445\u0435",
        "pay1\u0440\u0430",
        "photo.\u0441\u043e\u043c",
        "\u8d44\u6599\uff0f\u5bc6.txt",
    ],
    "marks": [
        "a\u0300\u0301\u0302\u0303.txt",
        "Z\u0351\u0352\u0353\u0354\u0355algo",
        "a\u0338b",
        "\u0301a",
        "a.\u0301txt",
        "a\u20dd",
        "a-\u0301b",
        "\u0e01" + "\u0e48" * 9,
    ],
    "mixed_scripts": [
        "p\u0430ypal.txt",
        "\u0440aypal",
        "fil\u0435.txt",
        "\u0410ccount.xlsx",
        "g\u03bf\u03bfgle.txt",
        "\u0391dmin.txt",
        "s\u0443stem",
        "w\u0456ndows",
        "mi\u0441ros\u043eft.doc",
        "\u043e\u0442\u0447\u0435t.txt",
        "b\u0251nk.txt",
        "fi\uff4ce.txt",
        "e\u217ce.txt",
        "\u13aapple.txt",
        "\u0430\u03b1.txt",
        "n\u0585tes.txt",
        "docs/p\u0430y/a.txt",
        "a\\p\u0430y\\b",
    ],
}
# fmt: off
FINE = [
    "a.txt", "README.md", ".bashrc", "a b c.txt", "a - b (1).pdf", "x.tar.gz", "report .pdf", "a  b.txt", "a..b",
    "~", "", ".", "..", "a/b/c.txt", "C:\\x\\y.txt", "/", "a_b-c+d=e@f#g%h.txt", "it's.txt", "[x]{y}.md", "$HOME",
    "a~1.txt", "r\u00e9sum\u00e9.pdf", "re\u0301sume\u0301.pdf", "na\u00efve.txt", "Stra\u00dfe.md",
    "\u00d8re.txt", "\u0141\u00f3d\u017a.txt", "Ti\u1ebfng Vi\u1ec7t.txt",
    "Tie\u0302\u0301ng Vie\u0323\u0302t.txt", "\u0130stanbul.txt", "\u0131l\u0131k.txt", "pi\u00f1ata.txt",
    "\u041e\u0442\u0447\u0451\u0442.docx", "\u041e\u0442\u0447\u0435\u0442_final_v2.docx",
    "\u0444\u043e\u0442\u043e2024.jpg", "v2\u0444\u0438\u043d\u0430\u043b.txt", "A4 \u043b\u0438\u0441\u0442.pdf",
    "\u0440\u043e\u0441\u0430.txt", "\u0441\u043e\u0440", "\u0395\u03bb\u03bb\u03b7\u03bd\u03b9\u03ba\u03ac.txt",
    "\u0394T.csv", "\u03bbmax.txt", "10\u03bcm.dat", "10\u00b5m.dat", "\u03b2-carotene.txt", "\u62a5\u544a.docx",
    "\u62a5\u544a2024final.docx", "\u4f1a\u8baePPT.pptx", "\u62a5\u544a\uff1a\u6700\u7ec8\u7248.txt",
    "\uff08\u526f\u672c\uff09.txt", "\u8cc7\u6599\u30002024.txt", "\u5c71\u7530\u3000\u592a\u90ce.txt",
    "\uff11\uff0e\u306f\u3058\u3081\u306b.txt", "\uff21\uff22\uff23\u682a\u5f0f\u4f1a\u793e.pdf",
    "\u30c6\u30b9\u30c8.txt", "Word\u30d5\u30a1\u30a4\u30eb.docx", "\ud55c\uad6d\uc5b4.txt",
    "\ud55c\uae00Word.txt", "\u7b2c\u2161\u7ae0.txt", "Part\u2161.txt", "\u05e9\u05dc\u05d5\u05dd.txt",
    "\u05ea\u05de\u05d5\u05e0\u05d4 1.jpg", "\u0645\u0644\u0641.pdf",
    "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645.txt", "\u0915\u094d\u200d\u0937.txt",
    "\u0939\u093f\u0928\u094d\u0926\u0940.txt", "\u0e20\u0e32\u0e29\u0e32\u0e44\u0e17\u0e22.txt",
    "\u0e17\u0e35\u0e48\u0e19\u0e35\u0e48.txt", "\u1019\u103c\u103d\u103e\u102f\u1036\u1037.txt",
    "\u0f56\u0f66\u0f92\u0fb2\u0f74\u0f56\u0f66.txt", "\u10e5\u10d0\u10e0\u10d7\u10e3\u10da\u10d8.txt",
    "\U0001f600.png", "\u2764\ufe0f.txt", "\u2764.txt", "\U0001f468\u200d\U0001f469\u200d\U0001f467.png",
    "\U0001f44d\U0001f3fd.png", "\U0001f469\u200d\u2695\ufe0f.png", "\u2764\ufe0f\u200d\U0001f525.png",
    "1\ufe0f\u20e3.txt", "1\u20e3.txt", "\U0001f1e9\U0001f1ea.png",
    "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f.png", "\u2194\ufe0f.txt",
    "\u00a9\ufe0f 2024.txt", "\U0001f4c1 docs/a.txt", "Screenshot 2024-01-01 at 9.41.00\u202fAM.png",
    "\u2013 dash \u2014.txt", "\u201cquoted\u201d.txt", "5\u00b0C.txt", "\u20ac100.txt", "\u2116 5.txt",
    "\u00bfqu\u00e9?.txt", "\ufb01nal.txt", "a\u00b2.txt", "\u0645\u0644\u0641 word.txt", "\U00020000.txt",
    "\U0001faf8.png", "\u1820\u180b\u1820.txt",
]
# fmt: on


@pytest.mark.parametrize("kind", sorted(DECEPTIVE))
def test_a_deceptive_name_is_told_with_its_kind(kind: str) -> None:
    for name in DECEPTIVE[kind]:
        assert deceptive(name) == kind, ascii(name)
        assert deceptive(f"/work/R/{name}/inner.txt") == kind, ascii(name)


def test_the_tables_are_long_enough() -> None:
    assert sum(map(len, DECEPTIVE.values())) >= 60
    assert len(set(FINE)) >= 60


def test_what_people_write_is_left_alone() -> None:
    assert [(ascii(name), deceptive(name)) for name in FINE if deceptive(name)] == []


@pytest.mark.parametrize(
    "unit", ["a", " ", "a ", "\u0430", "a\u0301", "\U0001f468\u200d", "\u3000", "1\ufe0f", "/", "\uff0e"]
)
def test_a_long_name_takes_no_more_than_its_length(unit: str) -> None:
    deceptive(unit * 1000)
    started = time.process_time()
    deceptive(unit * 100_000)
    assert time.process_time() - started < 2
