"""The recycle bin, by send2trash, which tells neither the place nor always the truth (SAFETY "Deleting").

Linux: what is in the bin afterwards is found by its inode, and it goes there through the folder's descriptor; its
record is then put right. Restoring is a rename from there. Elsewhere the bin's place is not told: the store helps.
Facts: freedesktop.org trash specification 1.0; send2trash 2.2 plat_other.
"""

from __future__ import annotations

import contextlib
import datetime
import importlib
import os
import sys
import urllib.parse
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from metona_tk.operations import entries
from metona_tk.operations.entries import OpenFolder
from metona_tk.operations.failpoints import reached
from metona_tk.operations.failures import ChangedSince
from metona_tk.protocol.changes import FileState


@dataclass(frozen=True, slots=True)
class BinEntry:
    """Something in the bin: where its contents and its record are, "" where the platform does not tell."""

    files: str = ""  # folder of the contents
    name: str = ""
    info: str = ""  # path of the record
    inode: int = 0


class NoBin(Exception):
    """There is no bin for this place."""


def trash(folder: OpenFolder, name: str, state: FileState) -> BinEntry:
    """Move a name to the bin. NoBin where there is none; OSError where it cannot be."""
    if sys.platform == "linux":
        return _trash_linux(folder, name, state)
    return _trash_elsewhere(folder, name)


def _trash_elsewhere(folder: OpenFolder, name: str) -> BinEntry:
    from send2trash import TrashPermissionError, send2trash

    path = os.path.join(folder.path, name)
    if sys.platform == "win32" and not _has_windows_bin(path):
        raise NoBin(path)
    try:
        send2trash(path)
    except TrashPermissionError as error:
        raise NoBin(path) from error
    reached("binned")
    if os.path.lexists(path):
        raise OSError(f"{path} is still there after it was moved to the bin")
    return BinEntry()


def _has_windows_bin(path: str) -> bool:
    """Only fixed drives have one; on others the system deletes for good without a word."""
    if sys.platform != "win32":
        return True
    import ctypes

    fixed = 3  # DRIVE_FIXED
    return ctypes.windll.kernel32.GetDriveTypeW(os.path.splitdrive(path)[0] + "\\") == fixed


# --- Linux -----------------------------------------------------------------------------------------------------------


def home_bin() -> Path:
    """The bin of the home folder, as the environment is now."""
    data = os.environ.get("XDG_DATA_HOME") or os.path.join(os.path.expanduser("~"), ".local", "share")
    return Path(data) / "Trash"


def _mount_of(path: str) -> str:
    """The mount that a resolved path lies on; a link that somebody puts there meanwhile is not followed."""
    while not _is_mount(path):
        path = os.path.dirname(path)
    return path


def _is_mount(path: str) -> bool:
    try:
        return os.path.ismount(path)
    except OSError:  # it was swapped for a link while it was looked at
        return False


def _bins_for(path: str) -> list[Path]:
    """The bins that may take what lies at a path."""
    if sys.platform == "win32":
        return []
    top, user = Path(_mount_of(os.path.dirname(path))), os.getuid()
    return [home_bin(), top / ".Trash" / str(user), top / f".Trash-{user}"]


def _is_temporary(path: str) -> bool:
    """Whether a path lies on a disk that is only memory, where a bin would be gone with the next start."""
    mount = _mount_of(path)
    with contextlib.suppress(OSError), open("/proc/self/mounts", encoding="utf-8", errors="surrogateescape") as mounts:
        kinds = dict(line.split(" ")[1:3] for line in mounts)
        return kinds.get(mount.replace(" ", "\\040")) in {"tmpfs", "ramfs"}
    return False


def _trash_linux(folder: OpenFolder, name: str, state: FileState) -> BinEntry:
    path = os.path.join(folder.path, name)
    device = os.stat(home_bin().parent if home_bin().parent.exists() else os.path.expanduser("~")).st_dev
    if state.device != device and _is_temporary(folder.path):
        raise NoBin(path)
    if state.kind == "symlink" or not _may_be_written(folder, name):
        # send2trash follows links when it looks whether something is there, and wants to write what it only moves
        return _move_ourselves(folder, name, path, state, state.device == device)
    _send(folder, name, path)
    entry = _find(path, state)
    if entry is None:
        if _put_back(folder, name, path):
            raise ChangedSince(path)
        raise OSError(f"{path} went away and is not in the bin")
    _correct(entry, path)
    return entry


def _may_be_written(folder: OpenFolder, name: str) -> bool:
    return sys.platform != "win32" and os.access(name, os.W_OK, dir_fd=folder.fd, follow_symlinks=True)


def _send(folder: OpenFolder, name: str, path: str) -> None:
    # pinned: with GObject about, another part of it would behave otherwise
    plat_other: Any = importlib.import_module("send2trash.plat_other")

    # it reads the environment once, at import; the bin is that of now
    plat_other.XDG_DATA_HOME = os.fsencode(home_bin().parent)
    plat_other.HOMETRASH_B, plat_other.HOMETRASH = os.fsencode(home_bin()), str(home_bin())
    try:
        plat_other.send2trash(f"/proc/self/fd/{folder.fd}/{name}")
    except plat_other.TrashPermissionError as error:
        raise NoBin(path) from error
    reached("binned")


def _put_back(folder: OpenFolder, name: str, path: str) -> bool:
    """What somebody put there in the last instant was taken: it gets its name back. Its record is not right yet."""
    ours = urllib.parse.quote(os.fsencode(f"proc/self/fd/{folder.fd}/{name}")).encode()
    for each in _bins_for(path):
        for info in each.glob("info/*.trashinfo"):
            with contextlib.suppress(FileNotFoundError):
                found = BinEntry(str(each / "files"), info.name.removesuffix(".trashinfo"), str(info))
                os.lstat(each / "files" / found.name)
                if any(line.endswith(ours) for line in info.read_bytes().splitlines()):
                    _take_out(found, folder, name)
                    return True
    return False


def _find(path: str, state: FileState) -> BinEntry | None:
    """The entry whose contents are the very thing that was deleted."""
    for each in _bins_for(path):
        with contextlib.suppress(FileNotFoundError, NotADirectoryError, PermissionError):
            for found in os.scandir(each / "files"):
                if found.inode() == state.inode and found.stat(follow_symlinks=False).st_dev == state.device:
                    info = each / "info" / f"{found.name}.trashinfo"
                    return BinEntry(str(each / "files"), found.name, str(info), state.inode)
    return None


def _record(path: str, files: str) -> str:
    """The text of a record: where the thing was; relative to the mount for the bin of another disk."""
    top = os.path.dirname(os.path.dirname(os.path.dirname(files))) if ".Trash" in files.split(os.sep) else ""
    top = top or (os.path.dirname(os.path.dirname(files)) if os.path.dirname(files) != str(home_bin()) else "")
    shown = os.path.relpath(path, top) if top else path
    when = datetime.datetime.now().strftime("%Y-%m-%dT%H:%M:%S")
    return f"[Trash Info]\nPath={urllib.parse.quote(os.fsencode(shown))}\nDeletionDate={when}\n"


def _correct(entry: BinEntry, path: str) -> None:
    temp = entry.info + ".metona"
    with open(temp, "w", encoding="utf-8") as record:
        record.write(_record(path, entry.files))
    os.replace(temp, entry.info)


def _move_ourselves(folder: OpenFolder, name: str, path: str, state: FileState, at_home: bool) -> BinEntry:
    if sys.platform == "win32":
        raise NoBin(path)
    bin_folder = home_bin() if at_home else Path(_mount_of(folder.path)) / f".Trash-{os.getuid()}"
    try:
        for part in ("files", "info"):
            (bin_folder / part).mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise NoBin(path) from error
    stem, ending = os.path.splitext(name)
    for number in range(1, 10_000):
        free = name if number == 1 else f"{stem} {number}{ending}"
        info = bin_folder / "info" / f"{free}.trashinfo"
        try:
            fd = os.open(info, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            continue
        with os.fdopen(fd, "w", encoding="utf-8") as record:
            record.write(_record(path, str(bin_folder / "files")))
        files = entries.Inner(str(bin_folder / "files"), os.open(bin_folder / "files", os.O_RDONLY | os.O_DIRECTORY))
        try:
            entries.rename_new(folder, name, files, free)
            _check_taken(files, free, folder, name, state)
        except (OSError, ChangedSince):
            info.unlink()
            raise
        finally:
            files.close()
        reached("binned")
        return BinEntry(str(bin_folder / "files"), free, str(info), state.inode)
    raise NoBin(path)


def _check_taken(files: OpenFolder, taken: str, folder: OpenFolder, name: str, state: FileState) -> None:
    """That the bin has what was meant; what somebody put there in the last instant gets its name back."""
    found = entries.lstat(files, taken)
    if found is None or (found.st_dev, found.st_ino) != (state.device, state.inode):
        entries.give_back(files, taken, folder, name)
        raise ChangedSince(os.path.join(folder.path, name))


def _take_out(entry: BinEntry, folder: OpenFolder, name: str) -> None:
    if sys.platform == "win32":
        return
    files = entries.Inner(entry.files, os.open(entry.files, os.O_RDONLY | os.O_DIRECTORY))
    try:
        entries.give_back(files, entry.name, folder, name)
    finally:
        files.close()
    os.unlink(entry.info)


def restore(entry: BinEntry, folder: OpenFolder, name: str) -> None:
    """Bring an entry back under a free name. FileExistsError, FileNotFoundError; then nothing was done."""
    if sys.platform == "win32" or not entry.files:
        raise FileNotFoundError(name)
    files = entries.Inner(entry.files, os.open(entry.files, os.O_RDONLY | os.O_DIRECTORY))
    try:
        found = entries.lstat(files, entry.name)
        if found is None or found.st_ino != entry.inode:
            raise FileNotFoundError(entry.name)
        entries.rename_new(files, entry.name, folder, name)
    finally:
        files.close()
    with contextlib.suppress(OSError):  # a record without contents is what every file manager tidies away
        os.unlink(entry.info)


def may_take(path: str, device: int) -> bool:
    """Whether there is a bin for what lies at a path, as far as one can tell before."""
    if sys.platform == "linux":
        home = home_bin().parent
        same = device == os.stat(home if home.exists() else os.path.expanduser("~")).st_dev
        return same or not _is_temporary(os.path.dirname(path))
    return sys.platform != "win32" or _has_windows_bin(path)


def is_there(entry: BinEntry) -> bool:
    """Whether an entry still is in the bin, by inode."""
    if not entry.files:
        return False
    try:
        return os.lstat(os.path.join(entry.files, entry.name)).st_ino == entry.inode
    except OSError:
        return False


def find_deleted(path: str, state: FileState) -> BinEntry | None:
    """The bin entry of something that was deleted when the program died."""
    entry = _find(path, state) if sys.platform == "linux" else None
    if entry is not None:
        _correct(entry, path)
    return entry
