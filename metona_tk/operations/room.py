"""Keeps the store within its limits: 30 days, 2 GB, the oldest go first, never those of an open chat (SAFETY)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from metona_tk.operations.journal import Journal
from metona_tk.operations.store import Store


@dataclass(frozen=True, slots=True)
class Limits:
    """`days` that a change can be undone; bytes of the whole store and of one operation."""

    days: float = 30.0
    total: int = 2 << 30
    operation: int = 100 << 20


def make_room(journal: Journal, store: Store, limits: Limits, now: float, open_chats: Collection[str]) -> None:
    """Forget what is too old, then the oldest until the rest fits; then remove objects that nothing needs."""
    sizes = store.sizes()
    kept = journal.oldest_kept()
    for operation_id, at, chat, _ in list(kept):
        if now - at > limits.days * 86400 and chat not in open_chats:
            journal.forget_steps(operation_id)
    kept = journal.oldest_kept()
    used = sum(sizes.get(digest, 0) for digest in journal.needed())
    for operation_id, _, chat, _ in kept:
        if used <= limits.total:
            break
        if chat not in open_chats:
            journal.forget_steps(operation_id)
            used = sum(sizes.get(digest, 0) for digest in journal.needed())
    _remove_unneeded(journal, store, limits, sizes)


def _remove_unneeded(journal: Journal, store: Store, limits: Limits, sizes: dict[str, int]) -> None:
    """Objects that no run needs. Where the journal was set aside they stay for the 30 days that were promised."""
    needed = journal.needed()
    aside = journal.was_set_aside()
    for digest in sizes:
        if digest not in needed and (not aside or store.age(digest) > limits.days * 86400):
            store.remove(digest)
