"""The gate of one chat: from a call's effects to approved targets, asking the user where the policy says so.

Order (SPEC 2): resolve and check paths -> repair a decorated path -> decide -> ask -> hand over what was approved.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from metona_tk import places
from metona_tk.agent.conversation import Conversation
from metona_tk.agent.lookup import folders_of
from metona_tk.agent.patterns import is_pattern
from metona_tk.agent.plan_context import PlanTargets
from metona_tk.agent.roots import check_there
from metona_tk.protocol.problems import Code
from metona_tk.protocol.values import Answer, Decision, Effects, OutsidePreview, Preview
from metona_tk.security.change_policy import Act, ChangeRules, fact_of
from metona_tk.security.paths import PathGate, Place, Root, Target, make_root
from metona_tk.security.policy import Allow, Ask, Deny, ReadRules
from metona_tk.security.protected import Protected, protected_places
from metona_tk.tools.base import ToolFailed

AskUser = Callable[[str, Preview], Answer]  # (rule, preview); blocks until there is an answer
# names of the workspace's files, relative with `/`
ListNames = Callable[[], list[str]]

_SAID = {
    Code.APP_PRIVATE: "{path} belongs to this program and is never read. Answer without it.",
    Code.PROTECTED_PATH: "{path} is a protected place and is never read. Answer without it.",
    Code.OUTSIDE_ROOT: "{path} leads outside the workspace folder and is not read. Use a path inside the workspace.",
    Code.LINK_LOOP: "{path} is a link that leads in a circle.",
    Code.SENSITIVE_FILE: "{path} may hold passwords or keys and is not read unless the user allows that file. "
    "Tell the user so.",
}


_HOLDS = "{path} has a place in it that is never touched, so it stays as it is. Take single files or folders in it."
_BRINGS = (
    "Something in it would come to a place in {path} that is never touched, so nothing was put there. Take another "
    "destination."
)
_NOT_CHANGED = {
    Code.APP_PRIVATE: "{path} belongs to this program and is never changed. Leave it.",
    Code.PROTECTED_PATH: "{path} is a protected place and is never changed. Leave it.",
    Code.OUTSIDE_ROOT: "{path} is outside the workspace folder, where nothing is changed. Use a path inside it.",
    Code.IS_ROOT: "{path} is a whole workspace, home folder or disk and cannot be moved or deleted. Take things in it.",
    Code.LINK_LOOP: "{path} is a link that leads in a circle.",
}


def build_gate(workspace: str, allowed: list[str], blocked: list[str]) -> PathGate:
    """The gate for a workspace (absolute) and the user's settings."""
    home = os.path.expanduser("~")
    root = make_root(workspace)
    roots: list[Root] = [root]
    for path in allowed:
        expanded = os.path.expanduser(path)
        if os.path.isabs(expanded) and os.path.isdir(expanded):
            roots.append(make_root(expanded))
    protected = protected_places(home, sys.platform, places.private_dirs(), blocked)
    return PathGate(root, tuple(roots), home, protected, sys.platform)


def usable_workspace(path: str, protected: Protected) -> bool:
    """Whether a folder can be a workspace: it is one, can be listed, and is no closed place."""
    from metona_tk.security.names import folded_parts

    real = os.path.realpath(path)
    if any(0xD800 <= ord(char) <= 0xDFFF for char in real):
        return False  # a name that is no UTF-8 can be neither saved nor shown
    if any(
        protected.is_protected(parts) or protected.is_private(parts)
        for parts in (folded_parts(os.path.abspath(path)), folded_parts(real))
    ):
        return False
    return os.path.isdir(real) and os.access(real, os.R_OK | os.X_OK)


@dataclass(slots=True)
class Gatekeeper:
    """Approves the reading of paths for one turn of a chat; thread-safe."""

    chat: Conversation
    gate: PathGate
    list_names: ListNames
    _one_question: threading.Lock = field(default_factory=threading.Lock)

    def approve(self, effects: Effects, repairs: list[str], ask_user: AskUser | None) -> dict[str, Target]:
        """Typed path -> target, for every path that the call reads. ToolFailed where it may not or cannot be.

        `ask_user` None: nobody is there to answer. What was repaired is added to `repairs`.
        """
        return {typed: self._approve_read(typed, repairs, ask_user) for typed in effects.reads}

    def _approve_read(self, typed: str, repairs: list[str], ask_user: AskUser | None, repair: bool = True) -> Target:
        target = self.gate.target(typed)
        check_there(target.root)
        if repair and target.kind is None and not target.loop and target.place in {Place.INSIDE, Place.TYPED_OUTSIDE}:
            target = self._repaired(target, repairs)
        verdict = self._rules().decide(target)
        if isinstance(verdict, Ask):
            self._ask(verdict, ask_user)
            verdict = self._rules().decide_asked(target)
        if isinstance(verdict, Deny):
            raise ToolFailed(verdict.code, _SAID[verdict.code].format(path=_named(typed)))
        if target.kind is None:
            raise self._not_found(target)
        return target

    def _rules(self) -> ReadRules:
        return self.chat.read_rules(self.gate.home)

    def approve_changes(self, effects: Effects, ask_user: AskUser | None) -> PlanTargets:
        """The targets of a changing call: places that may be changed at all, and what is read as for any reading.

        What is moved or deleted is the thing of that name itself, also where it is a link. ToolFailed otherwise.
        """
        found = PlanTargets({}, {}, {}, self._approve_write)
        ways = ((effects.writes, self._approve_write), (effects.moves, self._approve_thing))
        for paths, approve in (*ways, (effects.deletes, self._approve_thing)):
            for typed in paths:
                found.known[typed] = approve(typed)
                found.approve[typed], found.look[typed] = approve, self._approve_write
        for typed in effects.reads:
            found.approve[typed] = found.look[typed] = self._reading(ask_user)
            plain = typed not in effects.patterns or not is_pattern(typed)
            found.known[typed] = found.approve[typed](typed) if plain else self._approve_pattern(typed, ask_user)
        return found

    def _reading(self, ask_user: AskUser | None) -> Callable[[str], Target]:
        return lambda path: self._approve_read(path, [], ask_user, repair=False)

    def _approve_pattern(self, typed: str, ask_user: AskUser | None) -> Target:
        """A pattern to be read: a file of just that name comes first; else its hits are approved one by one."""
        target = self.gate.target(typed)
        return self._approve_read(typed, [], ask_user, repair=False) if target.kind is not None else target

    def _approve_write(self, typed: str) -> Target:
        return self._changeable(self.gate.target(typed))

    def _approve_thing(self, typed: str) -> Target:
        return self._changeable(self.gate.target(typed, follow=False), taken_away=True)

    def _changeable(self, target: Target, taken_away: bool = False) -> Target:
        """Refused before anything is looked at, by the same rules that judge the plan afterwards."""
        act = Act.DELETE if taken_away else Act.WRITE
        verdict = ChangeRules(self.chat.mode).decide([fact_of(act, target, self.gate)])
        if isinstance(verdict, Deny):
            raise refused_change(verdict)
        check_there(target.root)
        return target

    def _ask(self, asked: Ask, ask_user: AskUser | None) -> None:
        """Ask once per folder: a second call that waits for the same question uses its answer."""
        target, grant = asked.target, asked.grant
        if ask_user is None or target.kind is None:
            # what is not there is not asked for: a made-up path must not disturb the user
            raise ToolFailed(
                Code.OUTSIDE_ROOT,
                f"{_named(target.typed)} is outside the workspace folder. Use a path inside the workspace, "
                'such as "." for the folder itself.',
            )
        with self._one_question:
            if isinstance(self._rules().decide(target), Allow):
                return
            preview = OutsidePreview(target.typed, target.resolved, grant.folder, grant.deep)
            answer = ask_user(asked.rule, preview)
            if answer.decision is Decision.ALLOW:
                self.chat.allow(grant)
                return
        if answer.decision is Decision.DENY:
            because = f" The user says: {answer.reason}" if answer.reason else ""
            raise ToolFailed(Code.DENIED, f"The user does not allow reading {_named(target.typed)}.{because}")
        raise ToolFailed(Code.NO_ANSWER, f"Nobody answered whether {_named(target.typed)} may be read.")

    def _repaired(self, target: Target, repairs: list[str]) -> Target:
        """A decorated path that is not there: `\\` as `/`, then a name that is unique in the workspace."""
        if sys.platform == "win32":
            return target
        plain = target.typed.replace("\\", "/")
        if plain != target.typed:
            again = self.gate.target(plain)
            if again.kind is not None and again.place is Place.INSIDE:
                repairs.append("\\ in the path read as /")
                return again
        same = _of_that_name(plain, self.list_names())
        if len(same) != 1:
            return target
        found = self.gate.target(same[0])
        if found.kind is None or found.place is not Place.INSIDE:
            return target
        if plain != target.typed:
            repairs.append("\\ in the path read as /")
        kind = "folder" if found.kind == "directory" else "file"
        repairs.append(f"{_named(target.typed)} is not there; read {same[0]}, the only {kind} of that name")
        return found

    def _not_found(self, target: Target) -> ToolFailed:
        near = nearest_paths(target.typed.replace("\\", "/"), self.list_names())
        hint = f" Real paths that come near: {', '.join(near)}." if near else ""
        return ToolFailed(
            Code.NOT_FOUND,
            f"There is no {_named(target.typed)} in the workspace.{hint} Or find it: "
            f'search_files(path=".", query="{_stem(target.typed)}").',
        )


def refused_change(verdict: Deny) -> ToolFailed:
    """A refused change, with the sentence that says what would work."""
    kind = verdict.rule.partition("_")[0]
    said = {"holds": _HOLDS, "brings": _BRINGS}.get(kind) or _NOT_CHANGED[verdict.code]
    return ToolFailed(verdict.code, said.format(path=_named(verdict.target.typed)))


def _of_that_name(typed: str, names: list[str]) -> list[str]:
    """The files of a path's name, or without a dot in it the folders; in any case where none is written just so."""
    name = typed.rstrip("/").rsplit("/", 1)[-1]
    known = names if "." in name.strip(".") else folders_of(names)
    same = [path for path in known if path.rsplit("/", 1)[-1] == name]
    return same or [path for path in known if path.rsplit("/", 1)[-1].casefold() == name.casefold()]


def _named(typed: str) -> str:
    return repr(typed if len(typed) <= 80 else typed[:77] + "...")


def _stem(typed: str) -> str:
    name = typed.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]
    return Path(name).stem.replace('"', "")[:60] or name[:60]


def nearest_paths(typed: str, names: list[str]) -> list[str]:
    """Up to three real paths whose name comes nearest to that of a path that is not there; folders count too."""
    import difflib

    name = typed.rstrip("/").rsplit("/", 1)[-1].casefold()
    folders = dict.fromkeys(path.rsplit("/", place)[0] for path in names for place in (1,) if "/" in path)
    by_name: dict[str, str] = {}
    for path in [*names, *folders]:
        by_name.setdefault(path.rsplit("/", 1)[-1].casefold(), path)
    near = difflib.get_close_matches(name, list(by_name)[:20_000], 3, 0.5)
    stems = [path for key, path in by_name.items() if name and name.split(".")[0] in key and key not in near]
    return [by_name[key] for key in near][:3] or stems[:3]
