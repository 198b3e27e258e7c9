"""Keeps Tk's finalizers off other threads.

Garbage collection runs on whichever thread happens to allocate; `Font.__del__`, `Variable.__del__` and
`Image.__del__` then call Tk from there, which blocks until Tk's own thread answers, for ever when it does not run its
loop. Off that thread nothing is done instead: the name stays in the interpreter until it ends, which costs nothing.
"""

from __future__ import annotations

import threading
import tkinter as tk
from collections.abc import Callable
from tkinter import font as tkfont
from typing import Any

_done: set[type] = set()


def _on_main_thread_only(original: Callable[[Any], None]) -> Callable[[Any], None]:
    def finalize(self: object) -> None:
        if threading.current_thread() is threading.main_thread():
            original(self)

    return finalize


def keep_finalizers_on_tk_thread() -> None:
    """Once, before the first widget; harmless to call again."""
    kinds: tuple[Any, ...] = (tkfont.Font, tk.Variable, tk.Image)
    for kind in kinds:
        if kind not in _done:
            _done.add(kind)
            kind.__del__ = _on_main_thread_only(kind.__del__)
