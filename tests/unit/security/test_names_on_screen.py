"""Which names are not what they look like, pair by pair: the one that deceives and its neighbour that does not."""

from __future__ import annotations

import os

import pytest

from metona_tk.security.change_policy import is_deceptive, may_hold_secrets
from metona_tk.security.deception import deceptive
from metona_tk.security.later import runs_later, tree_runs_later
from metona_tk.security.names import bad_path, fold
from metona_tk.security.paths import Place, Root, Target

PAIRS = [
    # (deceives, its kind, does not)
    ("a\u200db.txt", "invisible", "\u0915\u200d\u0937.txt"),
    ("\u0915\u200da.txt", "invisible", "\u0646\u200c\u0627.txt"),
    ("a\u200d.txt", "invisible", "\U0001f468\u200d\U0001f469.txt"),
    ("a\ufe0f.txt", "invisible", "\u2764\ufe0f.txt"),
    ("\U0001f468\u200d.txt", "invisible", "\u2764\ufe0f\u200d\U0001f525.txt"),
    ("a\u202eb.txt", "bidi", "\u05d0\u05d1.txt"),
    ("a\u061cb.txt", "bidi", "\u0600\u0661.txt"),
    ("a\x07b.txt", "control", "a b.txt"),
    ("\u4e2d\x07.txt", "control", "\u4e2d.txt"),
    ("a\u00a0b.txt", "blanks", "\u4e2d\u3000\u6587.txt"),
    ("a\u3000b.txt", "blanks", "\u4e2d\u3000b.txt"),
    ("\u4e2d\u3000", "blanks", "\u4e2d"),
    (" a.txt", "blanks", "a .txt"),
    ("a.txt ", "blanks", "a  b.txt"),
    ("a    b.txt", "blanks", "a   b.txt"),
    ("a  .exe", "blanks", "a  . exe"),
    ("a\u2044b.txt", "look_alike", "a-b.txt"),
    ("a\U0001d400.txt", "look_alike", "\u00e4.txt"),
    ("a\uff0etxt", "look_alike", "\u4e2d\uff0e\u6587.txt"),
    ("a\uff1ab.txt", "look_alike", "\uff11\uff1a\uff12.txt"),
    ("\u4e2d\u2024\u6587.txt", "look_alike", "\u4e2d\uff1atxt"),
    ("p\u0430ss.txt", "mixed_scripts", "\u043f\u0430\u0440\u043e\u043b\u044c.txt"),
    ("\u03b1bc.txt", "mixed_scripts", "\u0394T.txt"),
    ("\uff41bc.txt", "mixed_scripts", "\uff41\uff42.txt"),
    ("\u0261ood.txt", "mixed_scripts", "\u0261.txt"),
    ("a.\u0445\u0441", "look_alike", "a.\u0444\u0436"),
    ("a1\u0430.txt", "look_alike", "1\u0430.txt"),
    ("a\u0334b.txt", "marks", "a\u0301b.txt"),
    ("\u0301a.txt", "marks", "a\u0301\u0302\u0303.txt"),
    ("a\u0301\u0302\u0303\u0304.txt", "marks", "\u1000\u102d\u102f\u1037\u103a.txt"),
    ("a\ue000.txt", "invisible", "a\U0001f680.txt"),
    ("a\U000e0067.txt", "invisible", "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f.txt"),
]


@pytest.mark.parametrize(("name", "kind", "honest"), PAIRS, ids=[f"{name!a}" for name, _, _ in PAIRS])
def test_a_name_deceives_and_its_neighbour_does_not(name: str, kind: str, honest: str) -> None:
    assert deceptive(name) == kind
    assert deceptive(honest) is None
    for path in (f"{name}/a.txt", f"f/{name}", f"f\\{name}\\a.txt"):
        assert deceptive(path) == kind
    assert deceptive(f"{honest}/f/{honest}") is None


def test_words_of_different_scripts_stand_side_by_side() -> None:
    for name in (
        "report \u043e\u0442\u0447\u0451\u0442.txt",
        "\u4e2dA\u6587.txt",
        "a_\u0444\u0436.txt",
        "\u0436-a.txt",
    ):
        assert deceptive(name) is None
    assert deceptive("plain p\u0430ss") == deceptive("p\u0430ss plain") == deceptive("a p\u0430ss b") == "mixed_scripts"


# --- marks of a change -----------------------------------------------------------------------------------------------


def target(path: str, root: Root | None = None, lexical: str = "", typed: str = "") -> Target:
    return Target(typed or path, lexical or path, path, Place.INSIDE, root, False, "file")


def test_the_name_of_a_root_is_the_users_own_in_each_spelling() -> None:
    root = Root("/given p\u0430ss", "/real p\u0430ss")
    for path in ("/real p\u0430ss/a", "/real p\u0430ss", "/given p\u0430ss/a"):
        assert not is_deceptive(target(path, root))
    for path in ("/real p\u0430ss/p\u0430ss", "/real p\u0430ssa/a", "/given p\u0430ss/p\u0430ss"):
        assert is_deceptive(target(path, root))
    assert is_deceptive(target("/real p\u0430ss/a"))
    assert is_deceptive(target("/x/a", None, "/x/p\u0430ss"))
    assert is_deceptive(target("/x/a", None, "/x/a", "p\u0430ss/../a"))
    assert is_deceptive(target("/x"), ["a", "in/p\u0430ss"]) and not is_deceptive(target("/x"), ["a", "b"])
    assert not is_deceptive(target("/p\u0430ss/a", Root("/", os.sep + "p\u0430ss")))


def test_a_tree_holds_secrets_by_the_names_of_its_files() -> None:
    plain = target("/x/a")
    assert not may_hold_secrets(plain, ["b", "id_rsa/b"])
    assert may_hold_secrets(plain, ["b", "in/id_rsa"]) and may_hold_secrets(plain, ["in\\id_rsa"])
    assert may_hold_secrets(target("/x/id_rsa")) and not may_hold_secrets(target("/x/id_rsa"), [], folder=True)
    assert may_hold_secrets(target("/x/a", None, "/x/id_rsa"))


# --- what runs later -------------------------------------------------------------------------------------------------

SHORT = {
    "git~1/config": "git",
    "GIT~1/hooks/x": "git",
    "git~12/x": "git",
    "git~1234/x": None,
    "gi~1/x": None,
    "git/x": None,
    "gi1a2b~1/x": "git",
    "gi1a2b~12/x": None,
    "gi1a2~1/x": None,
    "x.git/config": "git",
    "x.git/hooks": "git",
    "x.git/hooks/a": "git",
    "x.git/other": None,
    "x.git": None,
    "x/config": None,
    ".git/x": "git",
    "a~1": None,
    "": None,
}


@pytest.mark.parametrize("path", SHORT, ids=str)
def test_folders_of_a_repository_are_known_by_each_of_their_names(path: str) -> None:
    assert runs_later(path) == SHORT[path]
    assert runs_later(path.split("/") if path else []) == SHORT[path]


def test_a_place_needs_all_of_its_parts() -> None:
    for path in ("/x/.local/share/applications/a", ".local/share/applications", "a/.LOCAL/share/Applications"):
        assert runs_later(path) == "autostart"
    for path in (".local", ".local/share", ".local/share/other", ".local/other/applications", "share/applications"):
        assert runs_later(path) is None
    assert runs_later("/home/anybody/bin/a") == runs_later("/home/anybody/bin") == "shell"
    assert runs_later("/home/anybody/b/bin") is None and runs_later("/home") is None
    assert tree_runs_later("/x", ["a", ".local/share/applications/a"]) == "autostart"
    assert tree_runs_later("/x", ["a", ".local/share/a"]) is None
    assert tree_runs_later("/x/.local/share/applications", []) == "autostart"
    assert tree_runs_later("/x/.local", ["share/applications/a"]) == "autostart"


# --- what can be a name ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("platform", "usable"), [("linux", False), ("darwin", False), ("win32", True)])
def test_a_backslash_divides_names_only_on_windows(platform: str, usable: bool) -> None:
    assert (bad_path("a" * 200 + "\\" + "b" * 200, platform) is None) is usable
    assert bad_path("a" * 200 + "/" + "b" * 200, platform) is None
    assert bad_path("a" * 256, platform) is not None and bad_path("a" * 255, platform) is None


@pytest.mark.parametrize("text", ["", " ", "\t\n", "a\0b", "\ud800", "\udfff", "a\udcffb", "http://h/a", "x/" * 5000])
def test_what_is_no_path_on_any_system(text: str) -> None:
    for platform in ("linux", "darwin", "win32"):
        assert bad_path(text, platform) is not None


@pytest.mark.parametrize("text", ["a", " a", "\ud7ff", "\ue000", "a:b", "http:", "file", "~", ".", "x/" * 400])
def test_what_is_a_path(text: str) -> None:
    assert bad_path(text, "linux") is None
    assert fold(fold(text)) == fold(text)
