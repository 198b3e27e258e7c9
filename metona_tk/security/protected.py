"""The places that are closed to every tool in every mode (SPEC 2.2). Users add to them and never remove any."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass, field

from metona_tk.security.closed_files import ClosedFiles
from metona_tk.security.names import folded_parts, is_within

Parts = tuple[str, ...]

# Whatever these lead to: a typed path under them is refused.
KERNEL_FOLDERS = ("/proc", "/sys", "/dev")

SYSTEM_FOLDERS: dict[str, tuple[str, ...]] = {
    "linux": (
        "/etc",
        "/boot",
        "/root",
        "/bin",
        "/sbin",
        "/lib",
        "/lib32",
        "/lib64",
        "/usr",
        "/run/secrets",
        "/run/credentials",
        "/run/systemd",
        "/var/lib",
        "/var/spool",
        "/lost+found",
        *KERNEL_FOLDERS,
    ),
    "darwin": (
        "/etc",
        "/private/etc",
        "/System",
        "/Library",
        "/bin",
        "/sbin",
        "/usr",
        "/dev",
        "/cores",
        "/var/db",
        "/private/var/db",
        "/var/root",
        "/private/var/root",
        *KERNEL_FOLDERS,
    ),
    "win32": (
        "C:/Windows",
        "C:/Program Files",
        "C:/Program Files (x86)",
        "C:/ProgramData",
        "C:/$Recycle.Bin",
        "C:/System Volume Information",
    ),
}

HOME_FOLDERS = (
    ".ssh",
    ".gnupg",
    ".aws",
    ".azure",
    ".kube",
    ".docker",
    ".config/gcloud",
    ".config/gh",
    ".config/openclaw",
    ".password-store",
    ".local/share/keyrings",
    ".local/share/kwalletd",
    ".local/share/password-store",
    ".pki",
    ".mozilla",
    ".thunderbird",
    ".config/google-chrome",
    ".config/chromium",
    ".config/microsoft-edge",
    ".config/BraveSoftware",
    ".config/vivaldi",
    ".config/opera",
    ".var/app/org.mozilla.firefox",
    ".var/app/com.google.Chrome",
    "snap/firefox",
    "snap/chromium",
    "Library/Keychains",
    "Library/Cookies",
    "Library/Mail",
    "Library/Messages",
    "Library/Safari",
    "Library/Application Support/Google/Chrome",
    "Library/Application Support/Chromium",
    "Library/Application Support/Firefox",
    "Library/Application Support/Microsoft Edge",
    "Library/Application Support/BraveSoftware",
    "Library/Application Support/com.apple.TCC",
    "AppData/Local/Google/Chrome/User Data",
    "AppData/Local/Microsoft/Edge/User Data",
    "AppData/Local/Microsoft/Credentials",
    "AppData/Local/BraveSoftware",
    "AppData/Roaming/Mozilla",
    "AppData/Roaming/Microsoft/Credentials",
    "AppData/Roaming/Microsoft/Protect",
    "AppData/Roaming/Microsoft/Crypto",
    "AppData/Roaming/gnupg",
)


def _spellings(path: str) -> set[Parts]:
    """A folder as written and as it really lies (/bin is /usr/bin on many systems)."""
    return {folded_parts(path), folded_parts(os.path.realpath(path))}


@dataclass(frozen=True, slots=True)
class Protected:
    """The closed places of one user on one machine, as folded components."""

    home: frozenset[Parts]
    system: frozenset[Parts]
    always: frozenset[Parts]  # closed also inside the home folder
    private: frozenset[Parts]
    private_paths: tuple[str, ...] = ()
    closed_paths: tuple[str, ...] = ()  # folders of the user that are closed: .ssh and its kin
    files: ClosedFiles = field(default_factory=lambda: ClosedFiles(()), compare=False, repr=False)

    def is_closed_identity(self, found: os.stat_result) -> bool:
        """Whether this file or folder *is* a closed one under another name (hard link, bind mount)."""
        if (found.st_dev, found.st_ino) in self.identities():
            return True
        return not stat.S_ISDIR(found.st_mode) and self.files.holds(found)

    def identities(self) -> frozenset[tuple[int, int]]:
        """Device and inode of every closed folder that is there now."""
        found: set[tuple[int, int]] = set()
        for path in (*self.closed_paths, *self.private_paths):
            try:
                here = os.stat(path)
            except OSError:
                continue
            found.add((here.st_dev, here.st_ino))
        return frozenset(found)

    def is_private(self, parts: Parts) -> bool:
        """The app's own data, settings, log and store, whether they exist yet or not."""
        return any(is_within(parts, place) for place in self.private)

    def is_protected(self, parts: Parts) -> bool:
        """Closed. A home that lies in a system folder wins over that folder, not over its own closed children."""
        if any(is_within(parts, place) for place in self.always):
            return True
        homes = [home for home in self.home if is_within(parts, home)]
        return any(
            is_within(parts, place) and not any(is_within(home, place) for home in homes) for place in self.system
        )

    def below(self, folder: Parts) -> tuple[Parts, ...]:
        """The closed places inside `folder`, relative to it, for walks that must leave them out."""
        places = self.always | self.private | self.system
        return tuple(place[len(folder) :] for place in places if len(place) > len(folder) and is_within(place, folder))


def protected_places(
    home: str, platform: str, private: Iterable[str | os.PathLike[str]], added: Iterable[str] = ()
) -> Protected:
    """Collect them for `home`; `added` are the user's own (absolute or with `~`)."""
    closed = tuple(os.fspath(path) for path in private)
    system = {parts for path in SYSTEM_FOLDERS.get(platform, SYSTEM_FOLDERS["linux"]) for parts in _spellings(path)}
    always: set[Parts] = set()
    for name in HOME_FOLDERS:
        always |= _spellings(os.path.join(home, name))
    kernel = () if platform == "win32" else KERNEL_FOLDERS
    own = [os.path.join(home, path[2:]) if path.startswith("~/") else path for path in added if path]
    for path in (*kernel, *own):
        always |= _spellings(path)
    folders = (*(os.path.join(home, name) for name in HOME_FOLDERS), "/etc", *own)
    return Protected(
        frozenset(_spellings(home)),
        frozenset(system),
        frozenset(always),
        frozenset(parts for path in closed for parts in _spellings(path)),
        closed,
        folders,
        ClosedFiles((*closed, *folders)),
    )
