"""When something is still what it was: seen on real files, with and without the hash of their bytes."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from metona_tk.operations import states
from metona_tk.operations.states import holds_same, is_exactly, is_same_thing
from metona_tk.protocol.changes import NOTHING
from tests.fakes.changes import look

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="links and pipes are POSIX")
WHEN = 10**18


def put(path: Path, content: bytes = b"old bytes", when: int = WHEN) -> Path:
    path.write_bytes(content)
    os.utime(path, ns=(when, when))
    return path


@POSIX
@pytest.mark.parametrize("digest", [False, True])
def test_every_kind_is_told(digest: bool, tmp_path: Path) -> None:
    put(tmp_path / "file")
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("folder")
    os.mkfifo(tmp_path / "pipe")
    kinds = {"file": "file", "folder": "directory", "link": "symlink", "pipe": "other", "nothing": "none"}
    seen = {name: look(tmp_path / name, digest) for name in kinds}
    assert {name: state.kind for name, state in seen.items()} == kinds
    assert {name: state.target for name, state in seen.items() if state.target} == {"link": "folder"}
    assert {name for name, state in seen.items() if state.digest} == ({"file", "folder"} if digest else set())
    assert (seen["file"].size, seen["folder"].size) == (9, 0)
    assert seen["nothing"] == NOTHING


def test_the_bytes_of_a_file_that_is_too_large_are_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(states, "MOST_HASHED", 10)
    fits, larger = look(put(tmp_path / "a", b"0123456789")), look(put(tmp_path / "b", b"0123456789+"))
    assert fits.digest == hashlib.sha256(b"0123456789").hexdigest()
    assert (larger.digest, larger.size) == ("", 11)
    assert look(tmp_path / "a", False).digest == ""


def test_the_hash_is_of_all_bytes_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(states, "_BLOCK", 4)
    path = put(tmp_path / "a", b"0123456789")
    fd = os.open(path, os.O_RDONLY)
    os.lseek(fd, 3, os.SEEK_SET)
    assert states.hash_open(fd) == look(path).digest == hashlib.sha256(b"0123456789").hexdigest()
    os.close(fd)


# --- the very thing --------------------------------------------------------------------------------------------------


def save_anew(path: Path) -> None:
    """The same bytes, size and time in another file."""
    put(path.with_name("other"), path.read_bytes())
    os.replace(path.with_name("other"), path)


def touch(path: Path) -> None:
    os.utime(path, ns=(WHEN + 1, WHEN + 1))


def rewrite(path: Path) -> None:
    put(path, b"new bytes")


def grow(path: Path) -> None:
    put(path, b"old bytes and more")


def grow_in_time(path: Path) -> None:
    """Even where its times are set back."""
    with path.open("ab") as file:
        file.write(b"+")
    os.utime(path, ns=(WHEN, WHEN))


def nothing(path: Path) -> None:
    """Nobody does anything."""


def gone(path: Path) -> None:
    path.unlink()


def into_link(path: Path) -> None:
    path.unlink()
    path.symlink_to("old")


# (what somebody does, still the very thing with the bytes' hash, without it, still the thing, the same contents
# with the hash, without it)
DONE = [
    (nothing, True, True, True, True, True),
    (touch, True, False, True, True, False),
    (rewrite, False, False, True, False, True),
    (grow, False, False, True, False, False),
    (grow_in_time, False, False, True, False, False),
    (save_anew, False, False, False, True, True),
    (gone, False, False, False, False, False),
    pytest.param(into_link, False, False, False, False, False, marks=POSIX),
]


@pytest.mark.parametrize(("act", "exactly", "by_times", "thing", "contents", "contents_by_times"), DONE)
def test_a_file_is_still_what_it_was(
    act: Callable[[Path], None],
    exactly: bool,
    by_times: bool,
    thing: bool,
    contents: bool,
    contents_by_times: bool,
    tmp_path: Path,
) -> None:
    path = put(tmp_path / "a")
    hashed, plain = look(path), look(path, False)
    act(path)
    assert is_exactly(look(path), hashed) is exactly
    assert is_exactly(look(path, False), plain) is by_times
    assert is_exactly(look(path), plain) is by_times
    assert is_exactly(look(path, False), hashed) is by_times
    assert is_same_thing(look(path, False), hashed) is thing
    assert holds_same(look(path), hashed) is contents
    assert holds_same(look(path, False), plain) is contents_by_times
    assert holds_same(look(path), plain) is contents_by_times
    assert holds_same(look(path, False), hashed) is contents_by_times


def test_a_rewritten_file_whose_times_are_set_back_is_not_exactly_it(tmp_path: Path) -> None:
    path = put(tmp_path / "a")
    before = look(path, False)
    while look(path, False).changed_ns == before.changed_ns and sys.platform != "win32":
        rewrite(path)
    assert is_exactly(look(path, False), before) is (sys.platform == "win32")


def test_where_nothing_was_nothing_may_be(tmp_path: Path) -> None:
    for same in (is_exactly, is_same_thing, holds_same):
        assert same(look(tmp_path / "a"), NOTHING)
    put(tmp_path / "a")
    for same in (is_exactly, is_same_thing, holds_same):
        assert not same(look(tmp_path / "a"), NOTHING)


@POSIX
def test_a_link_is_known_by_where_it_leads(tmp_path: Path) -> None:
    path = tmp_path / "link"
    path.symlink_to("a")
    before = look(path)
    assert is_exactly(look(path), before) and is_same_thing(look(path), before) and holds_same(look(path), before)
    path.unlink()
    (tmp_path / "place").mkdir()  # takes the inode
    path.symlink_to("a")
    assert holds_same(look(path), before)
    assert not is_exactly(look(path), before)
    path.unlink()
    path.symlink_to("b")
    assert not is_exactly(look(path), before) and not holds_same(look(path), before)


def test_the_same_inode_on_another_disk_is_another_file(tmp_path: Path) -> None:
    before = look(put(tmp_path / "a"))
    elsewhere = replace(before, device=before.device + 1)
    assert not is_exactly(elsewhere, before)
    assert not is_same_thing(elsewhere, before)
    assert holds_same(elsewhere, before)


# --- folders ---------------------------------------------------------------------------------------------------------


def folder(tmp_path: Path) -> Path:
    made = tmp_path / "folder"
    (made / "deep" / "deeper").mkdir(parents=True)
    put(made / "a.txt")
    put(made / "deep" / "deeper" / "b.txt")
    if sys.platform != "win32":
        (made / "deep" / "link").symlink_to("a.txt")
    return made


def lead_elsewhere(made: Path) -> None:
    (made / "deep" / "link").unlink()
    (made / "deep" / "link").symlink_to("b.txt")


INSIDE = [
    lambda made: touch(made / "a.txt"),
    lambda made: grow_in_time(made / "deep" / "deeper" / "b.txt"),
    lambda made: save_anew(made / "deep" / "deeper" / "b.txt"),
    lambda made: put(made / "deep" / "new.txt"),
    lambda made: (made / "a.txt").unlink(),
    lambda made: (made / "deep" / "deeper" / "b.txt").rename(made / "deep" / "deeper" / "c.txt"),
    lambda made: (made / "deep" / "deeper").rename(made / "deeper"),
    lambda made: (made / "new").mkdir(),
    pytest.param(lead_elsewhere, marks=POSIX),
]


@pytest.mark.parametrize("act", INSIDE)
def test_a_folder_is_another_when_anything_below_it_is(act: Callable[[Path], object], tmp_path: Path) -> None:
    made = folder(tmp_path)
    before, plain = look(made), look(made, False)
    assert is_exactly(look(made), before) and holds_same(look(made), before)
    act(made)
    assert not is_exactly(look(made), before)
    assert is_same_thing(look(made), before)
    assert is_exactly(look(made, False), plain) and holds_same(look(made, False), plain)
