"""Keeps Tk's finalizers off other threads.

Garbage collection runs on whichever thread happens to allocate; `Font.__del__`, `Variable.__del__` and
`Image.__del__` then call Tk from there, which blocks until Tk's own thread answers, for ever when it does not run its
loop. Off that thread the object waits instead, until Tk's thread finalizes another one or calls `finish_waiting`.
"""

from __future__ import annotations

import threading
import tkinter as tk
from collections import deque
from collections.abc import Callable
from tkinter import font as tkfont
from typing import Any

_done: set[type] = set()
_waiting: deque[tuple[Callable[[Any], None], Any]] = deque()  # each kept alive by standing here


def _on_main_thread_only(original: Callable[[Any], None]) -> Callable[[Any], None]:
    def finalize(self: object) -> None:
        if threading.current_thread() is threading.main_thread():
            finish_waiting()
            original(self)
        else:
            _waiting.append((original, self))

    return finalize


def finish_waiting() -> None:
    """On Tk's thread: finalize what was collected on another one."""
    while _waiting:
        original, waiting = _waiting.popleft()
        original(waiting)


def keep_finalizers_on_tk_thread() -> None:
    """Once, before the first widget; harmless to call again."""
    kinds: tuple[Any, ...] = (tkfont.Font, tk.Variable, tk.Image)
    for kind in kinds:
        if kind not in _done:
            _done.add(kind)
            kind.__del__ = _on_main_thread_only(kind.__del__)
