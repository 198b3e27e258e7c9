"""Text made visible: what could hide or reorder is written out, so that different text never looks the same.

Pure. Names, paths and arguments go through `visible`, lines of files through `visible_line`, which is milder.
"""

from __future__ import annotations

from metona_tk.i18n.unseen import hidden

BLANKS = 3  # a run of more blanks than this could push what follows out of sight
_HARMLESS_IN_FILES = frozenset([0x200D, 0x3000, 0x00A0, *range(0xFE00, 0xFE10)])


def code_of(char: str, count: int = 0) -> str:
    """The escape of a character, of a run of them with `count`."""
    return f"⟨U+{ord(char):04X} ×{count}⟩" if count else f"⟨U+{ord(char):04X}⟩"


def visible(text: str) -> str:
    """`text` with escapes like ⟨U+202E⟩ for what cannot be seen, and ⟨U+0020 ×9⟩ for long or outer blanks."""
    out: list[str] = []
    start, size = 0, len(text)
    while start < size:
        char = text[start]
        if char != " ":
            out.append(code_of(char) if hidden(char) else char)
            start += 1
            continue
        end = start
        while end < size and text[end] == " ":
            end += 1
        count = end - start
        plain = count <= BLANKS and start > 0 and end < size
        out.append(" " * count if plain else code_of(" ", count))
        start = end
    return "".join(out)


def visible_line(text: str) -> str:
    """One line of a file's contents: tabs become blanks; emoji, wide and no-break blanks stay as they are."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(code_of(char) if _harmful(char) else char for char in text.expandtabs(4))


def _harmful(char: str) -> bool:
    return hidden(char) and ord(char) not in _HARMLESS_IN_FILES and char not in "⟨⟩"


def drawable(text: str) -> str:
    """Text that Tk can take: lone surrogates and NUL, which it cannot, are replaced."""
    if text.isascii() and "\0" not in text and "\r" not in text:
        return text
    whole = text.encode("utf-8", "replace").decode("utf-8")
    return whole.replace("\0", "\N{REPLACEMENT CHARACTER}").replace("\r\n", "\n").replace("\r", "")
