"""Whether the folders that a chat works in are still there: nothing is read beside them, and none is made anew."""

from __future__ import annotations

import os
import stat

from metona_tk.protocol.problems import Code
from metona_tk.security.paths import Root
from metona_tk.tools.base import ToolFailed


def check_there(root: Root | None) -> None:
    """ToolFailed where a root was moved away, or something else has its name."""
    if root is not None and not _is_folder(root.real):
        raise root_gone(root)


def _is_folder(path: str) -> bool:
    try:
        return stat.S_ISDIR(os.lstat(path).st_mode)
    except OSError:
        return False


def root_gone(root: Root) -> ToolFailed:
    """The refusal."""
    name = root.given if len(root.given) <= 80 else "..." + root.given[-77:]
    return ToolFailed(
        Code.NOT_FOUND,
        f"The folder {name!r} that this chat works in is not there any more, so nothing was read or changed. Tell the "
        "user so; calls work again once it is back.",
    )
