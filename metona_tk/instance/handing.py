"""The second start's side: gives a wish to the program that runs. Counterpart: `listening`."""

from __future__ import annotations

import socket
import time

from metona_tk.instance.doors import Door
from metona_tk.instance.messages import Refused, Silent, encode, is_taken
from metona_tk.protocol.handed import Handed

_LONGEST_ANSWER = 200  # bytes
_LEAST = 0.1  # s


def hand_over(door: Door, wish: Handed, end: float) -> bool:
    """Give the wish to the program behind the door; False when none is there, or it went away.

    Until `end` (of time.monotonic()); HandOverFailed when it does not answer until then, or does not want the wish.
    """
    try:
        with door.connect(_left(end)) as connection:
            line = _exchange(connection, encode(wish, door.token), end)
    except TimeoutError:
        raise Silent from None
    except OSError:
        return False
    if not line.endswith(b"\n"):
        return False  # it ended at that moment, so it did not take the wish
    if not is_taken(line):
        raise Refused
    return True


def _left(end: float) -> float:
    return max(end - time.monotonic(), _LEAST)


def _exchange(connection: socket.socket, line: bytes, end: float) -> bytes:
    """Send a line; the line that comes back, or what there was of it."""
    connection.settimeout(_left(end))
    connection.sendall(line)
    answer = b""
    while not answer.endswith(b"\n") and len(answer) < _LONGEST_ANSWER:
        if time.monotonic() > end:
            raise TimeoutError
        connection.settimeout(_left(end))
        block = connection.recv(_LONGEST_ANSWER)
        if not block:
            break
        answer += block
    return answer
