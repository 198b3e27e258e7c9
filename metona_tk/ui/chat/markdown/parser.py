"""markdown-it-py as it is used here: imported late, blocks and running text apart. Counterparts: `blocks`, `render`."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from metona_tk.ui.chat.markdown.look import LONGEST

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

NESTING = 40  # levels; markdown-it drops what is deeper, so a block that reaches it is shown as it was written
_MATHS = (("$$", "$$"), ("\\(", "\\)"), ("\\[", "\\]"), ("$", "$"))


def _build() -> MarkdownIt:
    from markdown_it import MarkdownIt

    made = MarkdownIt("commonmark", {"html": False, "maxNesting": NESTING})
    # A definition at the end would change paragraphs that are long finished: such links stay as they are written.
    made.disable(["reference", "html_block", "html_inline"])
    made.enable(["table", "strikethrough"])
    made.inline.ruler.before("escape", "maths", _maths)
    return made


@cache
def _text() -> MarkdownIt:
    return _build()


@cache
def _structure() -> MarkdownIt:
    made = _build()
    made.disable(["inline", "text_join"])
    return made


def block_tokens(source: str) -> list[Token]:
    """The blocks of `source`; their running text is not parsed."""
    return _structure().parse(source)


def last_start(source: str) -> int:
    """The line (from 0) that the last outermost block begins at."""
    starts = [token.map[0] for token in block_tokens(source) if token.level == 0 and token.map]
    return starts[-1] if starts else 0


def runs(text: str) -> list[Sequence[Token]]:
    """The parts of running text, in runs of at most LONGEST characters: some markup takes time in the square of them.

    Markup does not reach across runs.
    """
    found: list[Sequence[Token]] = []
    while text:
        size = len(text) if len(text) <= LONGEST else (text.rfind(" ", 1, LONGEST) + 1 or LONGEST)
        found.append(_inline(text[:size]))
        text = text[size:]
    return found


@lru_cache(maxsize=128)
def _inline(text: str) -> Sequence[Token]:
    found = _text().parseInline(text)
    return found[0].children or () if found else ()


def _maths(state: StateInline, silent: bool) -> bool:
    """Formulas stay as they are written: in them, stars and underlines and backslashes are no markup."""
    if state.src[state.pos] not in "$\\":
        return False
    for opening, closing in _MATHS:
        if state.src.startswith(opening, state.pos):
            end = _formula_end(state.src, state.pos + len(opening), state.posMax, closing)
            if end and not silent:
                state.pending += state.src[state.pos : end]
            state.pos = end or state.pos
            return bool(end)
    return False


def _formula_end(text: str, start: int, most: int, closing: str) -> int:
    at = text.find(closing, start, most)
    end = at + len(closing)
    if at <= start:
        return 0
    if closing == "$" and (
        text[start].isspace() or text[at - 1].isspace() or text[end : end + 1].isdigit() or "\n" in text[start:at]
    ):
        return 0  # amounts of money, not a formula
    return end


def warm_up() -> None:
    """Load what the first answer will need. For idle time after the first window is drawn."""
    from metona_tk.ui.chat.markdown.highlight import highlighted

    block_tokens("# a\n\n- b\n")
    runs("*a*")
    highlighted("python", "pass")
