"""Connections that another thread can end at once, also while they connect or wait for the first byte.

Before the first line there is no response object yet, and closing a urllib3 response from another thread can hang; so
the socket itself is kept and shut down, which the server notices.
"""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Callable
from typing import Any

import requests
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.exceptions import ConnectTimeoutError, NewConnectionError
from urllib3.poolmanager import PoolManager

from metona_tk.backends.base import CancelToken
from metona_tk.backends.ollama.address import is_loopback

CONNECT_SECONDS = 5.0


class SocketKeeper:
    """The sockets of one request; `shutdown` ends them from any thread."""

    def __init__(self) -> None:
        self._sockets: list[socket.socket] = []
        self._ended = False

    def keep(self, opened: socket.socket) -> None:
        """Remember a socket, before it connects."""
        self._sockets.append(opened)
        if self._ended:
            _end(opened)

    def shutdown(self) -> None:
        """End every socket; harmless on closed ones."""
        self._ended = True
        for opened in list(self._sockets):
            _end(opened)


def _end(opened: socket.socket) -> None:
    # not connected yet, or closed already: either way there is nothing left to end
    with contextlib.suppress(OSError):
        opened.shutdown(socket.SHUT_RDWR)


def _addresses(host: str, port: int) -> list[tuple[Any, ...]]:
    try:
        found: list[tuple[Any, ...]] = list(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
    except (OSError, UnicodeError):
        if host != "localhost":
            raise
        found = []
    if host == "localhost":  # where it means IPv6 only, the server may still listen on IPv4
        found += [
            (socket.AF_INET, socket.SOCK_STREAM, 0, "", ("127.0.0.1", port)),
            (socket.AF_INET6, socket.SOCK_STREAM, 0, "", ("::1", port)),
        ]
    return found


def _connect(connection: HTTPConnection, keep: Callable[[socket.socket], None]) -> socket.socket:
    last: OSError | None = None
    host = connection._dns_host  # pyright: ignore[reportPrivateUsage]
    try:
        addresses = _addresses(host.strip("[]"), connection.port)
    except (OSError, UnicodeError) as error:
        raise NewConnectionError(connection, f"no such host: {error}") from error
    for family, kind, number, _, address in addresses:
        opened: socket.socket | None = None
        try:
            opened = socket.socket(family, kind, number)
            keep(opened)
            opened.settimeout(CONNECT_SECONDS)
            opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            opened.connect(address)
            return opened
        except TimeoutError as error:
            last = error
        except OSError as error:
            last = error
        if opened is not None:
            opened.close()
    if isinstance(last, TimeoutError):
        raise ConnectTimeoutError(connection, "connecting took too long")
    raise NewConnectionError(connection, f"no connection: {last}")


class _Adapter(HTTPAdapter):
    """An adapter whose pools make connections that are kept."""

    def __init__(self, keeper: SocketKeeper) -> None:
        self._keeper = keeper
        super().__init__(pool_connections=1, pool_maxsize=1)

    def init_poolmanager(self, *args: Any, **options: Any) -> None:
        keep = self._keeper.keep

        class Plain(HTTPConnection):
            def _new_conn(self) -> socket.socket:
                return _connect(self, keep)

        class Secure(HTTPSConnection):
            def _new_conn(self) -> socket.socket:
                return _connect(self, keep)

            def connect(self) -> None:
                super().connect()
                if isinstance(self.sock, socket.socket):
                    keep(self.sock)  # TLS has taken the first one over

        class PlainPool(HTTPConnectionPool):
            ConnectionCls = Plain  # pyright: ignore[reportAssignmentType]

        class SecurePool(HTTPSConnectionPool):
            ConnectionCls = Secure  # pyright: ignore[reportAssignmentType]

        options.pop("block", None)
        self.poolmanager = PoolManager(num_pools=1, maxsize=1)
        self.poolmanager.pool_classes_by_scheme = {"http": PlainPool, "https": SecurePool}


def new_session(address: str, cancel: CancelToken) -> tuple[requests.Session, Callable[[], None]]:
    """A session for one request to `address`, ended by `cancel`; the second value gives everything back."""
    keeper = SocketKeeper()
    session = requests.Session()
    session.max_redirects = 0  # a chat goes to the address that the user named, and nowhere else
    session.trust_env = not is_loopback(address)
    session.mount("http://", _Adapter(keeper))
    session.mount("https://", _Adapter(keeper))
    forget = cancel.on_cancel(keeper.shutdown)

    def close() -> None:
        forget()
        keeper.shutdown()
        session.close()

    return session, close
