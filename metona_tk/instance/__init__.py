"""One program for each user, screen and folder of data: a second start gives its wish to the first and ends.

Imports little, since a second start has to be over at once; what only the first needs is imported late. A lock says
who is first. Counterparts: `__main__`, which begins here, and `desktop`, which takes the wishes.
"""

from __future__ import annotations

import time

from metona_tk.instance.command_line import wish_of
from metona_tk.instance.handing import hand_over
from metona_tk.instance.messages import PATIENCE, HandOverFailed, Refused, Silent, TooLong
from metona_tk.instance.place import Place, find_place, let_go
from metona_tk.protocol.handed import Handed

TYPE_CHECKING = False  # not out of `typing`, whose import takes longer than what is done here
if TYPE_CHECKING:
    from metona_tk.instance.listening import Instance

__all__ = ["HandOverFailed", "Refused", "Silent", "TooLong", "begin", "wish_of"]
_PAUSE = 0.02  # s


def begin(wish: Handed) -> Instance | None:
    """The first program's place, or None: the wish was given to the one that runs. HandOverFailed when that one does
    not take it. Where no place can be had, a program without one, which says why.
    """
    place = find_place()
    if place is None:
        return _alone("no folder for a socket is the user's alone")
    try:
        return _begin(place, wish)
    except (OSError, RuntimeError) as error:  # no room, no right, no thread
        return _alone(f"no socket: {error}")


def _alone(trouble: str) -> Instance:
    from metona_tk.instance.listening import Instance

    return Instance(trouble=trouble)


def _begin(place: Place, wish: Handed) -> Instance | None:
    end = time.monotonic() + PATIENCE
    while True:
        lock = place.take_lock()
        if lock is not None:
            return _first(place, lock, wish, end)
        if hand_over(place.door, wish, end):
            return None
        if time.monotonic() > end:
            raise Silent
        time.sleep(_PAUSE)  # it holds the lock and is about to listen, or about to end


def _first(place: Place, lock: int, wish: Handed, end: float) -> Instance | None:
    made: Instance | None = None
    try:
        # one may listen that holds no lock any more: files in the folders of the system are cleared away by age
        if not (place.door.tells_who and hand_over(place.door, wish, end)):
            from metona_tk.instance.listening import Instance

            made = Instance(place, lock)
        return made
    finally:
        if made is None:
            let_go(lock)
