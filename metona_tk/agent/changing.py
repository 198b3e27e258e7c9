"""One call that changes files, from its plan to the deed: judge -> ask -> nothing changed since? -> journal and do.

The only way from a tool to the disk (SPEC 2). Counterparts: `tools.changing` plans, `judging` decides, `operations`
does.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from metona_tk.agent.conversation import Conversation
from metona_tk.agent.gatekeeper import AskUser, Gatekeeper, nearest_paths, refused_change
from metona_tk.agent.judging import Judge, Judged
from metona_tk.agent.plan_context import ChangeContext, PlanTargets, is_inside
from metona_tk.agent.previews import make_preview, plan_digest
from metona_tk.operations.failures import ChangedSince, OperationFailed
from metona_tk.operations.undo import Applied, Operations
from metona_tk.protocol.changes import ChangePreview, OperationInfo, Origin
from metona_tk.protocol.problems import Code, ProblemError
from metona_tk.protocol.values import Answer, Decision, Mode, Result
from metona_tk.security.paths import GateError
from metona_tk.security.policy import Allow, Deny
from metona_tk.tools.base import ToolFailed
from metona_tk.tools.changing import ChangingTool, Done, Plan

_MODE_RULES = frozenset(["every_change", "overwrites"])
# refusals of a text that the user has put in place of the model's
_OF_THE_TEXT = frozenset([Code.UNKNOWN_ENCODING, Code.CONTENT_TOO_LARGE, Code.MASKED_CONTENT, Code.BAD_ARGUMENTS])


@dataclass(frozen=True, slots=True)
class Waiver:
    """What a command line has allowed beforehand, inside the workspace: --yes, --yes-delete."""

    changes: bool = False
    deletions: bool = False

    def covers(self, rules: tuple[str, ...]) -> bool:
        """Whether these rules, all of them, are waived."""
        waived = {*(_MODE_RULES if self.changes else ()), *(["deletes"] if self.deletions else ())}
        return bool(rules) and waived.issuperset(rules)


NO_WAIVER = Waiver()


@dataclass(slots=True)
class Said:
    """Who decided what, for the log."""

    decision: Decision | None = None
    by: str = ""  # user | mode | flag | rule
    rule: str = ""
    answer_ms: int = 0


@dataclass(frozen=True, slots=True)
class Changed:
    """What became of a call."""

    result: Result
    operation: OperationInfo | None = None


@dataclass(frozen=True, slots=True)
class Request:
    """A parsed call of a changing tool. `arguments` as plain values, for the digest."""

    tool: ChangingTool
    args: Any
    arguments: dict[str, Any]
    origin: Origin


MakeContext = Callable[[PlanTargets, float], ChangeContext]  # (targets, seconds)


@dataclass(slots=True)
class Changer:
    """Carries out the changing calls of one turn, one at a time."""

    chat: Conversation
    keeper: Gatekeeper
    executor: Operations
    make_context: MakeContext
    is_stopped: Callable[[], bool]
    waiver: Waiver = NO_WAIVER
    _one: threading.Lock = field(default_factory=threading.Lock)

    def run(self, request: Request, ask_user: AskUser | None, said: Said) -> Changed:
        """The whole way of one call. ToolFailed for every refusal and failure; then nothing was changed."""
        with self._one:
            return self._run(request, ask_user, said)

    def _run(self, request: Request, ask_user: AskUser | None, said: Said) -> Changed:
        context, plan = self._planned(request, ask_user)
        if not plan.steps:
            return Changed(request.tool.report(request.args, plan, Done(), context))
        judged = self._judge(plan, context)
        final = False
        if judged.rules:
            request, context, plan, final = self._confirmed(request, plan, context, judged, ask_user, said)
        else:
            said.by, said.decision = "mode", Decision.ALLOW
        if self.is_stopped():
            raise ToolFailed(Code.STOPPED, "The user stopped this; nothing was changed.")
        applied = self._apply(request, plan, final, context)
        self._remember(plan, applied, context)
        result = request.tool.report(request.args, plan, Done(applied.recoverable), context)
        return Changed(result, self.executor.info(applied.operation_id))

    def _planned(self, request: Request, ask_user: AskUser | None) -> tuple[ChangeContext, Plan]:
        """The plan. What the system says of a path that becomes another while it is looked at is no fault of ours."""
        with steady(_named_paths(request)):
            return self._plan(request, ask_user)

    def _plan(self, request: Request, ask_user: AskUser | None) -> tuple[ChangeContext, Plan]:
        targets = self.keeper.approve_changes(request.tool.effects(request.args), ask_user)
        context = self.make_context(targets, request.tool.seconds)
        try:
            return context, request.tool.plan(request.args, context)
        except ToolFailed as error:
            raise self._with_near_paths(error, request) from error

    def _with_near_paths(self, error: ToolFailed, request: Request) -> ToolFailed:
        """A path that is not there: real ones that come near are named, and nothing is guessed for a change."""
        path = request.arguments.get("path") or request.arguments.get("source")
        if error.code is not Code.NOT_FOUND or not isinstance(path, str):
            return error
        near = nearest_paths(path.replace("\\", "/"), self.keeper.list_names())
        hint = f" Real paths that come near: {', '.join(near)}." if near else ""
        return ToolFailed(error.code, error.text + hint, error.note)

    def _judge(self, plan: Plan, context: ChangeContext) -> Judged:
        with steady(_names(plan, context)):
            undo = self.executor.undo_by(plan.changes)
            judged = Judge(self.keeper.gate, self.chat, context).judge(plan, undo)
        if isinstance(judged.verdict, Deny):
            raise refused_change(judged.verdict)
        assert judged.rules or isinstance(judged.verdict, Allow)
        return judged

    # --- asking ----------------------------------------------------------------------------------------------------

    def _confirmed(
        self,
        request: Request,
        plan: Plan,
        context: ChangeContext,
        judged: Judged,
        ask_user: AskUser | None,
        said: Said,
    ) -> tuple[Request, ChangeContext, Plan, bool]:
        """The plan as it was allowed, made again from the disk as it is now."""
        said.rule = judged.rules[0]
        digest = plan_digest(request.tool.name, request.arguments, plan)
        base = plan_digest(request.tool.name, request.arguments, plan, contents=False)
        if self._waived(plan, judged):
            said.by, said.decision = "flag", Decision.ALLOW
            answer = Answer(Decision.ALLOW)
        else:
            preview = self._preview(request, plan, judged, digest)
            answer = self._ask(preview, ask_user, said)
        edited = answer.text is not None and answer.text != plan.editable
        if edited:
            request = _with_text(request, answer.text or "")
        try:
            context, again = self._planned(request, None)
            rules = set(self._judge(again, context).rules)
        except (ToolFailed, GateError) as error:
            if edited and error.code in _OF_THE_TEXT:
                raise
            # what could be planned before the question cannot be now: the disk is another (SPEC 1.2)
            raise changed_since(_names(plan, context)) from error
        same = plan_digest(request.tool.name, request.arguments, again, contents=not edited)
        if same != (base if edited else digest) or not rules <= set(judged.rules):
            raise changed_since(_names(plan, context))
        return request, context, again, bool(answer.typed)

    def _waived(self, plan: Plan, judged: Judged) -> bool:
        root = self.keeper.gate.workspace.real
        paths = [path for change in plan.changes for path in (change.path, change.source) if path]
        return self.waiver.covers(judged.rules) and all(is_inside(path, root) for path in paths)

    def _preview(self, request: Request, plan: Plan, judged: Judged, digest: str) -> ChangePreview:
        read = tuple(self.keeper.gate.shown(path) for path in self.chat.files.last_read(3))
        return make_preview(
            request.tool.name,
            plan,
            judged.rules,
            judged.flags,
            judged.undo,
            digest,
            read,
            judged.made_here,
            self.chat.mode,
        )

    def _ask(self, preview: ChangePreview, ask_user: AskUser | None, said: Said) -> Answer:
        names = ", ".join(self.keeper.gate.shown(item.path) for item in preview.items[:3])
        if ask_user is None:
            said.by, said.decision = "rule", Decision.NO_ANSWER
            raise ToolFailed(
                Code.NO_ANSWER, f"Changing {names} needs the user's consent, and nobody is there to give it."
            )
        answer = ask_user(preview.rules[0], preview)
        said.by, said.decision, said.answer_ms = "user", answer.decision, answer.after_ms
        if answer.decision is Decision.NO_ANSWER:
            raise ToolFailed(Code.NO_ANSWER, f"Nobody answered whether {names} may be changed; nothing was changed.")
        if answer.decision is Decision.DENY:
            because = f" The user says: {answer.reason}" if answer.reason else " Ask what is wanted instead."
            raise ToolFailed(Code.DENIED, f"The user does not allow this change of {names}.{because}")
        if preview.must_type and answer.typed != preview.must_type:
            said.decision = Decision.DENY
            raise ToolFailed(Code.NOT_RECOVERABLE, f"{names} could not be brought back, so it was not deleted.")
        return answer

    # --- doing -----------------------------------------------------------------------------------------------------

    def _apply(self, request: Request, plan: Plan, final: bool, context: ChangeContext) -> Applied:
        def go_on() -> None:
            if self.is_stopped():
                raise OperationFailed(Code.STOPPED, plan.steps[0].path, "the user stopped it")
            if context.remaining() <= 0:
                raise OperationFailed(Code.TIMEOUT, plan.steps[0].path, "it took too long; take parts of it")

        try:
            return self.executor.apply(plan.changes, request.origin, allow_final=final, go_on=go_on)
        except ChangedSince as error:
            raise changed_since(self.keeper.gate.shown(error.path)) from error
        except OperationFailed as error:
            name = self.keeper.gate.shown(error.path)
            left = "The user can undo that part." if error.partly else "Nothing was changed."
            raise ToolFailed(error.code, f"{name} could not be changed: {error.reason}. {left}") from error
        except ProblemError as error:
            raise ToolFailed(
                Code.IO_ERROR, "Changes cannot be kept for undo just now, so nothing was changed. Tell the user so."
            ) from error

    def _remember(self, plan: Plan, applied: Applied, context: ChangeContext) -> None:
        """What the chat knows of the files is as the change left them."""
        judge = Judge(self.keeper.gate, self.chat, context)
        for step in plan.steps:
            if step.source and judge.is_hidden(context.targets[step.source_typed]):
                self.chat.hide_file(step.path)  # another name does not open what was closed
            for path in judge.hidden_below(step) if step.source else ():
                self.chat.hide_file(path)
        moved = {change for step in plan.steps if step.action == "move" for change in step.changes}
        for change, after in zip(plan.changes, applied.states, strict=True):
            files = self.chat.files
            if change.source and change.kind in {"move", "copy"} and change in moved:  # a copy: to another disk
                files.note_moved(change.source, change.path, after)
                self.chat.masks.renamed(change.source, change.path)
            elif change.kind == "delete":
                files.forget(change.path)
            elif after.kind == "file":
                files.note_written(change.path, change.before, after, made=change.before.kind == "none")


def changed_since(name: str) -> ToolFailed:
    """The refusal of a plan that no longer fits the disk."""
    return ToolFailed(
        Code.CHANGED_SINCE_APPROVAL,
        f"{name} changed between the question and the answer, so nothing was done. Read it again, then make the call "
        "again; the user will be asked with the new difference.",
    )


@contextmanager
def steady(name: str) -> Generator[None]:
    """A path that becomes another while it is judged (a folder turns into a link) is one that has changed."""
    try:
        yield
    except OSError as error:
        raise ToolFailed(
            Code.CHANGED_SINCE_APPROVAL,
            f"{name} changed while the call was looked at, so nothing was done. Make the call again.",
        ) from error


def _named_paths(request: Request) -> str:
    paths = (request.arguments.get(name) for name in ("path", "source", "destination"))
    return ", ".join(repr(path) for path in paths if isinstance(path, str))


def _names(plan: Plan, context: ChangeContext) -> str:
    return ", ".join(context.shown(step.path) for step in plan.steps[:3])


def _with_text(request: Request, text: str) -> Request:
    args = request.tool.edited(request.args, text)
    return Request(request.tool, args, args.model_dump(), request.origin)


def mode_for(setting: str) -> Mode:
    """The mode of a new chat: automatic is never begun by a setting, it ends with the program."""
    mode = Mode(setting)
    return Mode.WRITE_ONLY if mode is Mode.NONE else mode
