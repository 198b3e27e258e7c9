"""Typed paths on systems with and without case, what they are shown as, and the places that are closed on them."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from metona_tk.security.names import folded_parts
from metona_tk.security.paths import GateError, PathGate, Place, make_root
from metona_tk.security.protected import Protected, protected_places

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="paths as POSIX has them")


def gate(tmp_path: Path, platform: str = "linux", more: tuple[str, ...] = ()) -> PathGate:
    work, home = tmp_path / "Work", tmp_path / "home"
    for each in (work, home, *(tmp_path / name for name in more)):
        each.mkdir(parents=True, exist_ok=True)
    roots = tuple(make_root(str(path)) for path in (work, *(tmp_path / name for name in more)))
    private = [home / ".config" / "metona-tk"]
    return PathGate(roots[0], roots, str(home), protected_places(str(home), platform, private), platform)


def test_only_the_users_own_home_is_written_with_a_tilde(tmp_path: Path) -> None:
    target = gate(tmp_path).target
    assert target("~").lexical == str(tmp_path / "home")
    assert target("~/a").lexical == str(tmp_path / "home" / "a")
    assert target("~a").lexical == str(tmp_path / "Work" / "~a")
    assert target("a~/b").lexical == str(tmp_path / "Work" / "a~" / "b")
    assert target("~\\a").lexical == str(tmp_path / "Work" / "~\\a")


@pytest.mark.parametrize(("platform", "place"), [("linux", Place.TYPED_OUTSIDE), ("darwin", Place.INSIDE)])
def test_case_divides_folders_only_where_the_system_does_so(platform: str, place: Place, tmp_path: Path) -> None:
    known = gate(tmp_path, platform)
    found = known.target(str(tmp_path / "WORK" / "a.txt"))
    assert found.place is place
    assert (found.root is not None) is (place is Place.INSIDE)
    assert known.target(str(tmp_path / "Work" / "a.txt")).place is Place.INSIDE


def test_the_innermost_root_counts(tmp_path: Path) -> None:
    known = gate(tmp_path, more=("Work/in", "other"))
    for typed, root in (("a", "Work"), ("in/a", "Work/in"), ("../other/a", "other")):
        found = known.target(typed)
        assert found.root is not None and found.root.real == str(tmp_path / root)
    assert known.target("../else").root is None


def test_what_is_there_is_told_by_kind(tmp_path: Path) -> None:
    known, work = gate(tmp_path), tmp_path / "Work"
    (work / "a.txt").touch()
    (work / "f").mkdir()
    (work / "link").symlink_to("a.txt")
    os.mkfifo(work / "pipe")
    for name, kind in {"a.txt": "file", "f": "directory", "link": "file", "pipe": "other", "no": None}.items():
        assert known.target(name).kind == kind
    itself = known.target("link", follow=False)
    assert (itself.kind, itself.resolved) == ("symlink", str(work / "link"))
    assert known.target("link").resolved == str(work / "a.txt")


def test_links_in_a_circle_are_told(tmp_path: Path) -> None:
    known, work = gate(tmp_path), tmp_path / "Work"
    (work / "a").symlink_to("b")
    (work / "b").symlink_to("a")
    assert known.target("a").loop and known.target("a/c").loop
    assert not known.target("a", follow=False).loop
    assert known.target("a/c", follow=False).loop
    assert not known.target("c").loop


def test_a_link_that_leaves_the_folder_is_no_way_out(tmp_path: Path) -> None:
    known, work = gate(tmp_path, more=("other",)), tmp_path / "Work"
    (tmp_path / "out").mkdir()
    (work / "out").symlink_to("../out")
    (work / "other").symlink_to("../other")
    assert known.target("out/a").place is Place.ESCAPED
    assert known.target("other/a").place is Place.INSIDE
    assert known.target("../out/a").place is Place.TYPED_OUTSIDE
    assert known.target("/proc/self/cwd/a").place is Place.PROTECTED
    assert known.target("/process/a").place is Place.TYPED_OUTSIDE


def test_a_path_is_shown_as_short_as_it_can_be(tmp_path: Path) -> None:
    known = gate(tmp_path)
    work = str(tmp_path / "Work")
    for path, shown in ((f"{work}/f/a.txt", "f/a.txt"), (work, "."), (f"{work}x/a", f"{work}x/a"), ("/", "/")):
        assert known.shown(path) == shown
    assert gate(tmp_path, "darwin").shown(str(tmp_path / "WORK" / "a")) == str(tmp_path / "WORK" / "a")


def test_a_path_that_cannot_be_is_shown_and_cut(tmp_path: Path) -> None:
    known = gate(tmp_path)
    for length, shown in ((60, "x" * 54 + "http:/"), (61, None)):
        with pytest.raises(GateError) as error:
            known.target("http://" + "x" * (length - 7))
        assert ("..." in error.value.text) is (shown is None)
        assert len(error.value.text) < 200


# --- closed places ---------------------------------------------------------------------------------------------------


def closed(tmp_path: Path) -> Protected:
    home = tmp_path / "home"
    (home / ".ssh").mkdir(parents=True)
    (home / "data").mkdir()
    (home / "mine").mkdir()
    return protected_places(str(home), "linux", [home / "data"], ["~/mine", "", str(tmp_path / "also")])


def test_each_kind_of_closed_place_is_known(tmp_path: Path) -> None:
    known, home = closed(tmp_path), str(tmp_path / "home")
    for path in (f"{home}/.ssh/id", f"{home}/.SSH", f"{home}/mine/a", f"{tmp_path}/also", "/etc/a", "/proc/1", "/usr"):
        assert known.is_protected(folded_parts(path)), path
    for path in (home, f"{home}/.sshd", f"{home}/data", f"{tmp_path}/alsox", "/", "/etcetera", "/run/a", "/var"):
        assert not known.is_protected(folded_parts(path)), path
    assert known.is_private(folded_parts(f"{home}/data/x/y")) and known.is_private(folded_parts(f"{home}/data"))
    assert not known.is_private(folded_parts(home)) and not known.is_private(folded_parts(f"{home}/database"))


def test_a_closed_thing_is_closed_under_every_name(tmp_path: Path) -> None:
    known, home = closed(tmp_path), tmp_path / "home"
    (home / ".ssh" / "id").write_text("key")
    (home / "data" / "store").write_text("store")
    (tmp_path / "id").hardlink_to(home / ".ssh" / "id")
    (tmp_path / "store").hardlink_to(home / "data" / "store")
    (tmp_path / "open").write_text("open")
    for path in (tmp_path / "id", tmp_path / "store", home / ".ssh", home / "data", home / "mine"):
        assert known.is_closed_identity(path.stat()), path
    for path in (tmp_path / "open", home, tmp_path):
        assert not known.is_closed_identity(path.stat()), path
    there = known.identities()
    for path in (home / ".ssh", home / "data", home / "mine"):
        assert (path.stat().st_dev, path.stat().st_ino) in there
    assert (home.stat().st_dev, home.stat().st_ino) not in there


def test_a_closed_folder_of_many_files_is_looked_at_so_far(tmp_path: Path) -> None:
    """Every call would wait for a folder of millions else."""
    known, ssh = closed(tmp_path), tmp_path / "home" / ".ssh"
    for number in range(499):
        (ssh / str(number)).touch()
    (tmp_path / "last").hardlink_to(ssh / "498")
    for path in ssh.iterdir():
        assert known.is_closed_identity(path.stat())
    assert known.is_closed_identity((tmp_path / "last").stat())


def test_walks_are_told_what_to_leave_out(tmp_path: Path) -> None:
    known, home = closed(tmp_path), str(tmp_path / "home")
    below = known.below(folded_parts(home))
    assert {(".ssh",), ("data",), ("mine",), (".config", "gh")} <= set(below)
    assert not any(part in {"etc", "also"} for part, *_ in below)
    assert known.below(folded_parts(f"{home}/.ssh")) == ()
    assert ("ssh",) not in known.below(folded_parts(f"{home}/."))
    assert ("also",) in known.below(folded_parts(str(tmp_path)))
    assert ("etc",) in known.below(())


def test_a_home_in_a_system_folder_is_open_but_not_its_closed_folders() -> None:
    known = protected_places("/root", "linux", [])
    assert not known.is_protected(("root", "work"))
    assert known.is_protected(("root", ".ssh"))
    assert known.is_protected(("etc",))
    nested = protected_places("/etc/home", "linux", [])
    assert nested.is_protected(("etc", "passwd")) and not nested.is_protected(("etc", "home", "a"))
