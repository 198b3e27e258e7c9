"""Small disks of their own, for tests of what fills them or moves things from one to another."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def small_disk(place: Path, size: int) -> Iterator[Path]:
    """A disk of `size` bytes at a folder that is made for it; the test is skipped where none can be mounted."""
    if sys.platform != "linux" or os.getuid() != 0:
        pytest.skip("mounting a small disk needs root on Linux")
    place.mkdir()
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", place], capture_output=True)
    if made.returncode:
        pytest.skip(f"no small disk can be mounted: {made.stderr.decode()}")
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", place], check=True)
