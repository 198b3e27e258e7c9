"""Random trees and random spellings: whatever comes back lies inside the roots, and no call ever raises."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
import unicodedata
from pathlib import Path

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from metona_tk.agent.by_hand import run_by_hand
from metona_tk.agent.recording import open_record
from metona_tk.protocol.problems import Code
from metona_tk.security.names import bad_path, fold, folded_parts, is_sensitive
from metona_tk.settings import Settings
from metona_tk.tools.registry import Registry, built_in

NAMES = ["a", "b", "c.txt", ".env", "id_rsa", "\u00fc", "\uff0e\uff0e", "x y", "-r", "\u202etxt", "new\nline", "d"]
TARGETS = ["a", "b", "..", "../..", ".", "../out", "../out/s", "/", "/etc", "/proc/self/root", "c.txt", "d/../a"]
MARK = "Zq7outside"

names = st.sampled_from(NAMES)
places = st.lists(names, min_size=1, max_size=3).map("/".join)
entries = st.lists(
    st.one_of(
        st.tuples(st.just("file"), places, st.just("")),
        st.tuples(st.just("folder"), places, st.just("")),
        st.tuples(st.just("link"), places, st.sampled_from([*TARGETS, "{R}/a", "{R}", "{O}", "{O}/s"])),
    ),
    max_size=12,
)
pieces = st.sampled_from([*NAMES, "..", ".", "", "s", "out", "R", "R-evil", "~", "none", "%2e%2e", "\\..", "\u2025"])
typed = st.tuples(
    st.sampled_from(["", "/", "{R}/", "{R}/../", "{O}/", "./", "//", "~/", "/proc/self/root{R}/", "\\"]),
    st.lists(pieces, max_size=6).map("/".join),
    st.sampled_from(["", "/", "//", "/.", "/..", " "]),
).map("".join)


def build(base: Path, made: list[tuple[str, str, str]]) -> None:
    for folder in ("R", "out", "R-evil", "home/.ssh"):
        (base / folder).mkdir(parents=True)
    for outside in ("out/s", "out/a", "out/c.txt", "R-evil/s", "home/.ssh/a", "s"):
        (base / outside).write_text(f"{MARK}\n")
    (base / "out" / MARK).write_text("")
    for kind, place, target in made:
        path = base / "R" / place
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            inside = os.path.realpath(path.parent)
            if os.path.commonpath([inside, os.path.realpath(base / "R")]) != os.path.realpath(base / "R"):
                continue  # a link in the tree must not make us build outside it
            if kind == "file":
                path.write_text("inside\n")
            elif kind == "folder":
                path.mkdir()
            else:
                path.symlink_to(target.replace("{R}", str(base / "R")).replace("{O}", str(base / "out")))
        except OSError:
            continue  # the name is taken


@pytest.mark.skipif(sys.platform != "linux", reason="links and names as Linux has them")
@given(made=entries, spelled=typed, name=st.sampled_from(["read_file", "list_directory"]), deep=st.booleans())
@example(made=[("link", "a", "../out")], spelled="a/s", name="read_file", deep=False)
@example(made=[("link", "a", "{O}")], spelled="a", name="list_directory", deep=True)
@example(made=[("link", "a", "a")], spelled="a/a", name="read_file", deep=False)
def test_what_comes_back_lies_inside(made: list[tuple[str, str, str]], spelled: str, name: str, deep: bool) -> None:
    base = Path(os.path.realpath(tempfile.mkdtemp(prefix="paths-")))
    before = os.environ.get("HOME")
    os.environ["HOME"] = str(base / "home")
    try:
        build(base, made)
        root = str(base / "R")
        path = spelled.replace("{R}", root).replace("{O}", str(base / "out"))
        arguments = {"path": path} | ({"recursive": True, "include_hidden": True} if deep else {})
        if name == "read_file":
            arguments = {"path": path}
        settings = Settings(base / "settings.json")
        result = run_by_hand(
            settings, Registry(built_in()), name, json.dumps(arguments), root, (), None, open_record(settings)
        )
        said = str(result.as_json()) + result.text
        assert result.code is not Code.IO_ERROR, result
        assert MARK not in said.replace(json.dumps(path), "")
        if result.success:
            real = os.path.realpath(result.data["path"])
            assert real == result.data["path"]
            assert real == root or real.startswith(root + "/")
            assert not is_sensitive(os.path.basename(real)) or name == "list_directory"
            for entry in result.data.get("entries", []):
                inner = os.path.realpath(os.path.join(real, os.path.dirname(entry["name"])))
                assert inner == root or inner.startswith(root + "/")
        else:
            assert result.error
            result.error.encode()
    finally:
        os.environ["HOME"] = before if before is not None else ""
        if before is None:
            del os.environ["HOME"]
        shutil.rmtree(base, ignore_errors=True)


@pytest.mark.skipif(sys.platform != "linux", reason="names as Linux has them")
@given(text=st.text(max_size=30))
def test_no_text_makes_a_call_raise(text: str) -> None:
    with tempfile.TemporaryDirectory(prefix="paths-") as base:
        for name in ("read_file", "list_directory"):
            settings = Settings(Path(base) / "settings.json")
            result = run_by_hand(
                settings, Registry(built_in()), name, json.dumps({"path": text}), base, (), None, open_record(settings)
            )
            assert result.code is not Code.IO_ERROR, result
            if result.success:
                real = os.path.realpath(result.data["path"])
                assert real.startswith(os.path.realpath(base))


# -- folding -------------------------------------------------------------------------------------------------------

IGNORABLE = [
    "\u00ad", "\u034f", "\u061c", "\u115f", "\u1160", "\u17b4", "\u180b", "\u180e", "\u200b", "\u200d", "\u200f",
    "\u202e", "\u2060", "\u2064", "\u2065", "\u2066", "\u3164", "\ufe00", "\ufe0f", "\ufeff", "\uffa0", "\ufff0",
    "\ufff8", "\U0001bca0", "\U0001d173", "\U000e0001", "\U000e0041", "\U000e0100", "\U000e0fff",
]  # fmt: skip


def alike() -> dict[str, list[str]]:
    """For each letter of ".ssh" every character that NFKC or case makes into it."""
    found: dict[str, list[str]] = {letter: [] for letter in ".sh"}
    for point in range(0x110000):
        if 0xD800 <= point <= 0xDFFF:
            continue
        plain = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", chr(point)).casefold())
        if plain in found:
            found[plain].append(chr(point))
    return found


ALIKE = alike()


@given(
    letters=st.tuples(*(st.sampled_from(ALIKE[letter]) for letter in ".ssh")),
    between=st.lists(st.lists(st.sampled_from(IGNORABLE), max_size=2).map("".join), min_size=5, max_size=5),
)
def test_every_variation_of_a_name_is_that_name(letters: tuple[str, ...], between: list[str]) -> None:
    spelled = between[0] + "".join(letter + more for letter, more in zip(letters, between[1:], strict=True))
    assert fold(spelled) == ".ssh", [hex(ord(char)) for char in spelled]
    assert folded_parts(f"/home/u/{spelled}/config") == ("home", "u", ".ssh", "config")


@given(st.text(max_size=20))
def test_folding_twice_changes_nothing(text: str) -> None:
    assume(not any(0xD800 <= ord(char) <= 0xDFFF for char in text))
    assert fold(fold(text)) == fold(text)


@given(st.sampled_from(["id_rsa", ".env", "server.key", "my-secret.txt", ".netrc", "x.pem"]), st.data())
def test_every_variation_of_a_sensitive_name_is_sensitive(name: str, data: st.DataObject) -> None:
    spelled = "".join(
        data.draw(st.sampled_from([char, char.upper(), char.lower(), chr(ord(char) + 0xFEE0)]))
        + data.draw(st.sampled_from(["", "", *IGNORABLE]))
        for char in name
    )
    assert is_sensitive(spelled), spelled


@given(text=st.text(max_size=60), platform=st.sampled_from(["linux", "darwin", "win32"]))
def test_bad_path_lets_nothing_unusable_through(text: str, platform: str) -> None:
    if bad_path(text, platform) is None:
        assert text.strip() and "\0" not in text
        assert len(text.encode()) <= 4096  # nor is there half a surrogate pair
        assert not text.lower().startswith(("file:", "http://", "https://"))


@given(
    st.lists(st.text(st.characters(codec="utf-8"), max_size=300), min_size=1, max_size=40).map("/".join),
    st.sampled_from(["linux", "darwin", "win32"]),
    st.sampled_from(["", "\0", "\ud800", "\udfff"]),
)
def test_bad_path_and_the_limits(text: str, platform: str, poison: str) -> None:
    reason = bad_path(text + poison, platform)
    if poison or len(text.encode()) > 4096 or any(len(part.encode()) > 255 for part in text.split("/")):
        assert reason


@pytest.mark.parametrize(("size", "good"), [(255, True), (256, False)])
def test_the_limit_of_a_component(size: int, good: bool) -> None:
    for text in ("n" * size, "x/" + "n" * size + "/y", "\u00e9" * (size // 2) + "n" * (size % 2)):
        assert (bad_path(text, "linux") is None) is good


@pytest.mark.parametrize(("size", "good"), [(4096, True), (4097, False)])
def test_the_limit_of_a_path(size: int, good: bool) -> None:
    assert (bad_path(("n" * 100 + "/") * 40 + "m" * (size - 4040), "linux") is None) is good
