"""A plan judged: its facts gathered for `security.change_policy`, which decides. Counterpart: `changing`."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterator
from dataclasses import dataclass

from metona_tk.agent.conversation import Conversation
from metona_tk.agent.plan_context import ChangeContext
from metona_tk.agent.previews import Undo
from metona_tk.protocol.changes import Change, ChangeKind, Flag
from metona_tk.security.change_policy import Act, AskFirst, ChangeFact, ChangeRules, ChangeVerdict, fact_of
from metona_tk.security.names import is_sensitive
from metona_tk.security.paths import PathGate, Place, Target
from metona_tk.security.secret_words import style_of
from metona_tk.tools.changing import Plan, Seen, Step

_MOST_COMPARED = 5 << 20  # bytes of a file that is to have another kind of name
_ACTS = {
    "create": Act.CREATE,
    "overwrite": Act.WRITE,
    "edit": Act.WRITE,
    "append": Act.WRITE,
    "folder": Act.FOLDER,
    "move": Act.MOVE_TO,
    "copy": Act.COPY_TO,
    "delete": Act.DELETE,
}


@dataclass(frozen=True, slots=True)
class Judged:
    """The verdict and what the dialog tells of it; `rules` are empty where nobody has to be asked."""

    verdict: ChangeVerdict
    rules: tuple[str, ...]
    flags: dict[str, tuple[Flag, ...]]  # by the path of a step
    undo: Undo
    made_here: bool


@dataclass(frozen=True, slots=True)
class Judge:
    """Judges the plans of one call."""

    gate: PathGate
    chat: Conversation
    context: ChangeContext

    def judge(self, plan: Plan, undo: Undo) -> Judged:
        """Facts of every step, and of every change that is not one of its steps, to one verdict."""
        facts: list[ChangeFact] = []
        flags: dict[str, tuple[Flag, ...]] = {}
        for step in plan.steps:
            own = [*self._facts(step, undo), *self._others(step)]
            flags[step.path] = tuple(self._flags(step, own))
            facts += own
        verdict = ChangeRules(self.chat.mode).decide(facts)
        rules = tuple(str(rule) for rule in verdict.rules) if isinstance(verdict, AskFirst) else ()
        made = all(fact.made_by_chat or not fact.was_there for fact in facts)
        return Judged(verdict, rules, flags, undo, made and any(fact.made_by_chat for fact in facts))

    def _facts(self, step: Step, undo: Undo) -> Iterator[ChangeFact]:
        act, target = _ACTS[step.action], self.context.targets[step.typed]
        names = [entry.relative for entry in step.tree.entries] if step.tree else []
        links = _links(step)
        there = step.before.kind != "none"
        made = there and self.chat.files.seen(step.path, step.before) is Seen.MADE
        fact = fact_of(
            act,
            target,
            self.gate,
            names,
            links=links,
            was_there=there,
            made_by_chat=made,
            is_mount=os.path.ismount(step.path),
            undoable=undo != "none",
        )
        if step.source:
            source = self.context.targets[step.source_typed]
            if step.action == "move":
                yield self._away(step, source, names)
            if self.is_hidden(source) or self.hidden_below(step):
                fact = dataclasses.replace(fact, sensitive=True)
        yield dataclasses.replace(fact, uncovers=self._uncovers(step))

    def _uncovers(self, step: Step) -> bool:
        """Whether a masked secret would lose its key, or its file the name by which it is known."""
        if self.context.by_person:
            return False
        masks = self.chat.masks
        if step.old and step.new:
            return masks.uncovers(step.path, step.old.text, step.path, step.new.text)
        if step.action not in {"copy", "move"} or step.kind != "file" or style_of(step.source) is style_of(step.path):
            return False
        content = self.context.load(step.source_typed, _MOST_COMPARED).content
        text = (content or b"").decode("utf-8", "replace")
        return masks.uncovers(step.source, text, step.path, text)

    def _away(self, step: Step, source: Target, names: list[str]) -> ChangeFact:
        before = next((change.source_before for change in step.changes if change.source == step.source), step.before)
        made = self.chat.files.seen(step.source, before) is Seen.MADE
        mount = os.path.ismount(step.source)
        return fact_of(Act.MOVE_AWAY, source, self.gate, names, was_there=True, made_by_chat=made, is_mount=mount)

    def is_hidden(self, target: Target) -> bool:
        """Whether a file's contents are those of a sensitive file, whatever it is called."""
        if target.kind == "directory":
            return False
        return target.resolved in self.chat.hidden_files or is_sensitive(os.path.basename(target.resolved))

    def hidden_below(self, step: Step) -> list[str]:
        """The new paths of what comes along in a folder and holds what was in a sensitive file."""
        inside = step.source + os.sep
        return [step.path + path[len(step.source) :] for path in self.chat.hidden_files if path.startswith(inside)]

    def _others(self, step: Step) -> Iterator[ChangeFact]:
        """Changes beside the step's own place: folders above it, and a plan that strays is refused here."""
        within = step.path.rstrip(os.sep) + os.sep
        for change in step.changes:
            if change.path in {step.path, step.source}:
                continue
            target = self.gate.target(change.path, follow=False)
            if target.resolved != change.path or (
                not change.path.startswith(within) and not self._is_above(change, step)
            ):
                target = dataclasses.replace(target, place=Place.ESCAPED)
            act = Act.FOLDER if change.kind is ChangeKind.FOLDER else Act.CREATE
            if target.place is not Place.INSIDE or not change.path.startswith(within):
                yield fact_of(act, target, self.gate)

    @staticmethod
    def _is_above(change: Change, step: Step) -> bool:
        return change.kind is ChangeKind.FOLDER and step.path.startswith(change.path.rstrip(os.sep) + os.sep)

    def _flags(self, step: Step, facts: list[ChangeFact]) -> Iterator[Flag]:
        if _through_link(self.context.targets[step.typed]):
            yield "inside_link"
        if step.source and _through_link(self.context.targets[step.source_typed]):
            yield "from_link"
        if step.before.kind == "file" and step.before.links > 1:
            yield "hard_link"
        if any(fact.runs_later for fact in facts):
            yield "runs_later"
        if any(fact.deceptive for fact in facts):
            yield "deceptive"
        if any(fact.sensitive for fact in facts):
            yield "sensitive"


def _through_link(target: Target) -> bool:
    """Whether a path leads through a link below the folder that the user chose, so that it ends elsewhere."""
    if target.root is None:
        return target.resolved != target.lexical
    below = os.path.relpath(target.lexical, target.root.given)
    return target.resolved not in {target.lexical, os.path.normpath(os.path.join(target.root.real, below))}


def _links(step: Step) -> frozenset[str]:
    """The links that come along when a thing is moved; a copy leaves them out."""
    if step.action != "move":
        return frozenset()
    inside = {entry.relative for entry in step.tree.entries if entry.kind == "symlink"} if step.tree else set[str]()
    return frozenset(inside | ({""} if step.kind == "symlink" else set()))
