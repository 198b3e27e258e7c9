"""Between the dialog and the deed something is changed, by chance: what is done is what was shown, or nothing is."""

from __future__ import annotations

import os
import random
import shutil
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from metona_tk.protocol.problems import Code
from metona_tk.protocol.values import Answer, Mode, Preview
from tests.fakes.changes import Tree, tree
from tests.fakes.tool_chat import ALLOW, ToolChat

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="facts of Linux")
SOAK = bool(os.environ.get("METONA_TK_SOAK"))
TRIES, SECONDS = (10_000, 1000.0) if SOAK else (10_000, 4.0)
NEW = ("file", b"new\n", 0o666, 0)
FILES = ("d/f.txt", "d/o.txt", "e/x.txt", "e/in/y.txt", "z/z.txt")


# --- what is called, and what it does to the tree --------------------------------------------------------------------


@dataclass(frozen=True)
class Call:
    """`subjects`: what the dialog is about. `effect` makes of the tree before the tree after."""

    tool: str
    arguments: dict[str, Any]
    subjects: tuple[str, ...]
    effect: Callable[[Tree], Tree]
    reads: bool = False


def with_bytes(path: str, make: Callable[[bytes], bytes]) -> Callable[[Tree], Tree]:
    return lambda before: before | {path: ("file", make(before[path][1]), *before[path][2:])}


def without(before: Tree, path: str) -> Tree:
    return {name: what for name, what in before.items() if name != path and not name.startswith(f"{path}/")}


def moved(source: str, path: str) -> Callable[[Tree], Tree]:
    def effect(before: Tree) -> Tree:
        gone = {name: what for name, what in before.items() if name == source or name.startswith(f"{source}/")}
        return without(before, source) | {path + name.removeprefix(source): what for name, what in gone.items()}

    return effect


def copied(source: str, path: str) -> Callable[[Tree], Tree]:
    def effect(before: Tree) -> Tree:
        there = {name: what for name, what in before.items() if name == source or name.startswith(f"{source}/")}
        taken = {path + name.removeprefix(source): what for name, what in there.items() if what[0] != "link"}
        made = {name: (("folder", 0o777) if what[0] == "folder" else what) for name, what in taken.items()}
        if path in before:  # the file that is there keeps its mode
            made[path] = (*made[path][:2], *before[path][2:])
        return before | made

    return effect


def added(*folders: str, file: str = "") -> Callable[[Tree], Tree]:
    made: Tree = {folder: ("folder", 0o777) for folder in folders}
    return lambda before: before | made | ({file: NEW} if file else {})


ON_F = ("d/f.txt",)
CALLS = {
    "create": Call("write_file", {"path": "d/n.txt", "content": "new\n"}, ("d/n.txt",), added(file="d/n.txt")),
    "create with folders": Call(
        "append_file", {"path": "n/m/n.txt", "content": "new\n"}, ("n", "n/m"), added("n", "n/m", file="n/m/n.txt")
    ),
    "write": Call(
        "write_file", {"path": "d/f.txt", "content": "new\n"}, ON_F, with_bytes("d/f.txt", lambda old: b"new\n"), True
    ),
    "append": Call(
        "append_file", {"path": "d/f.txt", "content": "new\n"}, ON_F, with_bytes("d/f.txt", lambda old: old + b"new\n")
    ),
    "edit": Call(
        "edit_file",
        {"path": "d/f.txt", "old_text": "of d", "new_text": "new"},
        ON_F,
        with_bytes("d/f.txt", lambda old: old.replace(b"of d", b"new")),
    ),
    "folder": Call("create_directory", {"path": "d/n"}, ("d/n",), added("d/n")),
    "move": Call("move_path", {"source": "d/f.txt", "destination": "d/n"}, (*ON_F, "d/n"), moved("d/f.txt", "d/n")),
    "move over": Call(
        "move_path",
        {"source": "d/f.txt", "destination": "d/o.txt", "overwrite": True},
        ("d/f.txt", "d/o.txt"),
        moved("d/f.txt", "d/o.txt"),
    ),
    "move a folder": Call("move_path", {"source": "e", "destination": "n"}, ("e", "n"), moved("e", "n")),
    "copy": Call("copy_path", {"source": "d/f.txt", "destination": "d/n"}, (*ON_F, "d/n"), copied("d/f.txt", "d/n")),
    "copy over": Call(
        "copy_path",
        {"source": "d/f.txt", "destination": "d/o.txt", "overwrite": True},
        ("d/f.txt", "d/o.txt"),
        copied("d/f.txt", "d/o.txt"),
    ),
    "copy a folder": Call("copy_path", {"source": "e", "destination": "n"}, ("e", "n"), copied("e", "n")),
    "delete": Call("delete_file", {"path": "d/f.txt"}, ON_F, lambda before: without(before, "d/f.txt")),
    "delete a link": Call("delete_file", {"path": "e/l"}, ("e/l",), lambda before: without(before, "e/l")),
    "delete a folder": Call(
        "delete_file", {"path": "e", "recursive": True}, ("e",), lambda before: without(before, "e")
    ),
}


# --- what is done outside, meanwhile ----------------------------------------------------------------------------------


def one_byte(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[-2] ^= 1
    path.write_bytes(content)


def one_byte_unseen(path: Path) -> None:
    at = path.stat()
    one_byte(path)
    os.utime(path, ns=(at.st_atime_ns, at.st_mtime_ns))


def same_again(path: Path) -> None:
    """The same bytes, mode and time as another file."""
    twin = path.with_name("twin")
    shutil.copy2(path, twin)
    os.replace(twin, path)


def other_mode(path: Path) -> None:
    path.chmod(path.stat().st_mode ^ 0o100)


def another_name(path: Path) -> None:
    os.link(path, path.with_name("another name"))


def to_link(path: Path) -> None:
    path.rename(path.with_name("aside"))
    path.symlink_to("aside")


def to_fifo(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def to_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def refilled(path: Path) -> None:
    """A folder of the same name with copies of all that was in it."""
    path.rename(path.with_name("aside"))
    shutil.copytree(path.with_name("aside"), path, symlinks=True)


def entry_added(path: Path) -> None:
    (path / "added").write_bytes(b"added")


def entry_lost(path: Path) -> None:
    (path / "in" / "y.txt").unlink()


def within(act: Callable[[Path], None]) -> Callable[[Path], None]:
    return lambda path: act(path / "in" / "y.txt")


ON_FILES: dict[str, Callable[[Path], None]] = {
    "a byte": one_byte,
    "a byte, time set back": one_byte_unseen,
    "another file with the same bytes": same_again,
    "mode": other_mode,
    "another name": another_name,
    "now a link": to_link,
    "now a FIFO": to_fifo,
    "now a folder": to_folder,
    "gone": Path.unlink,
    "touched": lambda path: os.utime(path, ns=(1, 1)),
}
ON_FOLDERS: dict[str, Callable[[Path], None]] = {
    "now a link to itself": to_link,
    "another folder": refilled,
    "gone": shutil.rmtree,
    "an entry added": entry_added,
    "an entry gone": entry_lost,
    "a byte in it": within(one_byte),
    "a byte in it, time set back": within(one_byte_unseen),
    "a mode in it": within(other_mode),
    "another file in it": within(same_again),
    "a link in it": within(to_link),
}
ON_NOTHING: dict[str, Callable[[Path], None]] = {
    "made": lambda path: path.write_bytes(b"made"),
    "made a folder": lambda path: path.mkdir(),
    "made a link": lambda path: path.symlink_to("nowhere"),
    "made a link out": lambda path: path.symlink_to("/tmp"),
}
ON_LINKS: dict[str, Callable[[Path], None]] = {
    "gone": Path.unlink,
    "another target": lambda path: (path.unlink(), path.symlink_to("in"))[0],
    "now a file": lambda path: (path.unlink(), path.write_bytes(b"made"))[0],
}
ON_PARENTS: dict[str, Callable[[Path], None]] = {
    "the parent is a link": to_link,
    "the parent is another": refilled,
    "the parent is gone": shutil.rmtree,
}


def acts_on(path: Path) -> dict[str, Callable[[Path], None]]:
    if path.is_symlink():
        return ON_LINKS
    if path.is_dir():
        return ON_FOLDERS
    return ON_FILES if path.exists() else ON_NOTHING if path.parent.exists() else {}


def something(rng: random.Random, root: Path, call: Call) -> tuple[str, Callable[[], object]]:
    """What happens while the dialog is open: mostly to what it shows, sometimes nothing or elsewhere."""
    chance = rng.random()
    if chance < 0.1:
        return "nothing", lambda: None
    if chance < 0.2:
        return "elsewhere", lambda: one_byte(root / "z" / "z.txt")
    subject = root / rng.choice(call.subjects)
    if chance < 0.35 and subject.parent != root and subject.parent.exists():
        name = rng.choice(list(ON_PARENTS))
        return name, lambda: ON_PARENTS[name](subject.parent)
    acts = acts_on(subject)
    if not acts:
        return "nothing", lambda: None
    name = rng.choice(list(acts))
    return name, lambda: acts[name](subject)


# --- the law ----------------------------------------------------------------------------------------------------------


def facts(root: Path, subjects: tuple[str, ...]) -> list[Any]:
    """What the dialog was about: what stands at its places, with all that is in them."""
    found: list[Any] = []
    for name in subjects:
        path = root / name
        for each in [path, *(sorted(path.rglob("*")) if path.is_dir() and not path.is_symlink() else ())]:
            if not os.path.lexists(each):
                found.append((str(each), None))
                continue
            at = each.lstat()
            links = 0 if each.is_dir() else at.st_nlink
            found.append((str(each), at.st_ino, at.st_mode, links, 0 if each.is_dir() else at.st_mtime_ns))
            if each.is_symlink():
                found.append(os.readlink(each))
            elif each.is_file():
                found.append(each.read_bytes())
    return found


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("work", "home"):
        (tmp_path / name).mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    return tmp_path


def fresh(root: Path) -> None:
    for name in FILES:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(f"text of {name}\n".encode())
    (root / "e" / "l").symlink_to("x.txt")


def at(arguments: dict[str, Any], root: Path) -> dict[str, Any]:
    paths = ("path", "source", "destination")
    return {key: f"{root.name}/{value}" if key in paths else value for key, value in arguments.items()}


@dataclass
class Tried:
    """One try: what was seen when the user had answered, and what came of the call."""

    before: list[Any]
    answered: tuple[Tree, list[Any]] | None = None


def attempt(chat: ToolChat, root: Path, call: Call, act: Callable[[], object]) -> tuple[Code | None, bool]:
    """The code of the call, and whether what was shown was still so. AssertionError where the law is broken."""

    def answer(preview: Preview) -> Answer:
        act()
        tried.answered = tree(root), facts(root, call.subjects)
        return ALLOW

    chat.answer = answer
    if call.reads:
        assert chat("read_file", path=f"{root.name}/d/f.txt").success
    tried = Tried(facts(root, call.subjects))
    result = chat(call.tool, **at(call.arguments, root))
    assert tried.answered is not None, result.error
    standing, shown = tried.answered
    same = shown == tried.before
    if result.success:
        assert same, "done although it is not what was shown"
        assert tree(root, times=False) == call.effect(untimed(standing)), "something else was done than shown"
    else:
        assert result.code is Code.CHANGED_SINCE_APPROVAL, (result.code, result.error)
        assert tree(root) == standing, "refused, and something changed all the same"
    return result.code, same


def untimed(found: Tree) -> Tree:
    return {name: (*what[:3], 0) if what[0] == "file" else what for name, what in found.items()}


@pytest.mark.timeout(1200)
def test_what_is_done_is_what_was_shown_or_nothing(place: Path) -> None:
    seed = random.randrange(1 << 32)
    rng, seen, until, tries = random.Random(seed), Counter[str](), time.monotonic() + SECONDS, 0
    before = os.umask(0)  # what is made has the modes that it was made with
    try:
        while tries < TRIES and time.monotonic() < until:
            if tries % 200 == 0:
                chat = ToolChat(place / "work", Mode.ALL)
            root = place / "work" / f"t{tries}"
            fresh(root)
            name = rng.choice(list(CALLS))
            told, act = something(rng, root, CALLS[name])
            try:
                code, same = attempt(chat, root, CALLS[name], act)
            except AssertionError as error:
                raise AssertionError(f"seed {seed}, try {tries}: {name}; {told}: {error}") from error
            assert code is None or told not in {"nothing", "elsewhere"}, (name, told)
            seen[f"{'done' if code is None else 'refused'}, {'as shown' if same else 'another'}"] += 1
            shutil.rmtree(root)
            shutil.rmtree(place / "home" / ".local", ignore_errors=True)
            tries += 1
    finally:
        os.umask(before)
    print(f"seed {seed}: {tries} tries: {dict(seen)}")
    assert seen["refused, another"] > seen["done, as shown"] > 0
    assert seen["done, another"] == 0
