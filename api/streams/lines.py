"""The line to a client that follows a stream: its socket, looked at from beside the thread that writes to it."""

from __future__ import annotations

import contextlib
import select
import socket
from collections.abc import Mapping
from typing import Any

SERVERS = ("gunicorn.socket", "werkzeug.socket")
"""Where a server of WSGI puts the socket."""


class Line:
    """A client's socket, or nothing to look at where the server shows none."""

    def __init__(self, sock: socket.socket | None) -> None:
        self._sock = sock

    @classmethod
    def of(cls, environ: Mapping[str, Any]) -> Line:
        """The line a request came on."""
        return cls(next((environ[name] for name in SERVERS if name in environ), None))

    def is_gone(self) -> bool:
        """Whether the client has closed it; a thread that waits for news would learn it by its next writing only."""
        if self._sock is None or self._sock.fileno() < 0:
            return False
        poll = select.poll()
        poll.register(self._sock, select.POLLRDHUP)
        return bool(poll.poll(0))

    def cut(self) -> None:
        """Break it off: a thread that is stuck in writing to it goes on with an error."""
        if self._sock is not None:
            with contextlib.suppress(OSError):
                self._sock.shutdown(socket.SHUT_RDWR)
