"""What the window knows of chats, models and server; pure, so that its rules are tested without a window."""

from __future__ import annotations

from dataclasses import dataclass, field
from uuid import uuid4

from metona_tk.i18n import tr
from metona_tk.i18n.problems import problem_text
from metona_tk.protocol.problems import Problem, ProblemCode
from metona_tk.protocol.values import ContextUse, Mode, ModelInfo, ServerState, ThinkLevel
from metona_tk.ui.chat.record import Record, Turn

MOST_HISTORY = 100  # questions that the composer offers again


def new_id() -> str:
    """An id for a chat or a turn."""
    return uuid4().hex


@dataclass(slots=True)
class ChatState:
    """One chat. `turn_id` None: no turn is running."""

    chat_id: str = field(default_factory=new_id)
    turn_id: str | None = None
    workspace: str | None = None
    model: str = ""
    think: ThinkLevel = ThinkLevel.DEFAULT
    mode: Mode = Mode.WRITE_ONLY
    record: Record = field(default_factory=Record)
    draft: str = ""  # what stands in the composer while another chat is shown
    editing: str = ""  # the turn whose question is being written anew
    aside: str = ""  # what stood in the composer before that
    replaced: list[Turn] = field(default_factory=list[Turn])  # by the turn that is about to begin
    use: ContextUse = field(default_factory=ContextUse)
    speed: float = 0.0  # tokens/s of the last answer
    message: str = ""  # what happens now, in words
    tone: str = "text-2"  # the token of its colour

    @property
    def running(self) -> bool:
        """Whether a turn of this chat is running."""
        return self.turn_id is not None

    @property
    def retry_turn(self) -> str | None:
        """The failed turn that a Retry would go on from."""
        turn = self.record.retryable
        return turn.turn_id if turn else None

    @property
    def waiting(self) -> bool:
        """Whether its running turn waits for the user."""
        turn = self.record.find(self.turn_id) if self.turn_id else None
        return turn is not None and turn.waiting

    @property
    def title(self) -> str:
        """Its first question, or that it is new."""
        return " ".join(self.record.title.split())[:200] or tr("New chat")


@dataclass(slots=True)
class AppState:
    """All chats open since the start, of which one is shown. `models` None: not told yet."""

    models: tuple[ModelInfo, ...] | None = None
    server: ServerState | None = None
    chats: list[ChatState] = field(default_factory=lambda: [ChatState()])
    shown: ChatState = field(init=False)
    history: list[str] = field(default_factory=list[str])  # questions, the newest last
    tools: tuple[str, ...] = ()  # names of the tools that there are
    disabled_tools: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        self.shown = self.chats[0]

    def find(self, chat_id: str) -> ChatState | None:
        """One chat."""
        return next((chat for chat in self.chats if chat.chat_id == chat_id), None)

    def of_turn(self, turn_id: str) -> ChatState | None:
        """The chat whose running turn that is; None for one that has ended."""
        return next((chat for chat in self.chats if chat.turn_id == turn_id), None)

    def open(self) -> ChatState:
        """A new chat with folder, model and thinking of the shown one, which it takes the place of."""
        chat = ChatState(workspace=self.shown.workspace, model=self.shown.model, think=self.shown.think)
        self.chats.insert(0, chat)
        self.shown = chat
        return chat

    def info(self) -> ModelInfo | None:
        """What is known of the shown chat's model."""
        return next((model for model in self.models or () if model.name == self.shown.model), None)

    def choose(self, models: tuple[ModelInfo, ...], chosen: str) -> None:
        """Take a new list; the user's choice stays while the server still has it."""
        self.models = models
        names = {model.name for model in models}
        for chat in self.chats:
            if chat.model not in names:
                chat.model = chosen

    def remember(self, question: str) -> None:
        """Keep a question for the composer's history."""
        if question in self.history:
            self.history.remove(question)
        self.history.append(question)
        del self.history[:-MOST_HISTORY]

    def why_not(self) -> str:
        """Why a question cannot be sent now, in words; "" when it can."""
        if self.shown.running:
            return problem_text(Problem(ProblemCode.TURN_RUNNING))
        if self.server is not None and not self.server.reachable:
            return tr("Not sent: the server is not reachable. Your text is kept.")
        if self.models is not None and not self.models:
            return tr("Not sent: the server has no model yet. Your text is kept.")
        return ""


def think_levels(model: ModelInfo | None) -> tuple[ThinkLevel, ...]:
    """What may be chosen for a model; () where it cannot think, or the server does not tell."""
    if model is None or "thinking" not in (model.capabilities or ()):
        return ()
    graded = (ThinkLevel.LOW, ThinkLevel.MEDIUM, ThinkLevel.HIGH)
    if model.family in ("gptoss", "gpt-oss"):  # it always thinks: the server ignores "off"
        return graded
    return (ThinkLevel.OFF, ThinkLevel.ON, *graded, ThinkLevel.MAX)


def badge(model: ModelInfo) -> str:
    """What a model can do, in a word or two; "" when the server does not tell."""
    words: list[str] = []
    if model.capabilities is not None:
        words.append(tr("tools") if "tools" in model.capabilities else tr("no tools"))
        more = {"vision": tr("vision"), "thinking": tr("thinking")}
        words.extend(word for key, word in more.items() if key in model.capabilities)
    if model.remote:
        words.append(tr("runs elsewhere"))
    return tr(", ").join(words)
