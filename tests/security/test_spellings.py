"""Spellings of Windows and macOS, by the parts that any system can show (rows of the table of cases)."""

from __future__ import annotations

import os

import pytest

from metona_tk.security.later import runs_later
from metona_tk.security.names import bad_path, folded_parts
from metona_tk.security.protected import protected_places

WINDOWS_BAD = [
    "a.txt::$DATA",
    "C:\\x\\a.txt:stream",
    "NUL",
    "con.txt",
    "COM1",
    "COM¹",
    "com².txt",
    "lpt3.a.b",
    "aux .md",
    "CONIN$",
    "x\\prn\\y",
    "C:\\nul",
    "a.txt.",
    "a.txt ",
    "x. \\y",
    "...",
    "\\\\evil\\share\\x",
    "//evil/share/x",
    "\\/evil/x",
    "/\\evil/x",
    "\\\\?\\C:\\x",
    "\\\\.\\PhysicalDrive0",
    "//?/C:/x",
    "\\??\\C:\\x",
    "C:a.txt",
    "C:",
    "\\a.txt",
    "/a.txt",
    "a\tb",
    "a<b",
    "a|b",
    "a?b",
    'a"b',
    "file:///C:/x",
]


@pytest.mark.parametrize("text", WINDOWS_BAD)
def test_windows_path_is_refused_without_a_system_call(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("stat", "lstat", "readlink", "open"):
        monkeypatch.setattr(os, name, lambda *args, **kwargs: pytest.fail("the system was asked"))
    assert bad_path(text, "win32")


@pytest.mark.parametrize("text", ["a.txt", "x\\y\\z.md", "C:\\x\\y", "c:/x", "..\\x", ".\\.\\x", "console.md", "com10"])
def test_windows_path_is_taken(text: str) -> None:
    assert bad_path(text, "win32") is None


@pytest.mark.parametrize(
    "path",
    [
        "/Users/u/.ssh/config",
        "/Users/u/.SSH/config",
        "/Users/u/.\u017fsh/config",
        "/Users/u/.s\u200bsh/config",
        "/Users/u/\uff0essh/config",
        "/Users/u/.ssh\u00ad",
        "/Users/u/library/keychains/login.keychain-db",
        "/private/etc/passwd",
        "/ETC/passwd",
        "/System/Library",
    ],
)
def test_macos_spellings_of_protected_places(path: str) -> None:
    assert protected_places("/Users/u", "darwin", ()).is_protected(folded_parts(path))


def test_macos_composed_and_decomposed_names_are_one() -> None:
    places_ = protected_places("/Users/u", "darwin", (), ["/Users/u/Priv\u00e9"])
    assert places_.is_protected(folded_parts("/Users/u/Prive\u0301/x"))
    assert not places_.is_protected(folded_parts("/Users/u/Prive/x"))


RUNS_LATER = ["/.git/hooks/pre-commit", "/.git/config", "/.git", "/.vscode/tasks.json", "/.envrc", "/sub/Makefile"]


@pytest.mark.parametrize("path", RUNS_LATER)
def test_spellings_of_what_runs_later(path: str) -> None:
    head, name = path.rsplit("/", 1)
    folders = head.replace("/.g", "/.G").replace("/.v", "/.\u200bV")
    wide = path.replace(".", "\uff0e")
    spelled = [
        path.upper(),
        path + ".",
        path + " ",
        f"{folders}/{name[0]}\u00ad{name[1:]}",
        wide,
        path.replace("/", "\\"),
    ]
    for each in spelled:
        assert runs_later("C:/R" + each), ascii(each)
        assert runs_later("/home/u/R" + each), ascii(each)


@pytest.mark.parametrize("name", ["git~1", "GIT~1", "VSCODE~1", "gi7eba~1"])
def test_short_names_of_windows_are_seen_through(name: str) -> None:
    assert runs_later(f"C:\\R\\{name}\\hooks\\x")
