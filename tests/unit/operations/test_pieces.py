"""Each piece that changes are made of keeps its own promise: one name, the store, what is kept, owners."""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from metona_tk.operations import entries, metadata, store
from metona_tk.operations.contents import tree_contents
from metona_tk.operations.entries import Inner
from metona_tk.operations.failures import ChangedSince
from metona_tk.operations.saving import Saver
from metona_tk.operations.steps import Step, StepKind
from metona_tk.operations.store import Store
from tests.fakes.changes import look, tree

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links, modes and descriptors are POSIX")


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Inner]:
    opened = Inner(str(tmp_path), os.open(tmp_path, os.O_RDONLY))
    yield opened
    opened.close()


# --- one name --------------------------------------------------------------------------------------------------------


def test_a_file_that_appears_after_the_last_look_stays(here: Inner, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the system has no rename that never replaces."""
    old, new = Path(here.path) / "old", Path(here.path) / "new"
    old.write_bytes(b"mine")
    seen = old.lstat()

    def then_somebody_saves(_: object, name: str) -> os.stat_result | None:
        new.write_bytes(b"theirs")
        return seen if name == "old" else None

    monkeypatch.setattr(entries, "_rename_with_flags", None)
    monkeypatch.setattr(entries, "lstat", then_somebody_saves)
    with pytest.raises(FileExistsError):
        entries.rename_new(here, "old", here, "new")
    assert (old.read_bytes(), new.read_bytes()) == (b"mine", b"theirs")


@pytest.mark.parametrize("taken", [False, True])
def test_where_there_are_no_hard_links_a_file_is_renamed(
    taken: bool, here: Inner, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(errno.EPERM, "no hard links")

    monkeypatch.setattr(entries, "_rename_with_flags", None)
    monkeypatch.setattr(entries.os, "link", refuse)
    old, new = Path(here.path) / "old", Path(here.path) / "new"
    old.write_bytes(b"mine")
    if taken:
        new.write_bytes(b"theirs")
        with pytest.raises(FileExistsError):
            entries.rename_new(here, "old", here, "new")
        assert (old.read_bytes(), new.read_bytes()) == (b"mine", b"theirs")
    else:
        entries.rename_new(here, "old", here, "new")
        assert new.read_bytes() == b"mine" and not old.exists()


def test_a_link_is_made_as_anothers_without_following_it(here: Inner) -> None:
    entries.symlink("nowhere", here, "link", (os.getuid(), os.getgid()))
    entries.symlink("nowhere", here, "plain")
    for name in ("link", "plain"):
        assert entries.readlink(here, name) == "nowhere"
        found = entries.lstat(here, name)
        assert found is not None and stat.S_ISLNK(found.st_mode)
    assert entries.lstat(here, "nowhere") is None


def test_only_a_regular_file_is_opened_and_only_a_new_one_made(here: Inner) -> None:
    top = Path(here.path)
    (top / "f").mkdir()
    (top / "a").write_bytes(b"a")
    (top / "to a").symlink_to("a")
    (top / "to f").symlink_to("f")
    os.mkfifo(top / "pipe")
    before = len(os.listdir("/dev/fd"))
    for name in ("f", "to a", "pipe", "none"):
        with pytest.raises(OSError):
            entries.open_read(here, name)
    for name in ("a", "to f", "none"):
        with pytest.raises(OSError):
            entries.below(here, name)
    for name in ("a", "f", "to a"):
        with pytest.raises(FileExistsError):
            entries.open_new(here, name, 0o600)
    assert len(os.listdir("/dev/fd")) <= before
    assert entries.names_in(here) == ["a", "f", "pipe", "to a", "to f"]


@pytest.mark.skipif(sys.platform != "linux", reason="leases are Linux")
@pytest.mark.parametrize(("number", "told"), [(errno.EAGAIN, True), (errno.EACCES, False), (errno.EINVAL, False)])
def test_only_a_refused_lease_tells_of_a_writer(
    number: int, told: bool, here: Inner, monkeypatch: pytest.MonkeyPatch
) -> None:
    (Path(here.path) / "a").write_bytes(b"a")
    assert not entries.has_writer(here, "a")

    def refuse(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(entries.fcntl, "fcntl", refuse)
    assert entries.has_writer(here, "a") is told


# --- the store -------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform != "linux", reason="syncfs is Linux")
@pytest.mark.parametrize(("count", "can", "at_once"), [(16, True, False), (17, True, True), (17, False, False)])
def test_many_objects_are_waited_for_at_once(
    count: int, can: bool, at_once: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, waited, sync = Store(tmp_path), list[int](), os.fsync

    def note(fd: int) -> None:
        waited.append(os.fstat(fd).st_ino)
        sync(fd)

    kept.put(b"makes the folders")
    monkeypatch.setattr(store.os, "fsync", note)
    monkeypatch.setattr(store, "sync_disk_of", lambda _: can)
    with kept.together():
        digests = [kept.put(b"%d" % number) for number in range(count)]
        kept.put(b"0")
        assert waited == []
    inodes = {(tmp_path / "objects" / digest[:2] / digest[2:]).stat().st_ino for digest in digests}
    folders = {(tmp_path / "objects" / digest[:2]).stat().st_ino for digest in digests}
    assert set(waited) == (set() if at_once else inodes | folders)
    waited.clear()
    alone = kept.put(b"alone")
    assert set(waited) >= {(tmp_path / "objects" / alone[:2]).stat().st_ino}
    assert len(waited) == 2
    names = {path.name for path in (tmp_path / "objects").iterdir()}
    assert names == {f"{number:02x}" for number in range(256)}


@pytest.mark.skipif(sys.platform != "linux", reason="syncfs is Linux")
def test_a_disk_is_waited_for(tmp_path: Path) -> None:
    assert store.sync_disk_of(tmp_path) is True


def test_an_object_that_comes_again_is_young_again(tmp_path: Path) -> None:
    kept = Store(tmp_path)
    digest = kept.put(b"old")
    place = tmp_path / "objects" / digest[:2] / digest[2:]
    os.utime(place, (1, 1))
    assert kept.age(digest) > 10**6
    before = place.stat().st_ino
    assert kept.put(b"old") == digest
    assert kept.age(digest) < 10**6 and place.stat().st_ino == before
    assert kept.sizes() == {digest: 3} and list((tmp_path / "incoming").iterdir()) == []
    (tmp_path / "incoming" / "half").write_bytes(b"")
    kept.tidy_incoming()
    assert list((tmp_path / "incoming").iterdir()) == []
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    for each in (tmp_path / "objects", tmp_path / "incoming", place.parent):
        assert stat.S_IMODE(each.stat().st_mode) == 0o700


# --- what is kept ----------------------------------------------------------------------------------------------------


def plant(top: Path) -> None:
    (top / "f" / "in" / "deep").mkdir(parents=True)
    (top / "f" / "a").write_bytes(b"a")
    (top / "f" / "in" / "b").write_bytes(b"bb")
    (top / "f" / "in" / "deep" / "b").write_bytes(b"bbb")
    (top / "f" / "in2").mkdir(mode=0o750)
    (top / "f" / "link").symlink_to("nowhere")
    (top / "f" / "in").chmod(0o750)


def test_a_folder_comes_back_as_it_was_kept(here: Inner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(tmp_path)
    saver = Saver(Store(tmp_path / "store"))
    before, state, inside = tree(tmp_path / "f"), look(tmp_path / "f"), tree_contents(here, "f")
    saved = saver.save(here, "f", state, True)
    assert saved.owner == (os.getuid(), os.lstat(tmp_path / "f").st_gid)
    assert saver.contents(saved) == inside != ""
    assert len(saver.objects_in(saved)) == 4
    assert len(saver.needed_by([Step(StepKind.DELETE, "a", saved=saved), Step(StepKind.DELETE, "a")])) == 4
    saver.make(saved, here, "made", "temp")
    assert tree(tmp_path / "made") == before
    assert look(tmp_path / "made", False).modified_ns == state.modified_ns
    with pytest.raises(FileExistsError):
        saver.make(saved, here, "f", "temp")
    assert not (tmp_path / "temp").exists()
    (tmp_path / "f").chmod(0o755)
    saver.settle(replace(saved, state=replace(state, mode=0o040)), here, "f")
    assert stat.S_IMODE((tmp_path / "f").stat().st_mode) == 0o740
    saver.check(saved)
    saver.store.remove(saver.objects_in(saved)[-1])
    with pytest.raises(FileNotFoundError):
        saver.check(saved)


def test_what_is_too_large_is_kept_without_bytes(here: Inner, tmp_path: Path) -> None:
    plant(tmp_path)
    (tmp_path / "a").write_bytes(b"a")
    saver = Saver(Store(tmp_path / "store"))
    for name in ("f", "a"):
        saved = saver.save(here, name, look(tmp_path / name), False)
        assert (saved.content, saver.objects_in(saved), saver.contents(saved)) == ("", [], "")
    assert saver.store.sizes() == {}
    file = saver.save(here, "a", look(tmp_path / "a"), True)
    assert saver.objects_in(file) == [file.content] and saver.contents(file) == ""
    saver.make(file, here, "made", "temp")
    assert look(tmp_path / "made", False).modified_ns == file.state.modified_ns


@pytest.mark.parametrize("spoil", ["device", "inode", "digest"])
def test_only_what_was_meant_is_kept(spoil: str, here: Inner, tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"a")
    saver, state = Saver(Store(tmp_path / "store")), look(tmp_path / "a")
    spoiled: dict[str, Any] = {"device": state.device + 1, "inode": state.inode + 1, "digest": "0" * 64}
    with pytest.raises(ChangedSince):
        saver.save(here, "a", replace(state, **{spoil: spoiled[spoil]}), True)
    assert saver.save(here, "a", replace(state, digest=""), True).content == state.digest


def test_an_owner_is_given_only_where_it_is_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[tuple[int, int]] = []

    def refuse(_: int, owner: int, group: int) -> None:
        given.append((owner, group))
        raise PermissionError(errno.EPERM, "not yours")

    monkeypatch.setattr(metadata.os, "fchown", refuse)
    with (tmp_path / "a").open("wb") as file:
        found = os.fstat(file.fileno())
        own = (found.st_uid, found.st_gid)
        for wanted in (own, (own[0] + 1, own[1]), (own[0], own[1] + 1)):
            metadata.give_owner(file.fileno(), *wanted)
    assert given == [(own[0] + 1, own[1]), (own[0], own[1] + 1)]
