"""Chats of any length, as a record and as plain text: questions, thinking, cards, and answers of every kind."""

from __future__ import annotations

from metona_tk.protocol.events import TextAdded, ThinkingAdded, TurnStarted
from metona_tk.ui.chat.record import Record, Turn
from tests.ui import scenes

_ANSWERS = (
    "Three of the eleven invoices have **no matching payment**, and the oldest, number {n}, is `26 days` overdue.\n\n"
    "- first, check the **bank export** of the month\n- then write to the customer, with the number {n}\n",
    "三月份的发票里，有三张还没有对应的付款记录。最早的一张是 {n} 号，已经逾期**二十六天**。\n\n"
    "最后，再看一次付款记录。",
    "Here is how it is counted:\n\n```python\npaid = {{row['reference'] for row in rows}}\n"
    'print({n}, "paid" if {n} in paid else "open")  # exact match only\n```\n\nIt prints one line.',
    "| Invoice | Customer | Amount |\n|---|---|--:|\n| INV-{n} | Nordlicht GmbH | 1,240.00 |\n"
    "| INV-{n}a | 青山设计 | 386.50 |\n\nThe sum is 1,626.50.",
    "Yes. The letter of number {n} says so in its second paragraph; the other letters do not mention it at all.",
    "## Number {n}\n\nSee [the manual](https://example.com/{n}) for the way it is counted.\n\n> A remark about {n}.\n",
)


def turn(number: int, prefix: str = "t") -> Turn:
    """One finished turn: two messages, and in every second one a card."""
    made = Turn(f"{prefix}{number}", f"What about number {number} in the folder of March?")
    made.take(TurnStarted("", made.turn_id, "qwen3:8b", True))
    if number % 5 == 0:
        words = f"The user asks about number {number}. I look into the files first. " * 4
        made.take(ThinkingAdded(made.turn_id, words))
    if number % 2 == 0:
        shape = (scenes.read_call, scenes.search_call, scenes.list_call)[number // 2 % 3]
        for event in shape(made.turn_id, f"c-{made.turn_id}"):
            made.take(event)
    made.take(TextAdded(made.turn_id, _ANSWERS[number % len(_ANSWERS)].format(n=number)))
    made.take(scenes.finished(made.turn_id))
    return made


def chat(messages: int, prefix: str = "t") -> Record:
    """A chat of so many messages (a question and an answer are two)."""
    return Record([turn(number, prefix) for number in range(messages // 2)])


def plain(record: Record) -> str:
    """The same as text without any marks."""
    return "\n".join(f"{each.question}\n\n{each.answer}\n" for each in record.turns)
