"""Keys that are heard everywhere, by pynput, where the user wants them. Not under Wayland, which tells nobody."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable
from typing import Any


class Hotkey:
    """`pressed` is called on another thread."""

    def __init__(self, pressed: Callable[[], object]) -> None:
        self._pressed = pressed
        self._keys = ""
        self._listener: Any = None

    def listen(self, keys: str) -> str:
        """Listen for `keys` instead of the ones before, "" for none; why that is not possible, "" when it is."""
        if keys == self._keys:
            return ""
        self.stop()
        self._keys = keys
        if not keys:
            return ""
        if sys.platform.startswith("linux") and os.environ.get("WAYLAND_DISPLAY"):
            return "Wayland has no keys for all programs"
        try:
            keyboard: Any = importlib.import_module("pynput.keyboard")
            self._listener = keyboard.GlobalHotKeys({keys: self._pressed})
            self._listener.start()
        except ValueError:
            return f"these are no keys: {keys}"
        except Exception as error:  # of Xlib, of macOS's permissions: whatever keeps it, the program goes on without
            return str(error) or type(error).__name__
        return ""

    def stop(self) -> None:
        """Listen no more."""
        if self._listener is not None:
            self._listener.stop()
        self._listener, self._keys = None, ""
