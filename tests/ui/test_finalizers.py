"""Garbage that holds Tk objects may be collected on any thread, also while Tk runs no loop."""

from __future__ import annotations

import gc
import threading
import tkinter as tk
from tkinter import font as tkfont


def test_garbage_with_tk_objects_does_not_block_another_thread(root: tk.Tk) -> None:
    class Holder:
        pass

    for make in (lambda: tkfont.Font(root, size=11), lambda: tk.StringVar(root), lambda: tk.PhotoImage(master=root)):
        gc.collect()
        holder = Holder()
        holder.me, holder.tk_object = holder, make()  # type: ignore[attr-defined]
        gc.disable()
        try:
            del holder
            collector = threading.Thread(target=gc.collect, daemon=True)
            collector.start()
            collector.join(5)  # this thread runs no loop meanwhile
            assert not collector.is_alive()
        finally:
            gc.enable()
