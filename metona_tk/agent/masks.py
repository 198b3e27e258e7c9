"""The masking of one chat: what may be seen of a file, and its placeholders put back (SPEC 2.5). The Masker is made at
first use, since its patterns take a while to load.
"""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from metona_tk.protocol.problems import Code
from metona_tk.protocol.values import Result
from metona_tk.tools.base import KeyScan, ToolFailed, one_line

if TYPE_CHECKING:
    from metona_tk.security.masking import Masker, Veil

_TOLD = 100_000  # characters of what the user said last


@dataclass(slots=True)
class Masks:
    """Placeholders by file (absolute, resolved); thread-safe."""

    told: str = ""  # what the user has said in this chat: no secret to find out
    _masker: Masker | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def masker(self) -> Masker:
        """The one of this chat."""
        with self._lock:
            if self._masker is None:
                from metona_tk.security.masking import Masker

                self._masker = Masker()
            return self._masker

    def hear(self, said: str) -> None:
        """Remember the user's words."""
        self.told = f"{self.told}\n{said}"[-_TOLD:]

    def key_scan(self) -> KeyScan:
        """A scan that tells whether a piece of a file begins inside a private key."""
        from metona_tk.security.key_blocks import KeyScan as Scan

        return Scan()

    def last(self, result: Result) -> Result:
        """A result as it leaves the program: no token in a name, no value that was hidden elsewhere in this chat."""
        put = self.masker.mask_known
        return dataclasses.replace(
            result,
            data=_each_text(result.data, put),
            note=_each_text(result.note, put),
            text=put(result.text),
            error=_each_text(result.error, put),
        )

    def logged(self, value: Any, most: int) -> Any:
        """Arguments for the log: secrets are gone, texts longer than `most` characters cut behind that."""
        return _each_text(value, lambda text: self._logged(text, most))

    def _logged(self, text: str, most: int) -> str:
        from metona_tk.security.masking import mask_unknown

        begun = text[: 4 * most]
        if len(begun) < len(text):  # a secret that is cut would not be known: only whole words are looked at
            begun = begun[: max(begun.rfind(end) for end in " \n") + 1]
        masked = self.masker.mask_known(mask_unknown(begun))
        cut = len(masked) > most or len(begun) < len(text)
        return f"{masked[:most]}… ({len(text)} characters)" if cut else masked

    def renamed(self, old: str, new: str) -> None:
        """A file has another name: its placeholders go with it."""
        self.masker.renamed(old, new)

    def veils(self, path: str, text: str, everything: bool) -> Iterator[Veil]:
        """Text of the file as it may be seen, and then as it may be matched: with what the user has said, or all of
        it, in clear.
        """
        from metona_tk.security.masking import Veil

        yield self.masker.veil(path, text)
        if everything:
            yield Veil(text)
        elif self.told:
            yield self.masker.veil(path, text, self.told)

    def uncovers(self, path: str, text: str, new_path: str, new_text: str) -> bool:
        """Whether a change would leave a masked value without what tells that it is one."""
        return self.masker.uncovers(path, text, new_path, new_text, self.told)

    def canonical(self, path: str, name: str, text: str) -> str:
        """Text with the file's placeholders as they are shown. ToolFailed(masked_content) for any other."""
        return self._own(self.masker.canonical, path, name, text)

    def unmask(self, path: str, name: str, text: str) -> str:
        """New text for the file with its own secrets put back. ToolFailed(masked_content) for any other placeholder."""
        return self._own(self.masker.unmask, path, name, text)

    @staticmethod
    def _own(put: Callable[[str, str], str], path: str, name: str, text: str) -> str:
        from metona_tk.security.masking import MaskedContent

        try:
            return put(path, text)
        except MaskedContent as error:
            raise ToolFailed(
                Code.MASKED_CONTENT,
                f"{one_line(error.placeholder)} stands for a masked secret that is not in {name}, and nothing was "
                f"changed. Leave placeholders as they are in what you read from {name}, or leave that part out.",
            ) from error


def _each_text(value: Any, put: Callable[[str], str]) -> Any:
    """The same lists, tables and numbers with every text in them, names of keys too, replaced."""
    known: dict[str, str] = {}  # rows of a table have most of their texts in common

    def replaced(value: Any) -> Any:
        if isinstance(value, str):
            if value not in known:
                known[value] = put(value)
            return known[value]
        if isinstance(value, dict):
            table: dict[Any, Any] = value  # pyright: ignore[reportUnknownVariableType]
            return {replaced(key): replaced(each) for key, each in table.items()}
        if isinstance(value, (list, tuple)):
            items: list[Any] = list(value)  # pyright: ignore[reportUnknownArgumentType]
            return [replaced(each) for each in items]
        return value

    return replaced(value)
