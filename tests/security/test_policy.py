"""The decision itself, as a table: every place x kind x grant x allowed file, and what a typed path means."""

from __future__ import annotations

import itertools
import os
import sys
from pathlib import Path

import pytest

from metona_tk import places
from metona_tk.agent.gatekeeper import build_gate, usable_workspace
from metona_tk.agent.recording import open_record
from metona_tk.protocol.problems import Code
from metona_tk.protocol.values import Answer, Decision
from metona_tk.security.names import folded_parts
from metona_tk.security.paths import PathGate, Place, Root, Target, make_root, resolve_links
from metona_tk.security.policy import Allow, Ask, Deny, Grant, ReadRules
from metona_tk.security.protected import protected_places
from metona_tk.settings import Settings
from tests.security.conftest import World

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="paths as POSIX has them")

ROOT = Root("/work/R", "/work/R")
FILES = {"plain": "a.txt", "sensitive": "id_rsa"}
KINDS = ["file", "directory", "other", None]
GRANTS = {
    "none": (),
    "shallow": (Grant("/else/where", False),),
    "deep": (Grant("/else", True),),
    "another": (Grant("/else/where-evil", True), Grant("/else/wher", True)),
}


def target(place: Place, name: str, kind: str | None, loop: bool = False) -> Target:
    folder = {
        Place.INSIDE: "/work/R",
        Place.TYPED_OUTSIDE: "/else/where",
        Place.ESCAPED: "/else/where",
        Place.PROTECTED: "/etc",
        Place.PRIVATE: "/home/u/.config/metona-tk",
    }[place]
    path = f"{folder}/{name}"
    lexical = f"/work/R/{name}" if place is Place.ESCAPED else path
    return Target(path, lexical, path, place, ROOT if place is Place.INSIDE else None, loop, kind)


def expected(place: Place, grant: str, kind: str | None, sensitive: bool, let: bool, loop: bool) -> str:
    if place is Place.PRIVATE:
        return "app_private"
    if place is Place.PROTECTED:
        return "protected_path"
    if place is Place.ESCAPED:
        return "outside_root"
    if place is Place.TYPED_OUTSIDE and grant in {"none", "another"}:
        return "ask"
    if loop:
        return "link_loop"
    return "sensitive_file" if sensitive and kind != "directory" and not let else "allow"


def said(verdict: Allow | Ask | Deny) -> str:
    if isinstance(verdict, Allow):
        return "allow"
    return "ask" if isinstance(verdict, Ask) else verdict.code.value


RULES = {"app_private": "private", "protected_path": "protected", "outside_root": "escaped"}


@pytest.mark.parametrize("place", list(Place))
@pytest.mark.parametrize("grant", sorted(GRANTS))
def test_every_combination(place: Place, grant: str) -> None:
    for kind, name, let, loop in itertools.product(KINDS, FILES.values(), (False, True), (False, True)):
        asked = target(place, name, kind, loop)
        rules = ReadRules(GRANTS[grant], frozenset([asked.resolved] if let else []), "/home/u")
        verdict = rules.decide(asked)
        code = expected(place, grant, kind, name == "id_rsa", let, loop)
        assert said(verdict) == code, (place, grant, kind, name, let, loop)
        if isinstance(verdict, Deny):
            assert verdict.rule == RULES.get(code, code)
        if isinstance(verdict, Ask):
            assert verdict.rule == "typed_outside"


def test_both_spellings_of_a_sensitive_name() -> None:
    rules = ReadRules((), frozenset(), "/home/u")
    typed = Target("key.pem", "/work/R/key.pem", "/work/R/plain", Place.INSIDE, ROOT, False, "file")
    resolved = Target("plain", "/work/R/plain", "/work/R/.env", Place.INSIDE, ROOT, False, "file")
    assert said(rules.decide(typed)) == said(rules.decide(resolved)) == "sensitive_file"


def test_a_grant_needs_both_spellings(tmp_path: Path) -> None:
    (tmp_path / "open").mkdir()
    (tmp_path / "shut").mkdir()
    (tmp_path / "shut" / "s").write_text("s")
    (tmp_path / "open" / "l").symlink_to(tmp_path / "shut" / "s")
    grant = Grant(str(tmp_path / "open"), True)
    out = Target(
        "x", str(tmp_path / "open" / "l"), str(tmp_path / "shut" / "s"), Place.TYPED_OUTSIDE, None, False, "file"
    )
    back = Target(
        "x", str(tmp_path / "shut" / "l"), str(tmp_path / "open" / "s"), Place.TYPED_OUTSIDE, None, False, "file"
    )
    assert not grant.covers(out)
    assert not grant.covers(back)


@pytest.mark.parametrize(
    ("resolved", "kind", "folder", "deep"),
    [
        ("/else/where/s", "file", "/else/where", True),
        ("/else/where", "directory", "/else/where", True),
        ("/", "directory", "/", False),
        ("/s", "file", "/", False),
        ("/home", "directory", "/home", False),
        ("/home/u", "directory", "/home/u", False),
        ("/home/u/s", "file", "/home/u", False),
        ("/home/u/docs", "directory", "/home/u/docs", True),
        ("/home/u2", "directory", "/home/u2", True),
    ],
)
def test_what_an_allow_opens(resolved: str, kind: str, folder: str, deep: bool) -> None:
    asked = Target(resolved, resolved, resolved, Place.TYPED_OUTSIDE, None, False, kind)
    for home in ("/home/u", "/home/u/"):
        assert ReadRules((), frozenset(), home).grant_for(asked) == Grant(folder, deep)


def test_the_home_is_never_opened_whole_also_when_it_is_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "home").symlink_to("real")
    real = str(tmp_path / "real")
    asked = Target(real, real, real, Place.TYPED_OUTSIDE, None, False, "directory")
    assert ReadRules((), frozenset(), str(tmp_path / "home")).grant_for(asked) == Grant(real, False)


# -- places --------------------------------------------------------------------------------------------------------


def gate_for(world: World, blocked: list[str] | None = None, allowed: list[str] | None = None) -> PathGate:
    return build_gate(str(world.R), allowed or [], blocked or [])


@pytest.mark.parametrize(
    ("typed", "place"),
    [
        ("a.txt", Place.INSIDE),
        (".", Place.INSIDE),
        ("not/there", Place.INSIDE),
        ("{R}", Place.INSIDE),
        ("{R}/", Place.INSIDE),
        ("{R}/../R/a.txt", Place.INSIDE),
        ("{R}-evil/s", Place.TYPED_OUTSIDE),
        ("../R-evil/s", Place.TYPED_OUTSIDE),
        ("../R-evil", Place.TYPED_OUTSIDE),
        ("{O}/s", Place.TYPED_OUTSIDE),
        ("..", Place.TYPED_OUTSIDE),
        ("/", Place.TYPED_OUTSIDE),
        ("~", Place.TYPED_OUTSIDE),
        ("l", Place.ESCAPED),
        ("d", Place.ESCAPED),
        ("d/s", Place.ESCAPED),
        ("d/not-there", Place.ESCAPED),
        ("d/../a.txt", Place.INSIDE),  # by text, as the user reads it; the opening goes by what it leads to
        ("to-ssh", Place.PROTECTED),
        ("to-ssh/config", Place.PROTECTED),
        ("to-etc/passwd", Place.PROTECTED),
        ("to-app", Place.PRIVATE),
        ("~/.ssh/config", Place.PROTECTED),
        ("~/.SSH/config", Place.PROTECTED),
        ("~/.\u017fsh/config", Place.PROTECTED),
        ("/etc/passwd", Place.PROTECTED),
        ("/etc/../etc/./passwd", Place.PROTECTED),
        ("//etc/passwd", Place.PROTECTED),
        ("/ETC/passwd", Place.PROTECTED),
        ("/proc/self/root{R}/a.txt", Place.PROTECTED),
        ("/proc/self/cwd", Place.PROTECTED),
        ("/dev/null", Place.PROTECTED),
        ("/dev/../etc/passwd", Place.PROTECTED),
        ("/sys", Place.PROTECTED),
        ("/usr/bin/env", Place.PROTECTED),
        ("/bin/sh", Place.PROTECTED),
    ],
)
def test_where_a_typed_path_lies(typed: str, place: Place, world: World) -> None:
    (world.R / "l").symlink_to(world.O / "s")
    (world.R / "d").symlink_to(world.O)
    (world.R / "to-ssh").symlink_to(world.home / ".ssh")
    (world.R / "to-etc").symlink_to("/etc")
    (world.R / "to-app").symlink_to(places.config_dir())
    path = typed.replace("{R}", str(world.R)).replace("{O}", str(world.O))
    assert gate_for(world).target(path).place is place


def test_more_roots_and_links_between_them(world: World) -> None:
    (world.R / "d").symlink_to(world.O)
    gate = gate_for(world, allowed=[str(world.O), "relative", "~/not-there", str(world.R / "a.txt")])
    assert [root.real for root in gate.roots] == [str(world.R), str(world.O)]
    assert gate.target("d/s").place is Place.INSIDE
    assert gate.target(str(world.R2 / "s")).place is Place.TYPED_OUTSIDE
    assert gate_for(world, allowed=["/etc"]).target("/etc/passwd").place is Place.PROTECTED
    assert gate_for(world, allowed=["/"]).target("/etc/passwd").place is Place.PROTECTED
    assert gate_for(world, allowed=["/"]).target("/proc/self/root/tmp").place is Place.PROTECTED


@pytest.mark.parametrize("spelling", ["{0}", "{0}/", "{0}/.", "{0}/../vault", "~/vault", "{0} "])
def test_folders_that_the_user_adds_are_closed(spelling: str, world: World) -> None:
    vault = world.home / "vault"
    vault.mkdir()
    (vault / "s").write_text("KEY")
    gate = gate_for(world, blocked=[spelling.format(vault), "", "no/path"])
    for typed in (f"{vault}/s", "~/vault", "~/VAULT/s", f"{vault}/not/there"):
        assert gate.target(typed).place is Place.PROTECTED, typed
    assert gate.target("~/vault2").place is Place.TYPED_OUTSIDE
    assert gate.target("~/.ssh").place is Place.PROTECTED  # none of the built-in ones goes away


def test_an_added_folder_in_the_workspace_is_closed_for_every_tool(world: World) -> None:
    for name in ("vault", "Stra\u00dfe", "Prive\u0301", "x[1]{2}!*", "\u5bc6"):
        folder = world.R / name
        folder.mkdir()
        (folder / "treasure.txt").write_text("treasure KEY\n")
        for spelling in {name, name.upper(), name.replace("e\u0301", "\u00e9")}:
            blocked = {"blockedDirs": [str(world.R / spelling)]}
            assert world.read(f"{name}/treasure.txt", **blocked).code == "protected_path", spelling
            assert world.call("list_directory", {"path": name}, **blocked).code == "protected_path"
            listed = world.call("list_directory", {"path": ".", "recursive": True}, **blocked)
            assert f"{name}/treasure.txt" not in [entry["name"] for entry in listed.data["entries"]]
            for kind in ("filename", "content", "both"):
                for query in ("treasure", "*.txt", "KEY", "treasuer"):
                    arguments = {"path": ".", "query": query, "search_type": kind}
                    found = world.call("search_files", arguments, **blocked)
                    assert f"{name}/treasure" not in found.text + str(found.as_json()), (spelling, kind, query)
            missing = world.read("treasuer.txt", **blocked)
            assert f"{name}/treasure" not in str(missing.error), spelling
        (folder / "treasure.txt").unlink()
        folder.rmdir()


def test_a_home_in_a_protected_folder_wins_but_not_over_its_own_children() -> None:
    closed = protected_places("/root", "linux", ["/root/.config/metona-tk"])
    assert not closed.is_protected(folded_parts("/root/docs/a.txt"))
    assert closed.is_protected(folded_parts("/root/.ssh/config"))
    assert closed.is_private(folded_parts("/root/.config/metona-tk/settings.json"))
    other = protected_places("/home/u", "linux", [])
    assert other.is_protected(folded_parts("/root/docs/a.txt"))
    deeper = protected_places("/var/lib/u", "linux", [])
    assert not deeper.is_protected(folded_parts("/var/lib/u/a"))
    assert deeper.is_protected(folded_parts("/var/lib/other"))
    whole = protected_places("/", "linux", [])
    assert whole.is_protected(folded_parts("/etc/passwd"))


def test_what_can_be_a_workspace(world: World) -> None:
    (world.base / "to-ssh").symlink_to(world.home / ".ssh")
    closed = gate_for(world).protected
    assert usable_workspace(str(world.R), closed)
    assert usable_workspace(str(world.home), closed)
    for bad in ("/etc", "/proc", "/usr/share", world.home / ".ssh", world.base / "to-ssh", places.config_dir()):
        assert not usable_workspace(str(bad), closed), bad
    assert not usable_workspace(str(world.R / "a.txt"), closed)
    assert not usable_workspace(str(world.R / "none"), closed)


def test_the_home_as_workspace_keeps_its_children_closed(world: World) -> None:
    (world.home / "docs").mkdir()
    (world.home / "docs" / "KEY-note.txt").write_text("Host of the note\n")
    here = {"folder": world.home}
    listed = world.call("list_directory", {"path": ".", "recursive": True, "include_hidden": True}, **here)
    names = [entry["name"] for entry in listed.data["entries"]]
    assert "docs/KEY-note.txt" in names and not any(name.startswith(".ssh/") for name in names)
    arguments = {"path": ".", "query": "Host", "include_hidden": True, "include_ignored": True}
    found = world.call("search_files", arguments, **here)
    assert [entry["path"] for entry in found.data["results"]] == ["docs/KEY-note.txt"]


def test_asked_once_for_a_folder(world: World) -> None:
    from metona_tk.agent.conversation import Conversation
    from metona_tk.agent.tool_call import ToolRunner
    from metona_tk.tools.registry import Registry, built_in

    chat = Conversation("chat", str(world.R))
    runner = ToolRunner(
        chat, Registry(built_in()), gate_for(world), 8192, lambda: False, open_record(Settings(Path("none")))
    )
    (world.O / "sub").mkdir()
    (world.O / "sub" / "t").write_text("deep\n")
    asked: list[str] = []

    def ask(rule: str, preview: object) -> Answer:
        asked.append(rule)
        return Answer(Decision.ALLOW)

    for path in ("../out/s", "../out", "../out/sub/t", str(world.O / "s"), "../out/id_rsa"):
        outcome = runner.run(runner.parse("read_file", {"path": path}), ask)
        assert outcome.result.success or outcome.result.code in {Code.IS_DIRECTORY, Code.SENSITIVE_FILE}, outcome
    assert asked == ["typed_outside"]
    runner.run(runner.parse("read_file", {"path": "../R-evil/s"}), ask)
    assert len(asked) == 2
    (world.O / "away").symlink_to(world.R2 / "s")
    (world.O / "ssh").symlink_to(world.home / ".ssh")
    assert runner.run(runner.parse("read_file", {"path": "../out/ssh/config"}), ask).result.code == "protected_path"
    assert chat.grants == (Grant(str(world.O), True), Grant(str(world.R2), True))


def test_what_is_not_there_is_not_asked_for(world: World) -> None:
    for path in ("../out/none", "/nowhere/at/all"):
        assert world.read(path, answer=Decision.ALLOW).code == "outside_root"
    assert not world.asked


# -- names that are links ------------------------------------------------------------------------------------------


def test_links_are_followed_as_the_system_does(world: World) -> None:
    made = {
        "one": "a.txt",
        "two": "one",
        "abs": str(world.R / "two"),
        "up": "../R/a.txt",
        "odd": "./passwords/..//a.txt",
        "folder": "passwords/",
    }
    for name, leads in made.items():
        (world.R / name).symlink_to(leads)
        path = str(world.R / name)
        assert resolve_links(path) == (os.path.realpath(path), False)
    path = str(world.R / "folder" / "readme.md")
    assert resolve_links(path) == (os.path.realpath(path), False)


def test_as_many_links_as_the_system_follows(world: World) -> None:
    last = "a.txt"
    for number in range(45):
        (world.R / f"l{number}").symlink_to(last)
        last = f"l{number}"
    assert resolve_links(str(world.R / "l39")) == (str(world.R / "a.txt"), False)
    assert resolve_links(str(world.R / "l40"))[1]


def test_a_bomb_of_links_ends_soon(world: World) -> None:
    import time

    (world.R / "x").mkdir()
    last = "x"
    for number in range(39):
        (world.R / f"b{number}").symlink_to("x/../" * 700 + last)
        last = f"b{number}"
    started = time.monotonic()
    world.read(f"{last}/none")
    assert time.monotonic() - started < 3


def test_a_root_is_where_its_links_lead(world: World) -> None:
    (world.base / "to-R").symlink_to(world.R)
    assert make_root(f"{world.base}/to-R/") == Root(f"{world.base}/to-R", str(world.R))
    through = world.call("read_file", {"path": f"{world.base}/to-R/a.txt"}, folder=world.base / "to-R")
    assert through.data["path"] == str(world.R / "a.txt")


def test_an_allow_for_what_lies_directly_in_a_folder_goes_no_deeper(world: World) -> None:
    """The home, opened for what lies directly in it: neither a recursive list nor a search reads what is below."""
    (world.home / "docs" / "deep").mkdir(parents=True)
    (world.home / "docs" / "deep" / "x.txt").write_text("needle below\n")
    (world.home / "docs" / "y.txt").write_text("needle below\n")
    (world.home / "top.txt").write_text("needle above\n")
    allow = {"answer": Decision.ALLOW}
    listed = world.call("list_directory", {"path": "~", "recursive": True, "max_depth": 9}, **allow)
    assert [entry["name"] for entry in listed.data["entries"]] == ["docs", "top.txt"]
    for kind in ("content", "filename", "both"):
        for query in ("needle", "x", "y.txt", "*.txt"):
            arguments = {"path": "~", "query": query, "search_type": kind}
            found = world.call("search_files", arguments, **allow)
            said = found.text + str(found.as_json())
            assert found.success and "below" not in said and "docs/" not in said, (kind, query)
    found = world.call("search_files", {"path": "~", "query": "needle"}, **allow)
    assert [entry["path"] for entry in found.data["results"]] == [str(world.home / "top.txt")]
    assert {(preview.scope, preview.deep) for preview in world.asked} == {(str(world.home), False)}
    inside = world.call("search_files", {"path": "~", "query": "needle"}, allowedDirs=[str(world.home)])
    assert len(inside.data["results"]) == 3  # a root is a root
