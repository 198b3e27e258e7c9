"""The first program: takes the wishes of later starts until it ends. Counterpart: `handing`."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from queue import SimpleQueue

from metona_tk.instance.messages import answer, decode
from metona_tk.instance.place import Place, let_go
from metona_tk.instance.reception import Reception
from metona_tk.protocol.handed import Handed

_MOST_WAITING = 100  # wishes that nobody has looked at yet
_LONGEST_END = 1.0  # s

Take = Callable[[Handed], object]


class Instance:
    """Holds the place. Without one nothing can be given to it, as `trouble` says, and every start opens a window."""

    def __init__(self, place: Place | None = None, lock: int | None = None, trouble: str = "") -> None:
        self.trouble = trouble
        self._place, self._lock = place, lock
        self._wishes: SimpleQueue[Handed | None] = SimpleQueue()
        self._giving = threading.Lock()
        self._closed = False
        self._reception: Reception | None = None
        if place is not None:
            self._reception = Reception(place.door, place.door.open(), self._reply)
            self._thread = threading.Thread(target=self._reception.run, name="instance", daemon=True)
            self._thread.start()

    def listen(self, take: Take) -> None:
        """Call `take` with each wish, on a thread of its own; those that came before are not lost."""
        threading.Thread(target=self._give, args=(take,), name="wishes", daemon=True).start()

    def _give(self, take: Take) -> None:
        while (wish := self._wishes.get()) is not None:
            try:
                take(wish)
            except Exception:
                logging.getLogger("metona_tk").exception("a wish could not be carried out")

    def _reply(self, line: bytes) -> bytes | None:
        """None: the program ends, or cannot keep up; the other start may try once more, or be the first."""
        wish = decode(line, self._place.door.token) if self._place is not None else None
        if wish is None:
            return answer(False)
        with self._giving:
            if self._closed or self._wishes.qsize() >= _MOST_WAITING:
                return None
            self._wishes.put(wish)
        return answer(True)

    def close(self) -> None:
        """Nothing is taken any more; what was made for it is gone, and the next start is the first."""
        with self._giving:
            already, self._closed = self._closed, True
        if already:
            return
        self._wishes.put(None)
        if self._reception is not None and self._place is not None:
            self._place.door.remove()
            self._reception.close()
            self._thread.join(_LONGEST_END)
        if self._lock is not None:
            let_go(self._lock)
