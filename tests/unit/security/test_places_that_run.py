"""Names and places that run later, one step beside each of them what does not; and what arrives in a closed place."""

from __future__ import annotations

from dataclasses import replace

import pytest

from metona_tk.security.change_policy import (
    Act,
    closed_by_arrival,
    closed_inside,
    does_run_later,
    fact_of,
    is_deceptive,
    is_rooted,
    may_hold_secrets,
)
from metona_tk.security.later import runs_later
from metona_tk.security.paths import Place, Root, Target
from tests.unit.security.somewhere import gate, posix, target

KINDS = {
    # repositories without a working folder
    "x/repo.git/config": "git", "x/y/repo.git/config": "git", "x/repo.git/hooks": "git", "x/repo.git/hooks/any": "git",
    "repo.git/config": "git", "repo.git/x/config": None, "config/repo.git": None, "config/repo.git/x": None,
    "hooks/repo.git/x.txt": None, "x/repo.git": None, "x/repo.git/description": None, "x/repo.gits/config": None,
    "repo.git/config/x.txt": "git", "repo.git/configs": None,
    # short names of Windows: six letters and a number, or two and a hash
    "gitcon~1": "git", "gitcon~12": "git", "gitcon~123": "git", "gitcon~1234": None, "gitcon~": None, "gitco~1": None,
    "gitconf~1": None, "packag~1.jso": "build", "packag~1.js": None, "packag~1.txt": None, "packag~1": None,
    "makefi~1": None, "gnumak~1": "build", "head~1": None, "zsh~1": "shell", "gi1f2e~1": "git", "gi1f2~1": None,
    "gi1f2e~12": None, "gi1f2g~1": None, "pa1f2e~1.jso": "build", "pa1f2e~1.txt": None, "xgi1f2e~1": None,
    "vscode~1/x.txt": "editor", "a/vscode~1/x.txt": "editor", "sitecu~1.py": "python", "sitecu~1.px": None,
    # places of several folders
    "home/u/bin": "shell", "home/u/bin/x.txt": "shell", "home/u": None, "home": None, "home/u/v/bin": None,
    "home/u/go/bin/x": "shell", "home/u/go": None, "systemd": None, "systemd/user": "autostart", "systemd/x.txt": None,
    "a/systemd/user/x": "autostart", "start menu/programs": "autostart", "root/bin/x": "shell", "root/x/bin": None,
    # files count as the last part, folders as any
    ".bashrc/x.txt": None, "x/.bashrc": "shell", ".ssh/x.txt": "shell", "x/.ssh": "shell", "x.pth/y.txt": None,
}  # fmt: skip


@pytest.mark.parametrize("path", KINDS)
def test_a_place_is_told_from_the_one_beside_it(path: str) -> None:
    assert runs_later(path) == runs_later(f"/work/R/{path}") == KINDS[path]


def at(path: str, kind: str | None = "directory", other: str = "") -> Target:
    return target(path, kind=kind, lexical=other)


ARRIVING = [  # where something comes to, what is in it, which of these are links -> what closed place it would be
    ("/home/u", [".config"], [], None),
    ("/home/u", [".config/metona-tk"], [], Place.PRIVATE),
    ("/home/u", [".config/metona-tk/x"], [], Place.PRIVATE),
    ("/home/u", [".CONFIG/Metona-TK"], [], Place.PRIVATE),
    ("/home/u", [".config"], [".config"], Place.PRIVATE),
    ("/home/u", [".config", "x"], ["x"], None),
    ("/home/u", [], [""], Place.PRIVATE),
    ("/home/u", [], [], None),
    ("/home/u/.config", ["metona-tk"], [], Place.PRIVATE),
    ("/home/u/.config", ["metona"], [], None),
    ("/home/u/.config/metona-tk", ["x"], [""], None),
    ("/home/u", [".ssh"], [], Place.PROTECTED),
    ("/home/u", [".ssh/x", ".config/metona-tk/x"], [], Place.PRIVATE),
    ("/home/u/docs", [".ssh"], [""], None),
    ("/", ["etc/passwd"], [], Place.PROTECTED),
]


@posix
@pytest.mark.parametrize(("path", "names", "links", "kind"), ARRIVING)
def test_what_arrives_may_be_a_closed_place(path: str, names: list[str], links: list[str], kind: Place | None) -> None:
    assert closed_by_arrival(at(path), gate(), names, links) is kind
    for each in (at(path, other="/x/y"), at("/x/y", other=path)):
        assert closed_by_arrival(each, gate(), names, links) is kind
    for act in Act:
        brings = fact_of(act, at(path), gate(), names, links=links).brings
        assert brings is (kind if act in {Act.MOVE_TO, Act.COPY_TO} else None)


@posix
def test_a_mark_needs_only_one_spelling_and_one_name() -> None:
    for path, other in (("/home/u/.local", "/x"), ("/x", "/home/u/.local")):
        assert closed_inside(at(path, other=other), gate()) is Place.PROTECTED
    for path, other in (("/home/u", "/x"), ("/x", "/home/u")):
        assert closed_inside(at(path, other=other), gate()) is Place.PRIVATE
        assert is_rooted(at(path, other=other), gate())
    assert not is_rooted(at("/x"), gate()) and closed_inside(at("/x"), gate()) is None
    assert is_rooted(at("/HOME/U"), gate("darwin")) and not is_rooted(at("/HOME/U"), gate("linux"))
    assert does_run_later(at("/x"), ["a", ".git/x"]) and not does_run_later(at("/x"), ["a", "b"])
    assert is_deceptive(at("/x"), ["a", "b\u202e"]) and not is_deceptive(at("/x"), ["a", "b"])


@posix
def test_a_folder_holds_secrets_only_by_what_is_in_it() -> None:
    assert may_hold_secrets(at("/disk/work/.env"), folder=False)
    assert not may_hold_secrets(at("/disk/work/.env"), folder=True)
    assert may_hold_secrets(at("/disk/work/x"), ["a", "b/.env"], folder=True)
    assert may_hold_secrets(at("/disk/work/x"), ["a", "b\\.env"], folder=False)
    assert not may_hold_secrets(at("/disk/work/x"), [".env/a", "b"], folder=False)


@posix
def test_the_roots_own_name_is_left_out_of_what_is_judged() -> None:
    root = Root("/home/u/w\u0430y", "/disk/w\u0430y")
    inside = Target("x", "/home/u/w\u0430y/x", "/disk/w\u0430y/x", Place.INSIDE, root, False, None)
    assert not is_deceptive(inside)
    assert not is_deceptive(replace(inside, lexical="/home/u/w\u0430y", resolved="/disk/w\u0430y"))
    assert is_deceptive(replace(inside, root=None))
    assert is_deceptive(replace(inside, lexical="/home/u/w\u0430y/p\u0430y"))
    assert is_deceptive(replace(inside, lexical="/home/u/w\u0430yx"))
    assert is_deceptive(replace(inside, typed="p\u0430y"))
    slash = Target("a", "/a", "/a", Place.INSIDE, Root("/", "/"), False, None)
    assert not is_deceptive(slash) and is_deceptive(replace(slash, resolved="/p\u0430y"))
