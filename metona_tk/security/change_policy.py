"""The decision for a planned change: run it, ask the user first, or refuse. Pure: facts in, verdict with its rules out.

Deny beats ask beats allow; refusals in the order of the codes in SPEC 1.0. Facts come from the gate (`fact_of`
helps), from both spellings of each path: one that matches is enough.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from metona_tk.protocol.problems import Code
from metona_tk.protocol.values import Mode
from metona_tk.security.deception import deceptive
from metona_tk.security.later import tree_runs_later
from metona_tk.security.names import folded_parts, is_sensitive, is_within
from metona_tk.security.paths import PathGate, Place, Target
from metona_tk.security.policy import Allow, Deny
from metona_tk.security.protected import Parts


class Act(StrEnum):
    """What happens to one place. A move is two: away from one, to another."""

    CREATE = "create"
    WRITE = "write"  # other contents for a file that is there: overwriting, editing, appending
    FOLDER = "folder"
    MOVE_AWAY = "move_away"
    MOVE_TO = "move_to"
    COPY_TO = "copy_to"
    DELETE = "delete"


class Rule(StrEnum):
    """Why the user is asked."""

    EVERY_CHANGE = "every_change"
    OVERWRITES = "overwrites"
    DELETES = "deletes"
    SENSITIVE_FILE = "sensitive_file"
    SHOWS_SECRET = "shows_secret"  # what is masked now could be read afterwards
    RUNS_LATER = "runs_later"
    DECEPTIVE_NAME = "deceptive_name"
    NOT_UNDOABLE = "not_undoable"


@dataclass(frozen=True, slots=True)
class ChangeFact:
    """One place and what would happen to it.

    `target` of a link that is itself moved or deleted: `resolved` is the link's own place. `is_root`: a root, the
    workspace, the home folder, or a folder above one of these. `holds`: what closed place lies in it (PRIVATE,
    PROTECTED); `brings`: what closed place something that arrives would be, lie in, or lead to as a link.
    `made_by_chat`: this chat made it, of a folder with all that is in it. `uncovers`: what is masked in it now would
    not be any more, since its key goes.
    """

    act: Act
    target: Target
    was_there: bool = False
    made_by_chat: bool = False
    is_root: bool = False
    is_mount: bool = False
    holds: Place | None = None
    sensitive: bool = False
    runs_later: bool = False
    deceptive: bool = False
    undoable: bool = True
    brings: Place | None = None
    uncovers: bool = False


@dataclass(frozen=True, slots=True)
class AskFirst:
    """The user is asked; `rules` say why, in the order of `Rule`."""

    rules: tuple[Rule, ...]


ChangeVerdict = Allow | AskFirst | Deny

_CLOSED = {
    Place.PRIVATE: Code.APP_PRIVATE,
    Place.PROTECTED: Code.PROTECTED_PATH,
    Place.ESCAPED: Code.OUTSIDE_ROOT,
    Place.TYPED_OUTSIDE: Code.OUTSIDE_ROOT,
}
_TAKES_AWAY = (Act.DELETE, Act.MOVE_AWAY)
_BRINGS = (Act.MOVE_TO, Act.COPY_TO)
_ORDER = list(Code)


@dataclass(frozen=True, slots=True)
class ChangeRules:
    """Decides the changes of one call, all together: one refusal refuses them all."""

    mode: Mode

    def decide(self, facts: Sequence[ChangeFact]) -> ChangeVerdict:
        """The verdict; nothing to change is allowed."""
        denials = [denial for fact in facts if (denial := _denial(fact))]
        if denials:
            return min(denials, key=lambda denial: _ORDER.index(denial.code))
        found = {rule for fact in facts for rule in self._rules(fact)}
        rules = tuple(rule for rule in Rule if rule in found)
        return AskFirst(rules) if rules else Allow()

    def _rules(self, fact: ChangeFact) -> Iterable[Rule]:
        if self.mode is Mode.ALL:
            yield Rule.EVERY_CHANGE
        if self.mode is Mode.WRITE_ONLY and _overwrites(fact):
            yield Rule.OVERWRITES
        if fact.act is Act.DELETE:
            yield Rule.DELETES
        if fact.sensitive:
            yield Rule.SENSITIVE_FILE
        if fact.uncovers:
            yield Rule.SHOWS_SECRET
        if fact.runs_later:
            yield Rule.RUNS_LATER
        if fact.deceptive:
            yield Rule.DECEPTIVE_NAME
        if not fact.undoable:
            yield Rule.NOT_UNDOABLE


def _overwrites(fact: ChangeFact) -> bool:
    """Whether something goes, or gets other contents or another place, that this chat did not make."""
    if fact.made_by_chat or fact.act in {Act.FOLDER, Act.DELETE}:
        return False
    return fact.was_there or fact.act in {Act.WRITE, Act.MOVE_AWAY}


def _denial(fact: ChangeFact) -> Deny | None:
    target = fact.target
    if code := _CLOSED.get(target.place):
        return Deny(code, target.place.value, target)
    if fact.act in _TAKES_AWAY:
        if fact.is_root or fact.is_mount:
            return Deny(Code.IS_ROOT, "is_root" if fact.is_root else "is_mount", target)
        if fact.holds:
            return Deny(_CLOSED[fact.holds], f"holds_{fact.holds.value}", target)
    if fact.brings:
        return Deny(_CLOSED[fact.brings], f"brings_{fact.brings.value}", target)
    return Deny(Code.LINK_LOOP, "link_loop", target) if target.loop else None


# --- facts that can be told from names alone ------------------------------------------------------------------------


def _spellings(target: Target) -> tuple[str, ...]:
    return tuple(dict.fromkeys((target.resolved, target.lexical)))


def _below_root(path: str, target: Target) -> str:
    """The part of a path that is not the root's own name: that one the user has chosen."""
    for start in (target.root.real, target.root.given) if target.root else ():
        if path == start or path.startswith(start.rstrip(os.sep) + os.sep):
            return path[len(start) :]
    return path


def is_deceptive(target: Target, names: Iterable[str] = ()) -> bool:
    """Whether the path below the root, or one of the `names` in the tree, is not what it looks like."""
    own = any(deceptive(_below_root(path, target)) for path in (*_spellings(target), target.typed))
    return own or any(deceptive(name) for name in names)


def does_run_later(target: Target, names: Sequence[str] = ()) -> bool:
    """Whether the system or a tool would run it, or something in the tree at that place, by itself."""
    return any(tree_runs_later(path, names) for path in _spellings(target))


def may_hold_secrets(target: Target, names: Iterable[str] = (), folder: bool = False) -> bool:
    """Whether its name is that of a sensitive file, or one of the files in the tree has such a name."""
    own = not folder and any(is_sensitive(os.path.basename(path)) for path in _spellings(target))
    return own or any(is_sensitive(name.replace("\\", "/").rpartition("/")[2]) for name in names)


def is_rooted(target: Target, gate: PathGate) -> bool:
    """Whether it is a root, the workspace or the home folder, or lies above one of them."""
    kept = {path for root in (*gate.roots, gate.workspace) for path in (root.given, root.real)}
    kept |= {gate.home, os.path.realpath(gate.home)}
    exact = gate.platform not in {"win32", "darwin"}
    parts = _exact_parts if exact else folded_parts
    return any(is_within(parts(place), parts(path)) for place in kept for path in _spellings(target))


def _exact_parts(path: str) -> tuple[str, ...]:
    return tuple(part for part in path.split("/") if part)


def closed_inside(target: Target, gate: PathGate) -> Place | None:
    """The kind of closed place that lies in this folder, whether it is there yet or not."""
    parts = [folded_parts(path) for path in _spellings(target)]
    protected = gate.protected
    if any(is_within(place, mine) for place in protected.private for mine in parts):
        return Place.PRIVATE
    if any(is_within(place, mine) for place in protected.always | protected.system for mine in parts):
        return Place.PROTECTED
    return None


def closed_by_arrival(target: Target, gate: PathGate, names: Iterable[str], links: Collection[str]) -> Place | None:
    """The kind of closed place that one of the `names` in a folder would be, or lie in, once it is at the target.

    A link (one of the `names`, or "" for the thing itself) counts above such a place too: it would lead elsewhere.
    """
    protected = gate.protected
    kinds = ((Place.PRIVATE, protected.private), (Place.PROTECTED, protected.always | protected.system))
    closed = [(kind, inner) for kind, places in kinds for inner in _below(target, places)]
    if not closed:
        return None
    arriving = [(folded_parts(name), name in links) for name in ("", *names)]
    return next((kind for kind, inner in closed if any(_meets(*each, inner) for each in arriving)), None)


def _below(target: Target, places: Iterable[Parts]) -> Iterable[Parts]:
    """Those of the places that lie below a target, relative to it."""
    mine = [folded_parts(path) for path in _spellings(target)]
    return (place[len(one) :] for one in mine for place in places if len(place) > len(one) and is_within(place, one))


def _meets(parts: Parts, is_link: bool, place: Parts) -> bool:
    return is_within(parts, place) or (is_link and is_within(place, parts))


def fact_of(
    act: Act,
    target: Target,
    gate: PathGate,
    names: Sequence[str] = (),
    *,
    links: Collection[str] = (),
    is_folder: bool = False,
    was_there: bool = False,
    made_by_chat: bool = False,
    is_mount: bool = False,
    undoable: bool = True,
) -> ChangeFact:
    """A fact with all that names tell filled in. `names`: what is in the tree (that comes), relative to the target;
    `links`: those of them that are links, "" for the thing itself.

    `is_folder`: what comes to the place, or is there, is a folder.
    """
    folder = is_folder or act is Act.FOLDER or target.kind == "directory"
    return ChangeFact(
        act,
        target,
        was_there=was_there,
        made_by_chat=made_by_chat,
        is_root=is_rooted(target, gate),
        is_mount=is_mount,
        holds=closed_inside(target, gate),
        brings=closed_by_arrival(target, gate, names, links) if act in _BRINGS else None,
        sensitive=may_hold_secrets(target, names, folder),
        runs_later=does_run_later(target, names),
        deceptive=is_deceptive(target, names),
        undoable=undoable,
    )
