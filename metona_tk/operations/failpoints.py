"""Named points on the way of a change, where tests let the program die or the disk fail. Nothing happens at them else.

Points: journalled, stored, opened, half_written, synced, replaced, moved, binned, finished.
"""

from __future__ import annotations

from collections.abc import Callable

_hook: Callable[[str], None] | None = None


def reached(point: str) -> None:
    """The program is here."""
    if _hook is not None:
        _hook(point)


def set_hook(hook: Callable[[str], None] | None) -> None:
    """What happens at every point from now on; None: nothing."""
    global _hook  # noqa: PLW0603 - one for the process, as a crash is
    _hook = hook
