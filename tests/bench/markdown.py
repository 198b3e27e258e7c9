"""A long answer of Markdown in pieces on a real page, against the same page drawn anew for each piece."""

from __future__ import annotations

import statistics
import time
import tkinter as tk
from collections.abc import Callable
from typing import Any

from metona_tk.ui.chat.markdown.answers import Answers
from metona_tk.ui.chat.markdown.parser import warm_up
from metona_tk.ui.chat.markdown.tags import look_of
from metona_tk.ui.chat.page import Page
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.widgets.root import make_root
from tests.bench.figures import tell

SIZE, PIECES, ANEW = 100_000, 1000, 40
MOST, FLAT = 2.5, 1.5
_PART = """## What was found in part {n}

Three of the eleven invoices have **no matching payment**, and the *oldest* is `26 days` overdue; see
[the manual](https://example.com/{n}) for the way it is counted, and https://example.com/bank for the export.

- first, check the **bank export** of the month
- then write to the customer
  - by mail, with the number {n}
- 最后，再看一次付款记录

| Invoice | Customer | Amount |
|---|---|--:|
| INV-{n} | Nordlicht GmbH | 1,240.00 |
| INV-{n} | 青山设计 | 386.50 |

```python
paid = {{row["reference"] for row in rows}}
for number in ("INV-0311", "INV-{n}"):
    print(number, "paid" if number in paid else "open")  # exact match only
```

> A remark about number {n} that is quoted from the letter.

"""


def _filled(make: Any) -> str:
    text, number = "", 0
    while len(text) < SIZE:
        text, number = text + make(number), number + 1
    return text[:SIZE]


TEXTS = {
    "mixed": _filled(lambda n: _PART.format(n=n)),
    "fence": "```python\n" + _filled(lambda n: f"value_{n} = compute({n}, 'text')  # a line of code\n"),
    "list": _filled(lambda n: f"- item {n} with **bold** and `code` in it, of some length\n"),
    "paragraph": _filled(lambda n: f"Sentence {n} of one *giant* paragraph that never ends. "),
    "table": "| a | b | c |\n|---|---|--:|\n" + _filled(lambda n: f"| row {n} | with **bold** text | {n} |\n"),
    "quote": _filled(lambda n: f"> line {n} of one *giant* quote that never ends\n"),
}


def stream(page: Page, text: str) -> list[float]:
    """Milliseconds for each piece, with the drawing of the page in it."""
    answer = Answers(page, look_of(page.fonts, page.column), print, print, lambda _event: True).begin()
    took = drawn(page, text, answer.add)
    answer.end()
    return took


def drawn(page: Page, text: str, add: Callable[[str], None]) -> list[float]:
    """Milliseconds for each piece that `add` takes."""
    took: list[float] = []
    size = len(text) // PIECES
    for at in range(0, len(text), size):
        begun = time.perf_counter()
        add(text[at : at + size])
        page.update_idletasks()
        took.append((time.perf_counter() - begun) * 1000)
    return took


def anew(page: Page, text: str) -> list[float]:
    """The same for a page that is emptied and written again, at some pieces of the answer only."""
    took: list[float] = []
    for number in range(1, ANEW + 1):
        page.clear()
        answer = Answers(page, look_of(page.fonts, page.column), print, print, lambda _event: True).begin()
        begun = time.perf_counter()
        answer.add(text[: len(text) * number // ANEW])
        page.update_idletasks()
        took.append((time.perf_counter() - begun) * 1000)
    return took


def figures(took: list[float]) -> dict[str, float]:
    """`growth` is the mean of the last fifth over that of the first."""
    fifth = len(took) // 5
    ordered = sorted(took)
    return {
        "mean_ms": round(statistics.mean(took), 2),
        "p99_ms": round(ordered[len(took) * 99 // 100], 1),
        "max_ms": round(ordered[-1], 1),
        "growth": round(statistics.mean(took[-fifth:]) / statistics.mean(took[:fifth]), 2),
    }


def main() -> None:
    """Print the figures."""
    root = make_root()
    root.geometry("900x800+0+0")
    page = Page(root, Fonts(root, 1.0))
    page.pack(fill=tk.BOTH, expand=True)
    root.update()
    warm_up()
    stream(page, TEXTS["mixed"])
    yard = round(statistics.mean(anew(page, TEXTS["mixed"])), 2)
    page.clear()  # what Tk itself takes for as much text without any markup
    bare = figures(drawn(page, TEXTS["mixed"], lambda piece: page.add([(piece, ("answer",))])))
    against = {"anew_ms": yard, "unrendered_ms": bare["mean_ms"]}
    for name, text in TEXTS.items():
        page.clear()
        found = figures(stream(page, text))
        met = found["mean_ms"] <= MOST and found["growth"] <= FLAT
        ratio = round(found["mean_ms"] / yard, 4)
        tell(f"markdown {name}", found, against, ratio, f"mean <= {MOST} ms, growth <= {FLAT}", met)
    root.destroy()


if __name__ == "__main__":
    main()
