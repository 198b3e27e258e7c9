"""Which model a turn uses and what it can do; what a server refused once is remembered for that model."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field, replace

from metona_tk.backends.base import Backend, CancelToken, Capabilities
from metona_tk.protocol.problems import ProblemCode, ProblemError
from metona_tk.protocol.values import EXAMPLE_MODEL, ModelInfo, ThinkLevel

_NEVER_OFF = "gptoss"  # a family that ignores being told not to think (OLLAMA.md)
_LOOKED_AT = 12  # models asked one by one on a server whose list does not tell what they can do


@dataclass(slots=True)
class ModelMemory:
    """What is known of a server's models; shared by all turns."""

    _known: dict[str, Capabilities] = field(default_factory=dict[str, Capabilities])
    _no_tools: set[str] = field(default_factory=set[str])
    _no_thinking: set[str] = field(default_factory=set[str])
    _no_levels: set[str] = field(default_factory=set[str])
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def refused_tools(self, backend: Backend, model: str) -> None:
        """The server said that this model has no tools, whatever its capabilities say."""
        with self._lock:
            self._no_tools.add(f"{backend.address} {model}")

    def refused_thinking(self, backend: Backend, model: str, think: bool | str) -> None:
        """The server refused this: a level, so that it is only switched on from now on; or to be told at all."""
        with self._lock:
            refused = self._no_levels if isinstance(think, str) else self._no_thinking
            refused.add(f"{backend.address} {model}")

    def capabilities(self, backend: Backend, model: str, cancel: CancelToken) -> Capabilities:
        """Ask once for each server and model. ProblemError(model_missing) when it is not there."""
        key = f"{backend.address} {model}"
        found = self._known.get(key)
        if found is None:
            found = backend.capabilities(model, cancel)
            with self._lock:
                self._known[key] = found
        return replace(
            found,
            tools=found.tools and key not in self._no_tools,
            thinking=found.thinking and key not in self._no_thinking,
            levels=key not in self._no_levels,
        )

    def forget(self) -> None:
        """Ask again next time: the models may have changed."""
        with self._lock:
            self._known.clear()
            self._no_tools.clear()
            self._no_thinking.clear()
            self._no_levels.clear()


def think_value(level: ThinkLevel, can: Capabilities) -> bool | str | None:
    """What a request says of thinking; None = nothing, for a model that cannot."""
    if not can.thinking:
        return None
    if level is ThinkLevel.OFF and can.family == _NEVER_OFF:
        return ThinkLevel.LOW.value if can.levels else True
    if level in {ThinkLevel.OFF, ThinkLevel.DEFAULT}:
        return False
    return True if level is ThinkLevel.ON or not can.levels else level.value


def choose(models: list[ModelInfo], last: str) -> str:
    """The last used if it is there, else the first with tools as the list tells, else "" (the list does not tell)."""
    names = [model.name for model in models]
    if last in names or f"{last}:latest" in names:
        return last
    for model in models:
        if model.capabilities is not None and "tools" in model.capabilities:
            return model.name
    return ""


def choose_model(backend: Backend, memory: ModelMemory, requested: str, last: str, cancel: CancelToken) -> str:
    """The model of a turn (SPEC 6.11). ProblemError(no_models) when there is none at all."""
    if requested:
        return requested
    models = backend.models(cancel)
    if not models:
        raise ProblemError(ProblemCode.NO_MODELS, address=backend.address, example=EXAMPLE_MODEL)
    return choose_from(backend, memory, models, last, cancel)


def choose_from(backend: Backend, memory: ModelMemory, models: list[ModelInfo], last: str, cancel: CancelToken) -> str:
    """The one of `models` (at least one) that a turn uses when none was asked for."""
    if found := choose(models, last):
        return found
    for model in models[:_LOOKED_AT]:
        try:
            if model.capabilities is None and memory.capabilities(backend, model.name, cancel).tools:
                return model.name
        except ProblemError:
            continue  # one that cannot be looked at is not chosen, but must not keep the others from it
    return models[0].name
