"""What the window knows of chat, turn, server and models; pure, so that its rules are tested without a window."""

from __future__ import annotations

from dataclasses import dataclass, field
from uuid import uuid4

from metona_tk.i18n import tr
from metona_tk.i18n.problems import problem_text
from metona_tk.protocol.problems import Problem, ProblemCode
from metona_tk.protocol.values import ModelInfo, ServerState


def new_id() -> str:
    """An id for a chat or a turn."""
    return uuid4().hex


@dataclass(slots=True)
class ChatState:
    """One chat and what surrounds it. `turn_id` None: no turn is running; `models` None: not told yet."""

    chat_id: str = field(default_factory=new_id)
    turn_id: str | None = None
    workspace: str | None = None
    model: str = ""
    models: tuple[ModelInfo, ...] | None = None
    server: ServerState | None = None
    retry_turn: str | None = None  # the failed turn that a Retry would go on from
    draft_of: dict[str, str] = field(default_factory=dict[str, str])  # question by turn, until the turn has begun

    @property
    def running(self) -> bool:
        """Whether a turn of this chat is running."""
        return self.turn_id is not None

    def info(self) -> ModelInfo | None:
        """What is known of the chosen model."""
        return next((model for model in self.models or () if model.name == self.model), None)

    def choose(self, models: tuple[ModelInfo, ...], chosen: str) -> None:
        """Take a new list; the user's choice stays while the server still has it."""
        self.models = models
        if self.model not in {model.name for model in models}:
            self.model = chosen

    def why_not(self) -> str:
        """Why a question cannot be sent now, in words; "" when it can."""
        if self.running:
            return problem_text(Problem(ProblemCode.TURN_RUNNING))
        if self.server is not None and not self.server.reachable:
            return tr("Not sent: the server is not reachable. Your text is kept.")
        if self.models is not None and not self.models:
            return tr("Not sent: the server has no model yet. Your text is kept.")
        return ""


def badge(model: ModelInfo) -> str:
    """What a model can do, in a word or two; "" when the server does not tell."""
    words: list[str] = []
    if model.capabilities is not None:
        words.append(tr("tools") if "tools" in model.capabilities else tr("no tools"))
    if model.remote:
        words.append(tr("runs elsewhere"))
    return tr(", ").join(words)
