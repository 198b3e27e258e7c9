"""Whether the disks have room for what an operation writes, looked at before anything is written."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence

from metona_tk.operations.failures import OperationFailed
from metona_tk.operations.steps import Step, StepKind
from metona_tk.protocol.problems import Code


def check_room(steps: Sequence[Step], store: str, stored: int) -> None:
    """OperationFailed where a disk has less room than will be written. `stored`: bytes that go into the store.

    A file counts with the size that it tells: a copy has no holes.
    """
    needed: dict[int, int] = {}
    for path, size in ((store, stored), *((step.path, _written(step)) for step in steps)):
        folder = _existing(path)
        device = os.stat(folder).st_dev
        needed[device] = needed.get(device, 0) + size
        if size and needed[device] > shutil.disk_usage(folder).free:
            raise OperationFailed(Code.IO_ERROR, path, "the disk is too full for it")


def _written(step: Step) -> int:
    if step.kind is StepKind.COPY:
        return step.source_before.size
    given = step.give if step.kind in {StepKind.RESTORE, StepKind.WRITE} and step.bin is None else None
    return given.state.size if given is not None else 0


def _existing(path: str) -> str:
    """The nearest folder above that is there."""
    folder = os.path.dirname(path)
    while not os.path.isdir(folder) and folder != os.path.dirname(folder):
        folder = os.path.dirname(folder)
    return folder
