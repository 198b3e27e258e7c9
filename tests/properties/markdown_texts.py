"""Markdown that is whole, broken, nested and cut, and a page without a screen to write it on."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

LINES = [
    *["", "", "", " ", "\t", "text", "more *text* here", "    indented", "   three", "  two", "\ttab"],
    *["# h", "## h2 ##", "#", "### `c` *e*", "===", "---", "- - -", "***", "* * *", "___"],
    *["- a", "- b", "-", "-   ", "* a", "+ a", "  - n", "   - n", "    - n", "- - a", "-     code", "- > q", "- # h"],
    *["1. a", "2. b", "1) a", "9. z", "1.", "  1. n", "   1. n", "- 1. a", "123456789. a", "1234567890. a", "-\ta"],
    *["- [ ] task", "- [x] done", "1. [X] *done*", "- [ ]", "- ```", "  ```", "   ```", "- ~~~ py", "    ```"],
    *["> q", ">", "> > q", "> - a", "> ```", ">    code", ">q *e*", "> | a | b |", "> |---|---|", "> 1. a", "  > q"],
    *["```", "```python", "``", "`````", "~~~", "~~~ js", "``` `x`", "```py", "pri", "x = [1, '2'] # 3", '"""', "/*"],
    *[
        "| a | b |",
        "|---|--:|",
        "|:-:|:--|",
        "| 1 | `2` |",
        "a | b",
        "--|--",
        "- | -",
        "| x",
        "|",
        "| [l](u) | a\\|b |",
    ],
    *["<div>", "</div>", "<b>x</b>", "<!-- c", "-->", "<script>a</script>", "[r]: http://a.b 'c'", "[r]", "[t][r]"],
    *["[l](http://a.b)", "[l](javascript:x)", "[l](mailto:a@b)", "[l](/rel)", "![alt *x*](http://p/q.png)", "![](x)"],
    *[
        "<http://a.b>",
        "http://a.b/c_d_e, x",
        "(https://a.b/(c))",
        "[a\u202eb](http://a.b/%E2%80%AE)",
        "[*x](http://a.b)",
    ],
    *[
        "*a",
        "a*",
        "**b",
        "b**",
        "***c***",
        "_d_",
        "~~s~~",
        "~~",
        "`",
        "``c` ``",
        "a  ",
        "b\\",
        "\\*x\\*",
        "&amp; &#35;",
    ],
    *[
        "$a_1*b*c$",
        "$$",
        "\\(x*y*\\)",
        "\\[",
        "\\]",
        "$5 and $6",
        "$",
        "\\$",
        "中文**粗**体",
        "*斜*体",
        "- 中",
        "| 中 | 文 |",
    ],
    *["😀 e", "*😀*", "\ud83d", "\0", "a\rb", "\x0c", "\u3000", "\u2028x", "[", "]", "![", "](", "<", "[x](<", "\x1f"],
]
_piece = st.sampled_from(LINES)
sources = st.lists(
    st.tuples(st.sampled_from(["", "", "", "", "  ", "   ", "    ", "> ", "- "]), _piece | st.text(max_size=8)),
    max_size=14,
).flatmap(
    lambda lines: st.lists(
        st.sampled_from(["\n", "\n", "\n", "\n\n", "\n\n\n", " ", "\r\n"]), min_size=len(lines), max_size=len(lines)
    ).map(lambda ends: "".join(a + b + end for (a, b), end in zip(lines, ends, strict=True)))
)
cuts = st.lists(st.integers(0, 10_000), max_size=12)


def split(text: str, places: list[int]) -> list[str]:
    at = sorted({0, len(text), *(place % (len(text) + 1) for place in places)})
    return [text[a:b] for a, b in zip(at, at[1:], strict=False)]


class Sheet:
    """Characters with their tags; takes what a `Page` takes, and counts what it was told to do."""

    def __init__(self) -> None:
        self.chars: list[tuple[str, frozenset[str]]] = []
        self.text: Any = self
        self.configured: set[str] = set()
        self.deletions = self.insertions = 0

    def add(self, spans: Any) -> None:
        self._insert(len(self.chars), spans)

    def _insert(self, at: int, spans: Any) -> None:
        self.insertions += 1
        self.chars[at:at] = [(char, frozenset(tags)) for text, tags in spans for char in text]

    def replace(self, tag: str, spans: Any) -> bool:
        places = [at for at, (_char, tags) in enumerate(self.chars) if tag in tags]
        if not places:
            return False
        self.deletions += 1
        del self.chars[places[0] : places[-1] + 1]
        self._insert(places[0], spans)
        return True

    def tag_configure(self, tag: str, **_options: Any) -> None:
        self.configured.add(tag)

    def tag_delete(self, *gone: str) -> None:
        self.configured -= set(gone)
        self.chars = [(char, tags - set(gone)) for char, tags in self.chars]

    def shown(self) -> list[tuple[str, frozenset[str]]]:
        """Without the tag that stands on all of an answer."""
        return [(char, frozenset(tag for tag in tags if not tag.startswith("answer:"))) for char, tags in self.chars]
