"""A plugin of pytest: each test begins with empty caches, so that it reaches what it would reach alone."""

from __future__ import annotations

import sys

import pytest

_WITH_CACHES = ("metona_tk.security.", "metona_tk.operations.")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Forget what functions remember: an answer out of a cache leaves no trace in the lines that were measured."""
    for name, module in list(sys.modules.items()):
        if name.startswith(_WITH_CACHES):
            for value in vars(module).values():
                forget = getattr(value, "cache_clear", None)
                if callable(forget):
                    forget()
