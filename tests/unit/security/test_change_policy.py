"""The decision about changes as a table: mode x act x every fact, and what names tell of a place."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from metona_tk.protocol.problems import Code
from metona_tk.protocol.values import Mode
from metona_tk.security.change_policy import (
    Act,
    AskFirst,
    ChangeFact,
    ChangeRules,
    closed_inside,
    does_run_later,
    fact_of,
    is_deceptive,
    is_rooted,
    may_hold_secrets,
)
from metona_tk.security.paths import Place, Root, Target
from metona_tk.security.policy import Allow, Deny
from tests.unit.security.somewhere import MORE, ROOT, gate, posix, target

ALWAYS = {
    "sensitive": "sensitive_file",
    "uncovers": "shows_secret",
    "runs_later": "runs_later",
    "deceptive": "deceptive_name",
    "undoable": "not_undoable",
}


def said(mode: Mode, *facts: ChangeFact) -> str:
    verdict = ChangeRules(mode).decide(facts)
    if isinstance(verdict, Deny):
        return f"refuse({verdict.code})"
    return "ask: " + " ".join(verdict.rules) if isinstance(verdict, AskFirst) else "allow"


# act, what was there, whether this chat made it -> the reasons of each mode
TABLE = {
    (Act.CREATE, False, False): {"all": "every_change", "write-only": "", "none": ""},
    (Act.CREATE, True, False): {"all": "every_change", "write-only": "overwrites", "none": ""},
    (Act.CREATE, True, True): {"all": "every_change", "write-only": "", "none": ""},
    (Act.WRITE, True, False): {"all": "every_change", "write-only": "overwrites", "none": ""},
    (Act.WRITE, False, False): {"all": "every_change", "write-only": "overwrites", "none": ""},
    (Act.WRITE, True, True): {"all": "every_change", "write-only": "", "none": ""},
    (Act.FOLDER, False, False): {"all": "every_change", "write-only": "", "none": ""},
    (Act.FOLDER, True, False): {"all": "every_change", "write-only": "", "none": ""},
    (Act.MOVE_AWAY, True, False): {"all": "every_change", "write-only": "overwrites", "none": ""},
    (Act.MOVE_AWAY, False, False): {"all": "every_change", "write-only": "overwrites", "none": ""},
    (Act.MOVE_AWAY, True, True): {"all": "every_change", "write-only": "", "none": ""},
    (Act.MOVE_TO, False, False): {"all": "every_change", "write-only": "", "none": ""},
    (Act.MOVE_TO, True, False): {"all": "every_change", "write-only": "overwrites", "none": ""},
    (Act.MOVE_TO, True, True): {"all": "every_change", "write-only": "", "none": ""},
    (Act.COPY_TO, False, False): {"all": "every_change", "write-only": "", "none": ""},
    (Act.COPY_TO, True, False): {"all": "every_change", "write-only": "overwrites", "none": ""},
    (Act.COPY_TO, True, True): {"all": "every_change", "write-only": "", "none": ""},
    (Act.DELETE, True, False): {"all": "every_change deletes", "write-only": "deletes", "none": "deletes"},
    (Act.DELETE, False, False): {"all": "every_change deletes", "write-only": "deletes", "none": "deletes"},
    (Act.DELETE, True, True): {"all": "every_change deletes", "write-only": "deletes", "none": "deletes"},
}


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row[0]}-{row[1]}-{row[2]}")
def test_when_a_mode_asks_with_every_set_of_other_facts(row: tuple[Act, bool, bool], mode: Mode) -> None:
    act, was_there, made = row
    for marks in itertools.product((False, True), repeat=len(ALWAYS)):
        flags = {name: mark != (name == "undoable") for name, mark in zip(ALWAYS, marks, strict=True)}
        fact = ChangeFact(act, target(), was_there=was_there, made_by_chat=made, **flags)
        reasons = TABLE[row][mode.value].split() + [
            ALWAYS[name] for name, mark in zip(ALWAYS, marks, strict=True) if mark
        ]
        assert said(mode, fact) == ("ask: " + " ".join(reasons) if reasons else "allow")


def test_every_act_is_in_the_table() -> None:
    assert {row[0] for row in TABLE} == set(Act)


DENIED = {
    Place.PRIVATE: "refuse(app_private)",
    Place.PROTECTED: "refuse(protected_path)",
    Place.ESCAPED: "refuse(outside_root)",
    Place.TYPED_OUTSIDE: "refuse(outside_root)",
}


@pytest.mark.parametrize("place", sorted(DENIED))
@pytest.mark.parametrize("act", list(Act))
def test_a_closed_or_outer_place_is_never_asked_for(place: Place, act: Act) -> None:
    for mode, root, mount, loop, made in itertools.product(list(Mode), *[(False, True)] * 4):
        fact = ChangeFact(act, target(place=place, loop=loop), is_root=root, is_mount=mount, made_by_chat=made)
        assert said(mode, fact) == DENIED[place]
        verdict = ChangeRules(mode).decide([fact])
        assert isinstance(verdict, Deny) and verdict.rule == place.value and verdict.target is fact.target


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize("act", list(Act))
def test_roots_mounts_and_folders_with_closed_places_stay_where_they_are(act: Act, mode: Mode) -> None:
    takes_away = act in {Act.DELETE, Act.MOVE_AWAY}
    cases: list[tuple[dict[str, object], Code, str]] = [
        ({"is_root": True}, Code.IS_ROOT, "is_root"),
        ({"is_mount": True}, Code.IS_ROOT, "is_mount"),
        ({"is_root": True, "is_mount": True, "holds": Place.PRIVATE}, Code.IS_ROOT, "is_root"),
        ({"holds": Place.PRIVATE}, Code.APP_PRIVATE, "holds_private"),
        ({"holds": Place.PROTECTED}, Code.PROTECTED_PATH, "holds_protected"),
    ]
    for facts, code, rule in cases:
        fact = ChangeFact(act, target(loop=takes_away), **facts)  # type: ignore[arg-type]
        verdict = ChangeRules(mode).decide([fact])
        if takes_away:
            assert isinstance(verdict, Deny) and (verdict.code, verdict.rule) == (code, rule)
        else:
            assert not isinstance(verdict, Deny)


@pytest.mark.parametrize("act", list(Act))
def test_a_circle_of_links_is_refused(act: Act) -> None:
    assert {said(mode, ChangeFact(act, target(loop=True))) for mode in Mode} == {"refuse(link_loop)"}


def test_one_refusal_refuses_all_and_the_first_code_wins() -> None:
    good = ChangeFact(Act.CREATE, target())
    loop = ChangeFact(Act.CREATE, target(loop=True))
    outside = ChangeFact(Act.CREATE, target(place=Place.TYPED_OUTSIDE))
    private = ChangeFact(Act.CREATE, target(place=Place.PRIVATE))
    root = ChangeFact(Act.DELETE, target(), is_root=True)
    for order in itertools.permutations([good, loop, root, outside]):
        assert said(Mode.NONE, *order) == "refuse(outside_root)"
        assert said(Mode.NONE, *order, private) == "refuse(app_private)"
    assert said(Mode.NONE, good, loop, root) == "refuse(is_root)"


def test_the_reasons_of_all_changes_are_told_once_in_their_order() -> None:
    facts = [
        ChangeFact(Act.DELETE, target(), undoable=False),
        ChangeFact(Act.CREATE, target(), runs_later=True),
        ChangeFact(Act.WRITE, target(), True, sensitive=True),
        ChangeFact(Act.WRITE, target(), True, deceptive=True),
    ]
    every = "deletes sensitive_file runs_later deceptive_name not_undoable"
    assert said(Mode.NONE, *facts) == f"ask: {every}"
    assert said(Mode.WRITE_ONLY, *facts) == f"ask: overwrites {every}"
    assert said(Mode.ALL, *reversed(facts)) == f"ask: every_change {every}"
    assert {said(mode) for mode in Mode} == {"allow"}
    assert ChangeRules(Mode.ALL).decide([]) == Allow()


# --- what names tell ------------------------------------------------------------------------------------------------


@posix
@pytest.mark.parametrize(
    ("path", "rooted"),
    [
        ("/disk/work", True),
        ("/home/u/work", True),
        ("/disk", True),
        ("/", True),
        ("/home/u", True),
        ("/home", True),
        ("/disk/work/inner", True),
        ("/disk/work/inner/deep", True),
        ("/disk/work/inner/deep/a", False),
        ("/disk/work/inn", False),
        ("/disk/work/a.txt", False),
        ("/disk/work2", False),
        ("/home/u2", False),
    ],
)
def test_what_counts_as_a_root(path: str, rooted: bool) -> None:
    assert is_rooted(target(path), gate("linux", MORE)) is rooted
    one = Target("x", "/disk/work/link", path, Place.INSIDE, ROOT, False, "directory")
    other = Target("x", path, "/disk/work/link", Place.INSIDE, ROOT, False, "directory")
    assert is_rooted(one, gate("linux", MORE)) is rooted
    assert is_rooted(other, gate("linux", MORE)) is rooted


@posix
def test_case_divides_roots_only_where_the_system_does_so() -> None:
    assert not is_rooted(target("/disk/work/INNER"), gate("linux", MORE))
    assert is_rooted(target("/disk/work/INNER"), gate("darwin", MORE))


@posix
@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/home/u/.config", Place.PRIVATE),
        ("/home/u/.config/metona-tk", Place.PRIVATE),
        ("/home/u/.CONFIG", Place.PRIVATE),
        ("/home/u", Place.PRIVATE),
        ("/home/u/.local", Place.PROTECTED),
        ("/home/u/.local/share", Place.PROTECTED),
        ("/var", Place.PROTECTED),
        ("/home/u/docs", None),
        ("/home/u/.config/other", None),
        ("/disk/work", None),
    ],
)
def test_what_closed_places_lie_in_a_folder(path: str, kind: Place | None) -> None:
    assert closed_inside(target(path, kind="directory"), gate()) is kind


@posix
def test_either_spelling_is_enough_for_a_mark() -> None:
    for name, tell in ((".env", may_hold_secrets), (".bashrc", does_run_later), ("a\u202eb", is_deceptive)):
        path = f"/disk/work/{name}"
        assert tell(Target("x", "/disk/work/x", path, Place.INSIDE, ROOT, False, "file"))
        assert tell(Target("x", path, "/disk/work/x", Place.INSIDE, ROOT, False, "file"))
        assert not tell(target("/disk/work/x"))
    assert is_deceptive(replace(target("/disk/work/x"), typed="y\u202e/../x"))


@posix
def test_a_tree_is_marked_by_what_is_in_it() -> None:
    folder = target("/disk/work/docs", kind="directory")
    assert may_hold_secrets(folder, ["a.txt", "b/.env"])
    assert may_hold_secrets(folder, ["b\\.env"])
    assert not may_hold_secrets(folder, ["a.txt", ".env.d/x.txt"])
    assert does_run_later(folder, ["a/.git/hooks/pre-push"])
    assert is_deceptive(folder, ["a/p\u0430y.txt"])
    assert not does_run_later(folder, ["a.txt"]) and not is_deceptive(folder, ["a.txt"])


@posix
def test_a_folder_named_passwords_is_no_sensitive_file() -> None:
    for act, kind, is_folder in (
        (Act.FOLDER, None, False),
        (Act.DELETE, "directory", False),
        (Act.MOVE_TO, None, True),
    ):
        assert not fact_of(act, target("/disk/work/passwords", kind=kind), gate(), is_folder=is_folder).sensitive
    assert fact_of(Act.CREATE, target("/disk/work/passwords", kind=None), gate()).sensitive


@posix
def test_the_name_of_the_root_is_the_users_own() -> None:
    root = Root("/home/u/w\u0430y", "/disk/w\u0430y")
    inside = Target("a.txt", "/home/u/w\u0430y/a.txt", "/disk/w\u0430y/a.txt", Place.INSIDE, root, False, None)
    assert not is_deceptive(inside)
    assert is_deceptive(replace(inside, resolved="/disk/w\u0430y/p\u0430y"))
    assert is_deceptive(replace(inside, resolved="/disk/w\u0430y2/a"))


@posix
def test_a_fact_is_filled_from_names() -> None:
    fact = fact_of(Act.MOVE_AWAY, target("/home/u/.config", kind="directory"), gate(), ["a\u202e/.env"])
    assert fact.holds is Place.PRIVATE and fact.sensitive and fact.runs_later and fact.deceptive and fact.undoable
    bare = fact_of(Act.CREATE, target(), gate())
    assert bare == ChangeFact(Act.CREATE, target(), False, False, False, False, None, False, False, False, True)
    plain = fact_of(Act.WRITE, target(), gate(), was_there=True, made_by_chat=True, is_mount=True, undoable=False)
    assert plain == ChangeFact(Act.WRITE, target(), True, True, is_mount=True, undoable=False)
