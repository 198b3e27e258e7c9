"""The engine: one thread that takes commands and never blocks; a thread for each running turn; a small pool for what
waits (server, disk). Everything it says goes out by `emit`, in order.
"""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, assert_never

from metona_tk import i18n
from metona_tk.agent.approvals import ANSWER_SECONDS, Approvals
from metona_tk.agent.by_hand import HandTurn
from metona_tk.agent.changing import NO_WAIVER, Waiver, mode_for
from metona_tk.agent.conversation import Conversation, TurnSetup
from metona_tk.agent.gatekeeper import build_gate, usable_workspace
from metona_tk.agent.models import ModelMemory, choose_from
from metona_tk.agent.opening import allow_for_chat, open_for_user
from metona_tk.agent.questions import Questions
from metona_tk.agent.recording import Record
from metona_tk.agent.running import Running
from metona_tk.agent.turn import Turn
from metona_tk.agent.undoing import Undoing
from metona_tk.backends.base import Backend, Cancelled, CancelToken
from metona_tk.logs import log, place
from metona_tk.protocol.commands import (
    AllowFile,
    AnswerApproval,
    AnswerQuestion,
    CancelTurn,
    ChangeSettings,
    Command,
    DeleteTurn,
    ListModels,
    NewConversation,
    OpenPath,
    RedoOperation,
    RetryTurn,
    RunTool,
    SetMode,
    SetWorkspace,
    Shutdown,
    StartTurn,
    UndoOperation,
)
from metona_tk.protocol.events import (
    CommandRefused,
    ConversationOpened,
    EngineStopped,
    Event,
    FileAllowed,
    ModeChanged,
    ModelsListed,
    ServerStateChanged,
    SettingsChanged,
    TurnDeleted,
    WorkspaceChanged,
)
from metona_tk.protocol.problems import Problem, ProblemCode, ProblemError
from metona_tk.protocol.values import Mode, ServerState, ThinkLevel, TurnEnd
from metona_tk.security.paths import PathGate
from metona_tk.settings import Settings
from metona_tk.tools.base import Tool
from metona_tk.tools.registry import Registry

_RECENT = 10
_GONE = frozenset([ProblemCode.NO_SERVER, ProblemCode.NOT_OLLAMA])
# what a running engine takes; Shutdown ends its loop
TurnCommand = StartTurn | RetryTurn | RunTool | DeleteTurn | CancelTurn | AnswerApproval | AnswerQuestion
ChatCommand = SetMode | AllowFile | UndoOperation | RedoOperation
OwnCommand = NewConversation | SetWorkspace | OpenPath | ListModels | ChangeSettings | ChatCommand | TurnCommand
MakeBackend = Callable[[str], Backend]  # the "server" setting -> a backend; may raise ProblemError(bad_address)


class Engine:
    """The core behind the two queues. `allow_files` (absolute), `mode` and `waiver` are what a command line gave."""

    def __init__(
        self,
        settings: Settings,
        emit: Callable[[Event], None],
        make_backend: MakeBackend,
        tools: list[Tool],
        record: Record,
        answer_seconds: float = ANSWER_SECONDS,
        allow_files: tuple[str, ...] = (),
        mode: Mode | None = None,
        waiver: Waiver = NO_WAIVER,
    ) -> None:
        self._settings, self._emit, self._make_backend, self._tools = settings, emit, make_backend, tools
        self._record, self._mode, self._waiver = record, mode, waiver
        self._undoing = Undoing(record.operations)
        self._approvals = Approvals(answer_seconds)
        self._questions = Questions(answer_seconds)
        self._allow_files = frozenset(os.path.realpath(path) for path in allow_files)
        self._memory = ModelMemory()
        self._commands: queue.SimpleQueue[Command] = queue.SimpleQueue()
        self._chats: dict[str, Conversation] = {}
        self._opening: dict[str, Future[None]] = {}
        self._running = Running(emit)
        self._lock = threading.Lock()
        self._pool = ThreadPoolExecutor(4, thread_name_prefix="engine-pool")
        self._stopping = CancelToken()
        self._thread = threading.Thread(target=self._loop, name="engine", daemon=True)

    def start(self) -> None:
        """Begin to take commands; says SettingsChanged first, with what was wrong with the file, if anything."""
        self._emit(SettingsChanged(dict(self._settings.values), self._settings.problem))
        self._pool.submit(self._record.tidy)
        self._thread.start()

    def send(self, command: Command) -> None:
        """Give a command; never blocks, from any thread."""
        self._commands.put(command)

    def join(self, seconds: float) -> bool:
        """Wait for the end after Shutdown; whether it has come."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _loop(self) -> None:
        while True:
            command = self._commands.get()
            try:
                if isinstance(command, Shutdown):
                    self._shutdown()
                    return
                self._take(command)
            except ProblemError as error:
                self._emit(CommandRefused(command, error.problem))
            except Exception:
                log.exception("a command failed: %s", type(command).__name__)
                self._emit(CommandRefused(command, Problem(ProblemCode.INTERNAL, {"path": place()})))

    def _take(self, command: OwnCommand) -> None:
        match command:
            case NewConversation():
                self._open(command)
            case SetWorkspace():
                self._set_workspace(command)
            case OpenPath():
                self._open_path(command)
            case ListModels():
                self._pool.submit(self._guarded, command, self._list_models)
            case ChangeSettings():
                self._change_settings(command)
            case SetMode():
                self._set_mode(command)
            case AllowFile():
                self._allow_file(command)
            case UndoOperation() | RedoOperation():
                self._pool.submit(self._guarded, command, lambda: self._emit(self._undoing.outcome(command)))
            case _:
                self._take_of_turn(command)

    def _take_of_turn(self, command: TurnCommand) -> None:
        match command:
            case StartTurn():
                self._start_turn(command)
            case RetryTurn():
                self._retry(command)
            case RunTool():
                self._run_tool(command)
            case DeleteTurn():
                self._delete_turn(command)
            case CancelTurn():
                self._running.cancel(command.turn_id)
            case AnswerApproval() | AnswerQuestion():
                self._answer(command)
            case _:
                assert_never(command)

    def _answer(self, command: AnswerApproval | AnswerQuestion) -> None:
        if isinstance(command, AnswerQuestion):
            taken = self._questions.answer(command.question_id, command.answer)
        else:
            taken = self._approvals.answer(command)
        if not taken:
            raise ProblemError(ProblemCode.NO_SUCH_QUESTION)

    def _guarded(self, command: Command, work: Callable[[], None]) -> None:
        """Run `work` in the pool; what goes wrong is an event, never a silent thread."""
        try:
            work()
        except Cancelled:
            pass  # the engine is ending
        except ProblemError as error:
            self._emit(CommandRefused(command, error.problem))
        except Exception:
            log.exception("a command failed: %s", type(command).__name__)
            self._emit(CommandRefused(command, Problem(ProblemCode.INTERNAL, {"path": place()})))

    def _chat(self, chat_id: str) -> Conversation:
        if chat_id not in self._chats:
            raise ProblemError(ProblemCode.NO_SUCH_CHAT)
        return self._chats[chat_id]

    def _gate(self, workspace: str) -> PathGate:
        return build_gate(workspace, self._settings["allowedDirs"], self._settings["blockedDirs"])

    def _open(self, command: NewConversation) -> None:
        mode = self._mode or mode_for(self._settings["confirmationMode"])
        chat = Conversation(command.chat_id, allowed_files=self._allow_files, mode=mode)
        self._chats[command.chat_id] = chat
        wanted = command.workspace or self._settings["workspace"]

        def work() -> None:
            if wanted and usable_workspace(wanted, self._gate(wanted).protected):
                chat.workspace = os.path.realpath(wanted)
                if command.workspace:
                    self._remember_workspace(chat.workspace)
            elif command.workspace:
                problem = Problem(ProblemCode.WORKSPACE_UNUSABLE, {"path": wanted})
                self._emit(CommandRefused(command, problem))
            self._emit(ConversationOpened(chat.chat_id, chat.workspace, chat.mode))

        self._opening[command.chat_id] = self._pool.submit(self._guarded, command, work)

    def _set_workspace(self, command: SetWorkspace) -> None:
        chat = self._chat(command.chat_id)
        before = self._opening.get(command.chat_id)

        def work() -> None:
            if before:
                before.result()
            path = os.path.abspath(os.path.expanduser(command.path))
            if not usable_workspace(path, self._gate(path).protected):
                raise ProblemError(ProblemCode.WORKSPACE_UNUSABLE, path=command.path)
            with chat.lock:
                chat.workspace = os.path.realpath(path)
                chat.grants = ()
            self._emit(WorkspaceChanged(chat.chat_id, chat.workspace))
            self._remember_workspace(chat.workspace)

        self._opening[command.chat_id] = self._pool.submit(self._guarded, command, work)

    def _set_mode(self, command: SetMode) -> None:
        chat = self._chat(command.chat_id)
        chat.mode = command.mode
        self._emit(ModeChanged(chat.chat_id, chat.mode))

    def _allow_file(self, command: AllowFile) -> None:
        chat = self._chat(command.chat_id)

        def work() -> None:
            gate = self._gate_of(chat, self._opening.get(command.chat_id))
            if gate is None:
                raise ProblemError(ProblemCode.NO_WORKSPACE)
            self._emit(FileAllowed(chat.chat_id, allow_for_chat(chat, gate, command.path)))

        self._pool.submit(self._guarded, command, work)

    def _open_path(self, command: OpenPath) -> None:
        chat = self._chat(command.chat_id)

        def work() -> None:
            gate = self._gate_of(chat, self._opening.get(command.chat_id))
            if gate is None:
                raise ProblemError(ProblemCode.NO_WORKSPACE)
            open_for_user(chat, gate, command.path)

        self._pool.submit(self._guarded, command, work)

    def _remember_workspace(self, path: str) -> None:
        recent = [path, *(entry for entry in self._settings["recentWorkspaces"] if entry != path)][:_RECENT]
        self._remember({"workspace": path, "recentWorkspaces": recent})

    def _remember(self, changes: dict[str, Any]) -> None:
        """Save what was used last; a disk that cannot be written does not stop the work, but it is said."""
        problem = None
        with self._lock:
            if all(self._settings[key] == value for key, value in changes.items()):
                return
            try:
                self._settings.change(changes)
            except ProblemError as error:
                problem = error.problem
        self._emit(SettingsChanged(dict(self._settings.values), problem))

    def _change_settings(self, command: ChangeSettings) -> None:
        with self._lock:
            self._settings.change(command.changes)
        if "language" in command.changes:
            i18n.set_language(self._settings["language"])
        if "server" in command.changes:
            self._memory.forget()
        self._emit(SettingsChanged(dict(self._settings.values)))

    def _retry(self, command: RetryTurn) -> None:
        chat = self._chat(command.chat_id)
        self._running.check_free(chat.chat_id, command.turn_id)
        if not chat.can_retry():
            raise ProblemError(ProblemCode.NOTHING_TO_RETRY)
        self._begin(command, chat, None, chat.messages[-1].turn_id)

    def _start_turn(self, command: StartTurn) -> None:
        chat = self._chat(command.chat_id)
        self._running.check_free(chat.chat_id, command.turn_id)
        if command.instead_of and command.instead_of not in chat.turns:
            raise ProblemError(ProblemCode.NO_SUCH_TURN)
        self._begin(command, chat, command.text, command.turn_id, command.instead_of)

    def _begin(
        self, command: StartTurn | RetryTurn, chat: Conversation, question: str | None, belongs: str, replaced: str = ""
    ) -> None:
        """Start a turn that nothing stands against; only then is forgotten what it replaces."""
        values = self._settings
        backend = self._make_backend(values["server"])
        if replaced:
            chat.forget_from(replaced)
        chat.turns[command.turn_id] = belongs
        setup = TurnSetup(
            chat,
            command.turn_id,
            belongs,
            question,
            command.model,
            values["model"],
            values["numCtx"],
            values["temperature"],
            values["maxRounds"],
            ThinkLevel(values["think"]) if command.think is ThinkLevel.DEFAULT else command.think,
        )
        send = self._running.sender(command.turn_id)
        asked = self._approvals, self._questions
        turn = Turn(setup, backend, self._registry(), self._memory, *asked, self._record, send, self._waiver)
        opening = self._opening.get(chat.chat_id)
        self._running.start(chat.chat_id, command.turn_id, turn.cancel, lambda: self._run_turn(turn, opening))

    def _registry(self) -> Registry:
        return Registry(self._tools, self._settings["enabled"], self._settings["enabledTools"])

    def _run_turn(self, turn: Turn, opening: Future[None] | None) -> None:
        end = turn.run(lambda: self._gate_of(turn.setup.chat, opening))
        if end is TurnEnd.ANSWERED:
            self._remember({"model": turn.model})
        if turn.problem and turn.problem.code in _GONE:
            self._emit(ServerStateChanged(ServerState(turn.backend.address, False, "", turn.problem)))

    def _run_tool(self, command: RunTool) -> None:
        chat = self._chat(command.chat_id)
        self._running.check_free(chat.chat_id, command.turn_id)
        opening = self._opening.get(chat.chat_id)
        send = self._running.sender(command.turn_id)
        cancel = CancelToken()
        num_ctx = self._settings["numCtx"]
        turn = HandTurn(command, chat, self._registry(), num_ctx, self._approvals, send, cancel, self._record)

        def work() -> None:
            try:
                turn.run(lambda: self._gate_of(chat, opening))
            except ProblemError as error:
                del chat.turns[command.turn_id]
                self._running.forget(command.turn_id)
                self._emit(CommandRefused(command, error.problem))

        chat.turns[command.turn_id] = command.turn_id
        self._running.start(chat.chat_id, command.turn_id, cancel, work)

    def _delete_turn(self, command: DeleteTurn) -> None:
        chat = self._chat(command.chat_id)
        self._running.check_free(chat.chat_id)
        if command.turn_id not in chat.turns:
            raise ProblemError(ProblemCode.NO_SUCH_TURN)
        for turn_id in chat.forget_turn(command.turn_id):
            self._emit(TurnDeleted(chat.chat_id, turn_id))

    def _gate_of(self, chat: Conversation, opening: Future[None] | None) -> PathGate | None:
        if opening:
            opening.result()
        if chat.workspace is None:
            return None
        # a link in its place is another folder, which nobody has picked
        if not os.path.isdir(chat.workspace) or os.path.realpath(chat.workspace) != chat.workspace:
            raise ProblemError(ProblemCode.WORKSPACE_GONE, path=chat.workspace)
        return self._gate(chat.workspace)

    def _list_models(self) -> None:
        backend = self._make_backend(self._settings["server"])
        try:
            version = backend.version(self._stopping)
            models = backend.models(self._stopping)
        except ProblemError as error:
            self._emit(ServerStateChanged(ServerState(backend.address, False, "", error.problem)))
            return
        self._memory.forget()
        self._emit(ServerStateChanged(ServerState(backend.address, True, version)))
        chosen = choose_from(backend, self._memory, models, self._settings["model"], self._stopping) if models else ""
        self._emit(ModelsListed(tuple(models), chosen))

    def _shutdown(self) -> None:
        self._stopping.cancel()
        self._running.stop(5)
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._record.operations.close()
        self._emit(EngineStopped())
