"""Reads one line from each who comes in and answers it, all on one thread: nobody can use up more than that.

Who says nothing is sent away after a while; where too many are waiting, the longest there goes, so that those who
speak at once always get through. Counterparts: `doors`, `listening`.
"""

from __future__ import annotations

import selectors
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Event

from metona_tk.instance.doors import Door
from metona_tk.instance.messages import MOST, PATIENCE

_MOST_AT_ONCE = 8  # connections
_BLOCK = 16 * 1024


@dataclass(slots=True, eq=False)
class _Guest:
    connection: socket.socket
    until: float
    said: bytearray = field(default_factory=bytearray)


class Reception:
    """`reply` gets a line and makes the answer, or None: then there is none."""

    def __init__(self, door: Door, listener: socket.socket, reply: Callable[[bytes], bytes | None]) -> None:
        self._door, self._listener, self._reply = door, listener, reply
        self._guests: list[_Guest] = []  # the longest there first
        self._closed = Event()
        self._bell, self._ringer = socket.socketpair()
        self._selector = selectors.DefaultSelector()
        for each in (listener, self._bell):
            each.setblocking(False)
            self._selector.register(each, selectors.EVENT_READ)

    def run(self) -> None:
        """Until `close`."""
        while not self._closed.is_set():
            for key, _ in self._selector.select(self._soonest()):
                if isinstance(key.data, _Guest):
                    if key.data in self._guests:  # not sent away just now
                        self._hear(key.data)
                elif key.fileobj is self._listener:
                    self._let_in()
            self._send_late_away()
        self._end()

    def close(self) -> None:
        """Have `run` end."""
        self._closed.set()
        with suppress(OSError):
            self._ringer.send(b"!")

    def _end(self) -> None:
        for guest in list(self._guests):
            self._send_away(guest)
        self._selector.close()
        for each in (self._listener, self._bell, self._ringer):
            each.close()

    def _soonest(self) -> float | None:
        return max(self._guests[0].until - time.monotonic(), 0.0) if self._guests else None

    def _let_in(self) -> None:
        try:
            connection, _ = self._listener.accept()
        except BlockingIOError:
            return
        except OSError:
            self._make_room()
            return
        if not self._is_welcome(connection):
            connection.close()
            return
        connection.setblocking(False)
        while len(self._guests) >= _MOST_AT_ONCE:
            self._send_away(self._guests[0])
        guest = _Guest(connection, time.monotonic() + PATIENCE)
        self._guests.append(guest)
        self._selector.register(connection, selectors.EVENT_READ, guest)
        self._hear(guest)

    def _make_room(self) -> None:
        """There may be no descriptors left."""
        if self._guests:
            self._send_away(self._guests[0])
        else:
            self._closed.wait(0.1)

    def _is_welcome(self, connection: socket.socket) -> bool:
        with suppress(OSError):
            if self._door.admits(connection):
                return True
        import logging

        logging.getLogger("metona_tk").warning("a process of another user knocked and was sent away")
        return False

    def _hear(self, guest: _Guest) -> None:
        try:
            block = guest.connection.recv(_BLOCK)
        except BlockingIOError:
            return
        except OSError:
            block = b""
        guest.said += block
        if block.endswith(b"\n") or len(guest.said) > MOST:
            self._answer(guest)
        elif not block:
            self._send_away(guest)

    def _answer(self, guest: _Guest) -> None:
        line = bytes(guest.said) if len(guest.said) <= MOST else b""
        with suppress(OSError):  # it went away
            if not _has_left(guest.connection):
                guest.connection.send(self._reply(line) or b"")
        self._send_away(guest)

    def _send_late_away(self) -> None:
        now = time.monotonic()
        while self._guests and self._guests[0].until <= now:
            self._send_away(self._guests[0])

    def _send_away(self, guest: _Guest) -> None:
        self._guests.remove(guest)
        self._selector.unregister(guest.connection)
        guest.connection.close()


def _has_left(connection: socket.socket) -> bool:
    """Whether the other end waits no longer: it told its user so, and what it wished would come as a surprise."""
    try:
        return not connection.recv(1, socket.MSG_PEEK)
    except BlockingIOError:
        return False
