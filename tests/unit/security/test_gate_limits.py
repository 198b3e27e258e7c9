"""Where the rules for paths begin and end: every limit with its neighbour, every kind of place on every system."""

from __future__ import annotations

import ctypes
import errno
import os
import sys
import time
from pathlib import Path

import pytest

from metona_tk.security import closed_files, handles, names, paths
from metona_tk.security.closed_files import ClosedFiles, has_other_names
from metona_tk.security.handles import FILE_FLAGS, Guard, open_beneath, open_file, open_folder, refuse_closed_file
from metona_tk.security.names import bad_path, folded_parts, is_ignorable, is_sensitive
from metona_tk.security.paths import GateError, PathGate, Place, Root, Target, make_root, resolve_links
from metona_tk.security.policy import Allow, Ask, Deny, Grant, ReadRules
from metona_tk.security.protected import protected_places

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="paths as POSIX has them")
OPEN = Guard(lambda _: False, lambda _: False, lambda *_: False)

# --- names -----------------------------------------------------------------------------------------------------------

UNSEEN = [0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2065, 0x2800, 0x3164, 0xFFA0, 0xAD, 0x200B, 0x202E, 0xFEFF]
UNSEEN += [*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xFFF0, 0xFFF9), 0xE0000, 0xE0001, 0xE0100, 0xE0FFF]
SEEN = [0x34E, 0x350, 0x115E, 0x1161, 0x17B3, 0x17B6, 0x2801, 0x27FF, 0x3163, 0x3165, 0xFF9F, 0xFFA1, 0x180A, 0x1810]
SEEN += [0xFDFF, 0xFE10, 0xFFEF, 0xDFFFF, 0xE1000, 0x20, 0x61]


def test_what_is_not_drawn_does_not_hide_a_name() -> None:
    assert [hex(point) for point in UNSEEN if not is_ignorable(chr(point))] == []
    assert [hex(point) for point in SEEN if is_ignorable(chr(point))] == []
    assert all(is_sensitive(f"id{chr(point)}_rsa") for point in UNSEEN)


@pytest.mark.parametrize(
    ("text", "good"),
    [
        ("a" * 255, True),
        ("a" * 256, False),
        ("\u5bc6" * 85, True),
        ("\u5bc6" * 85 + "a", False),
        ("d/" * 2047 + "ab", True),
        ("d/" * 2047 + "abc", False),
        (" ", False),
        (" a", True),
        ("a\0", False),
        ("\ud7ff\ue000", True),
        ("\ud800", False),
        ("\udfff", False),
        ("http://a", False),
        ("http:/a", True),
        ("x-y+z.1://", False),
        ("FILE:a", False),
        ("profile:a", True),
        ("a\\b:c|d?", True),
    ],
)
def test_what_can_be_a_path(text: str, good: bool) -> None:
    assert (bad_path(text, "linux") is None) is good
    assert (bad_path(text, "darwin") is None) is good


@pytest.mark.parametrize(
    ("text", "good"),
    [
        ("C:\\a\\b.txt", True),
        ("C:/a", True),
        ("C:a", False),
        ("C:/a:b", False),
        ("a:b", False),
        ("\\\\server\\x", False),
        ("//server/x", False),
        ("\\/x", False),
        ("/\\x", False),
        ("\\a", False),
        ("/a", False),
        ("a\\..\\.\\b", True),
        ("a.\\b", False),
        ("a \\b", False),
        ("a b", True),
        ("a\\" + "b" * 255, True),
        ("a\\" + "b" * 256, False),
        ("aux", False),
        ("AUX .md", False),
        ("a\\com\u00b9.x.txt", False),
        ("lpt0", True),
        ("lpt9", False),
        ("auxiliary", True),
        ("x.aux", True),
        ("a?b", False),
        ("a\x1fb", False),
        ("a\x7fb", True),
    ],
)
def test_what_can_be_a_path_on_windows(text: str, good: bool) -> None:
    assert (bad_path(text, "win32") is None) is good


def test_a_path_is_compared_by_its_parts() -> None:
    assert folded_parts("/A./b /.../c\\D") == ("a", "b", "...", "c", "d")
    assert folded_parts("//") == ()
    assert names.is_within(("a", "b"), ("a",)) and names.is_within(("a",), ("a",))
    assert not names.is_within(("a",), ("a", "b")) and not names.is_within(("ab",), ("a",))


# --- paths -----------------------------------------------------------------------------------------------------------


def gate(tmp_path: Path, platform: str = "linux") -> PathGate:
    for name in ("Work", "home", "other"):
        (tmp_path / name).mkdir()
    root = make_root(str(tmp_path / "Work"))
    home = str(tmp_path / "home")
    return PathGate(root, (root,), home, protected_places(home, platform, []), platform)


@pytest.mark.parametrize(("length", "shown"), [(60, "x" * 52), (61, "x" * 49 + "...")])
def test_a_refusal_shows_so_much_of_a_path(length: int, shown: str, tmp_path: Path) -> None:
    typed = "http://y" + "x" * (length - 8)
    with pytest.raises(GateError) as error:
        gate(tmp_path).target(typed)
    assert f"'http://y{shown}'" in error.value.text


def test_a_refusal_shows_what_is_no_text(tmp_path: Path) -> None:
    with pytest.raises(GateError) as error:
        gate(tmp_path).target("a\ud800")
    assert "a\\\\ud800" in error.value.text


def test_a_link_leads_where_its_text_says(tmp_path: Path) -> None:
    for name, leads in {"back": "\\\\?\\plain", "dots": "./../" + tmp_path.name, "top": "/", "up": "/.."}.items():
        (tmp_path / name).symlink_to(leads)
    for name in ("back", "dots", "dots/dots/x", "top", "top/etc", "up", "up/none", "none/a"):
        assert resolve_links(str(tmp_path / name)) == (os.path.realpath(tmp_path / name), False)
    assert resolve_links("/../..") == ("/", False)


@pytest.mark.parametrize(("number", "loop"), [(errno.ELOOP, True), (errno.EACCES, False), (errno.EINVAL, False)])
def test_what_the_system_says_of_links_is_believed(number: int, loop: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: str) -> str:
        raise OSError(number, os.strerror(number), path)

    monkeypatch.setattr(paths.os, "readlink", refuse)
    assert resolve_links("/a/b") == (("/a", True) if loop else ("/a/b", False))


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
def test_case_tells_places_apart_where_the_system_does(platform: str, tmp_path: Path) -> None:
    known, exact = gate(tmp_path, platform), platform == "linux"
    upper = Target("x", str(tmp_path / "WORK"), str(tmp_path / "WORK"), Place.INSIDE, None, False, None)
    assert (known._root_of(upper.resolved) is None) is exact
    inside = known._place(upper.lexical, upper.resolved, known.roots[0])
    assert inside is (Place.TYPED_OUTSIDE if exact else Place.INSIDE)


def test_a_root_that_is_a_link_is_inside_by_both_of_its_names(tmp_path: Path) -> None:
    known = gate(tmp_path)
    (tmp_path / "link").symlink_to("Work")
    root = make_root(str(tmp_path / "link"))
    assert root == Root(str(tmp_path / "link"), str(tmp_path / "Work"))
    linked = PathGate(root, (root,), known.home, known.protected, "linux")
    for typed in ("a", str(tmp_path / "link" / "a"), str(tmp_path / "Work" / "a")):
        found = linked.target(typed)
        assert (found.place, found.root) == (Place.INSIDE, root)
    assert linked.target(str(tmp_path / "other" / "a")).place is Place.TYPED_OUTSIDE


@pytest.mark.skipif(sys.platform != "linux", reason="/proc is Linux")
def test_a_path_through_the_kernel_tells_nothing_of_where_it_leads(tmp_path: Path) -> None:
    made, own = gate(tmp_path), tmp_path / "home" / "own"
    known = PathGate(made.workspace, made.roots, made.home, protected_places(made.home, "linux", [own]), "linux")
    assert known.target(str(own)).place is Place.PRIVATE
    assert known.target(f"/proc/self/root{own}").place is Place.PROTECTED


# --- closed places ---------------------------------------------------------------------------------------------------

CLOSED = {
    "linux": ["/etc", "/proc/x", "/var/lib/x", "/sys", "/dev/x", "/home/u/.ssh", "/home/u/mine/x", "/also"],
    "darwin": ["/System", "/proc/x", "/dev", "/Library/x", "/home/u/Library/Keychains", "/home/u/mine", "/also"],
    "win32": ["C:/Windows/x", "C:\\ProgramData", "/home/u/AppData/Roaming/Mozilla/x", "/home/u/mine", "/also"],
    "other": ["/etc", "/proc", "/boot"],
}
NOT_CLOSED = {
    "linux": ["/var", "/home/u", "/home/u/.sshx", "/System", "C:/Windows"],
    "darwin": ["/var/x", "/home/u/Library", "/boot"],
    "win32": ["/proc", "/etc", "C:/", "C:/Users"],
    "other": ["/System"],
}


@pytest.mark.parametrize("platform", CLOSED)
def test_every_system_has_its_closed_places(platform: str) -> None:
    known = protected_places("/home/u", platform, ["/home/u/own"], ["~/mine", "", "/also"])
    assert [path for path in CLOSED[platform] if not known.is_protected(folded_parts(path))] == []
    assert [path for path in NOT_CLOSED[platform] if known.is_protected(folded_parts(path))] == []
    assert known.is_private(folded_parts("/home/u/own/x")) and not known.is_private(folded_parts("/home/u"))
    assert ("own",) in known.below(folded_parts("/home/u")) and () not in known.below(folded_parts("/home/u/own"))
    assert {"/home/u/mine", "/also", "/home/u/.ssh", "/etc"} <= set(known.closed_paths)
    assert known.private_paths == ("/home/u/own",)


def test_a_file_of_a_closed_folder_is_known_by_its_inode(tmp_path: Path) -> None:
    closed, later = tmp_path / "closed", tmp_path / "later"
    (closed / "in" / "deep").mkdir(parents=True)
    (tmp_path / "elsewhere").mkdir()
    for path in (closed / "a", closed / "in" / "deep" / "b", tmp_path / "elsewhere" / "c", tmp_path / "d"):
        path.write_bytes(b"")
    (closed / "to").symlink_to("../elsewhere")
    (closed / "link").symlink_to("../d")
    known = ClosedFiles((str(closed), str(later)))
    held = [closed / "a", closed / "in" / "deep" / "b"]
    free = [tmp_path / "elsewhere" / "c", tmp_path / "d", closed, closed / "in"]
    assert [known.holds(path.stat()) for path in held + free] == [True] * 2 + [False] * 4
    assert not known.holds((closed / "link").lstat())
    assert ClosedFiles((str(later), str(closed))).holds(held[1].stat())
    found = held[0].stat()
    moved = os.stat_result((found.st_mode, found.st_ino, found.st_dev + 1, *found[3:]))
    assert not known.holds(moved)


def test_what_cannot_be_listed_hides_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a" / "deep").mkdir(parents=True)
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "x").write_bytes(b"")
    scandir = os.scandir

    def refuse(path: str) -> object:
        if path.endswith("/a"):
            raise PermissionError(errno.EACCES, "no", path)
        return scandir(path)

    monkeypatch.setattr(closed_files.os, "scandir", refuse)
    assert ClosedFiles((str(tmp_path),)).holds((tmp_path / "b" / "x").stat())


@pytest.mark.parametrize("most", [3, 4])
def test_so_many_names_are_looked_at_the_nearest_first(
    most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder with a file in it, and two files beside it."""
    (tmp_path / "f").mkdir()
    for name in ("near", "near2", "f/far"):
        (tmp_path / name).write_bytes(b"")
    monkeypatch.setattr(closed_files, "_MOST", most)
    files = ClosedFiles((str(tmp_path),))
    assert [files.holds((tmp_path / name).stat()) for name in ("near", "near2", "f/far")] == [True, True, most == 4]


@pytest.mark.parametrize(("took", "holds"), [(0.0, 1.0), (0.05, 1.0), (0.5, 5.0)])
def test_what_was_seen_holds_for_a_while(
    took: float, holds: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    times = iter([100.0, 100.0 + took, 100.0 + took + holds - 0.01, 100.0 + took + holds, 200.0])
    monkeypatch.setattr(time, "monotonic", lambda: next(times))
    files = ClosedFiles((str(tmp_path),))
    (tmp_path / "a").write_bytes(b"")
    assert files.holds((tmp_path / "a").stat())
    (tmp_path / "b").write_bytes(b"")
    assert not files.holds((tmp_path / "b").stat())
    assert files.holds((tmp_path / "b").stat())


def test_only_a_file_has_other_names(tmp_path: Path) -> None:
    (tmp_path / "f" / "g").mkdir(parents=True)
    (tmp_path / "a").write_bytes(b"")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "pipe2").hardlink_to(tmp_path / "pipe")
    assert not any(has_other_names((tmp_path / name).stat()) for name in ("a", "f", "pipe"))
    (tmp_path / "b").hardlink_to(tmp_path / "a")
    assert has_other_names((tmp_path / "a").stat())
    everything = Guard(lambda _: False, lambda _: True, lambda *_: False)
    refuse_closed_file("/f", (tmp_path / "f").stat(), everything)
    refuse_closed_file("/none", None, everything)
    refuse_closed_file("/a", (tmp_path / "a").stat(), OPEN)
    with pytest.raises(GateError):
        refuse_closed_file("/a", (tmp_path / "a").stat(), everything)


# --- decisions -------------------------------------------------------------------------------------------------------


def outside(path: str, kind: str | None = "file", resolved: str = "") -> Target:
    return Target(path, path, resolved or path, Place.TYPED_OUTSIDE, None, False, kind)


@pytest.mark.parametrize(
    ("grant", "path", "covered"),
    [
        (Grant("/o", False), "/o", True),
        (Grant("/o", False), "/o/a", True),
        (Grant("/o", False), "/o/a/b", False),
        (Grant("/o", False), "/", False),
        (Grant("/o", True), "/o", True),
        (Grant("/o", True), "/o/a/b", True),
        (Grant("/o", True), "/ox", False),
        (Grant("/", False), "/a", True),
        (Grant("/", False), "/a/b", False),
        (Grant("/", True), "/a/b", True),
    ],
)
def test_what_a_grant_covers(grant: Grant, path: str, covered: bool) -> None:
    assert grant.covers(outside(path)) is covered
    rules = ReadRules((Grant("/never", True), grant), frozenset(), "/home/u")
    assert isinstance(rules.decide(outside(path)), Allow if covered else Ask)


@pytest.mark.parametrize("kind", ["file", "directory", None])
@pytest.mark.parametrize("let", [False, True])
def test_what_holds_a_secret_is_closed_until_it_is_let_through(kind: str | None, let: bool) -> None:
    rules = ReadRules((), frozenset(["/w/a"] if let else []), "/home/u", frozenset(["/w/a"]))
    hidden = rules.decide_asked(Target("a", "/w/a", "/w/a", Place.INSIDE, None, False, kind))
    assert isinstance(hidden, Allow if let or kind == "directory" else Deny)
    assert isinstance(rules.decide(Target("b", "/w/b", "/w/b", Place.INSIDE, None, False, kind)), Allow)


# --- opening ---------------------------------------------------------------------------------------------------------


class Calls:
    """A system that answers as told; it counts."""

    def __init__(self, *errors: int, then: int = 0) -> None:
        self.errors, self.then, self.count = list(errors), then, 0

    def syscall(self, *_: object) -> int:
        self.count += 1
        if not self.errors:
            return self.then
        ctypes.set_errno(self.errors.pop(0))
        return -1


BUSY, BROKEN_OFF = errno.EAGAIN, errno.EINTR
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="openat2 is Linux")


@LINUX
@pytest.mark.parametrize(
    ("errors", "count", "told"),
    [
        ([], 1, None),
        ([BROKEN_OFF] * 50, 51, None),
        ([BUSY] * 19, 20, None),
        ([BUSY] * 50, 20, BUSY),
        ([errno.ENOENT], 1, errno.ENOENT),
        ([BUSY, errno.ELOOP], 2, errno.ELOOP),
    ],
)
def test_a_busy_system_is_asked_so_often(
    errors: list[int], count: int, told: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = Calls(*errors)
    monkeypatch.setattr(handles, "_libc", lambda: calls)
    monkeypatch.setitem(handles._state, "openat2", True)
    found: int | None = None
    try:
        assert open_beneath(0, "a", FILE_FLAGS) == 0
    except OSError as error:
        found = error.errno
    assert (found, calls.count) == (told, count)
    assert handles._state["openat2"]


@LINUX
@pytest.mark.parametrize("openat2", [True, False])
def test_another_disk_is_opened_by_its_own_path(openat2: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(handles._state, "openat2", openat2)
    with open_file("/proc/version", OPEN) as file:
        assert file.read(5) == b"Linux"
    with open_folder("/proc", OPEN) as folder:
        assert folder.path == "/proc"


def test_an_entry_that_cannot_be_looked_at_is_an_odd_one() -> None:
    class Gone:
        def is_symlink(self) -> bool:
            raise OSError(errno.EIO, "io")

        def stat(self, follow_symlinks: bool = True) -> os.stat_result:
            raise OSError(errno.EIO, "io")

    item: os.DirEntry[str] = Gone()  # type: ignore[assignment]
    assert (handles._kind_of(item), handles._stat_of(item)) == ("other", None)
