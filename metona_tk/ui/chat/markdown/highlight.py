"""Code with its words coloured: Pygments, imported late, for languages that are known. All else is plain. Pure."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, cast

from metona_tk.ui.chat.markdown.inline import Line, split_lines
from metona_tk.ui.chat.spans import Span

if TYPE_CHECKING:
    from pygments.lexer import Lexer
    from pygments.token import _TokenType as TokenType  # pyright: ignore[reportPrivateUsage]

log = logging.getLogger(__name__)

LIMIT = 16_000  # characters; what comes after them in a block is plain
# Names of languages as answers use them. Others are plain: a lexer nobody asked for may be slow, and each costs memory.
_NAMES = (
    "apache asm awk bash bat batch bib bibtex c c# c++ clojure cmake conf console cpp cs csharp css csv "
    "dart diff docker dockerfile elixir elm erlang f# fish fortran fsharp go golang graphql groovy "
    "haskell html http ini java javascript js json json5 jsonc jsx julia kotlin kt latex less lisp lua "
    "make makefile matlab nginx nim nix objective-c objc ocaml octave patch perl php pl powershell prolog "
    "properties proto protobuf ps1 py pycon python python3 r rb regex rs ruby rust sass scala scheme scss "
    "sh shell sql swift svg systemd tcl terraform tex toml ts tsx typescript udiff vb vbnet vim vue xml "
    "yaml yml zig zsh "
)
LANGUAGES = frozenset(_NAMES.split())
_SAME = {"jsonc": "json5", "vbnet": "vb.net", "vb": "vb.net", "svg": "xml", "patch": "diff", "conf": "ini", "csv": ""}


def highlighted(language: str, code: str) -> list[Line]:
    """The lines of `code`, at least one, coloured as far as LIMIT. Never an error: what no lexer takes is plain."""
    inside, rest = split_at_limit(code)
    spans = _coloured(language, inside) if inside else []
    return list(split_lines([*spans, (rest, ())]))


def split_at_limit(code: str) -> tuple[str, str]:
    """What is coloured, whole lines, and what is not."""
    if len(code) <= LIMIT:
        return code, ""
    end = code.rfind("\n", 0, LIMIT) + 1
    return code[:end], code[end:]


def _coloured(language: str, code: str) -> list[Span]:
    try:
        known = language.lower()
        lexer = _lexer(known) if known in LANGUAGES else None
        spans = list(_spans(lexer.get_tokens_unprocessed(code))) if lexer else []
    except Exception:  # whatever a lexer does with broken code: an answer is worth more than its colours
        log.info("no colours for a block of %r", language[:40], exc_info=True)
        return [(code, ())]
    whole = "".join(text for text, _tags in spans)
    return spans if whole == code else [(code, ())]


@cache
def _lexer(language: str) -> Lexer | None:
    name = _SAME.get(language, language)
    if not name:
        return None
    from pygments import lexers
    from pygments.util import ClassNotFound

    try:
        return cast("Any", lexers).get_lexer_by_name(name, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None


def _spans(tokens: Iterable[tuple[int, TokenType, str]]) -> Iterator[Span]:
    """A name that an opening bracket follows is a call."""
    held: tuple[str, str] | None = None
    for _at, kind, text in tokens:
        tag = _tag(kind)
        if held:
            called = text.startswith("(") and not held[1] and held[0].isidentifier()
            yield held[0], ("syn-func",) if called else (held[1],) if held[1] else ()
        held = (text, tag)
    if held:
        yield held[0], (held[1],) if held[1] else ()


@cache
def _tag(kind: TokenType) -> str:
    """The tag of a kind of token, "" for plain text."""
    from pygments.token import Comment, Generic, Keyword, Name, Number, Operator, String

    kinds: tuple[tuple[TokenType, str], ...] = (
        (Comment, "syn-comment"),
        (Keyword.Type, "syn-type"),
        (Keyword.Constant, "syn-number"),
        (Keyword, "syn-keyword"),
        (Operator.Word, "syn-keyword"),
        (String, "syn-string"),
        (Number, "syn-number"),
        (Name.Function, "syn-func"),
        (Name.Builtin.Pseudo, "syn-keyword"),
        (Name.Builtin, "syn-func"),
        (Name.Class, "syn-type"),
        (Name.Exception, "syn-type"),
        (Name.Decorator, "syn-func"),
        (Name.Tag, "syn-keyword"),
        (Name.Attribute, "syn-func"),
        (Generic.Inserted, "syn-string"),
        (Generic.Deleted, "syn-number"),
        (Generic.Heading, "syn-keyword"),
        (Generic.Subheading, "syn-keyword"),
        (Generic.Prompt, "syn-comment"),
        (Generic.Output, "syn-comment"),
    )
    return next((tag for parent, tag in kinds if kind in parent), "")
