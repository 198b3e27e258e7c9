"""The wishes that a second start gives to the program that runs. Written out, not decorated: the second start is over
before what builds dataclasses would be loaded. Counterparts: `instance`, `protocol.wishes`.
"""

from __future__ import annotations


class _Handed:
    """`folder` (absolute) None: the chat keeps its own. `question` "" asks nothing. Not to be changed."""

    __slots__ = ("folder", "model", "question")
    __match_args__ = ("folder", "model", "question")

    def __init__(self, folder: str | None = None, model: str = "", question: str = "") -> None:
        self.folder, self.model, self.question = folder, model, question

    def _fields(self) -> tuple[type, str | None, str, str]:
        return type(self), self.folder, self.model, self.question

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Handed) and self._fields() == other._fields()

    def __hash__(self) -> int:
        return hash(self._fields())

    def __repr__(self) -> str:
        return f"{type(self).__name__}(folder={self.folder!r}, model={self.model!r}, question={self.question!r})"


class ShowWindow(_Handed):
    """Bring the window to the front."""

    __slots__ = ()


class AskQuickly(_Handed):
    """Bring the small window for a quick question to the front."""

    __slots__ = ()


Handed = ShowWindow | AskQuickly
