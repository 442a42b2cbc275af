"""A line that is kept open and costs its sender little: requests go out as bytes, http.client reads answers."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse
from typing import Any
from urllib.parse import urlsplit

IDLE = 60.0
"""Seconds after which a line that lay idle is not used again: the server closes it after 75."""
PATIENCE = 120.0
Headers = Iterable[tuple[str, str]]


class LineBrokenError(Exception):
    """No answer came: the line was refused, broke, or what came was no HTTP."""


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        """The body read as JSON."""
        return json.loads(self.body)

    @property
    def code(self) -> str:
        """The problem's code, or nothing where it is none of ours."""
        if self.headers.get("content-type") != "application/problem+json":
            return ""
        return str(self.json()["code"])

    @property
    def text(self) -> str:
        """The beginning of the body, for whoever reads of a failure."""
        return self.body[:600].decode("utf-8", "replace")


def request(method: str, path: str, headers: Headers = (), body: bytes = b"") -> bytes:
    """A request as it goes over the line, with the length of its body unless a header tells another."""
    told = dict(headers)
    if method not in ("GET", "HEAD") and not {"Content-Length", "Transfer-Encoding"} & told.keys():
        told["Content-Length"] = str(len(body))
    lines = [f"{method} {path} HTTP/1.1", "Host: house", *(f"{name}: {value}" for name, value in told.items())]
    return "\r\n".join(lines).encode("utf-8", "surrogatepass") + b"\r\n\r\n" + body


class Wire:
    """A line of one thread's own to a server; a new one is laid whenever the last has come to its end."""

    def __init__(self, url: str) -> None:
        address = urlsplit(url)
        assert address.hostname and address.port
        self._address = (address.hostname, address.port)
        self._socket: socket.socket | None = None
        self.used_at = time.monotonic()

    def send(self, sent: bytes, method: str = "POST") -> Answer:
        """Send a request as it is; its answer. Raises: LineBrokenError."""
        self.put(sent)
        return self.answer(method)

    def put(self, sent: bytes, piece: int = 0, pause: float = 0.0) -> None:
        """Send, in pieces with pauses between where a size is told, without waiting for what comes back."""
        try:
            line = self._line()
            for place in range(0, len(sent), piece or len(sent)):
                line.sendall(sent[place : place + piece] if piece else sent)
                time.sleep(pause)
        except OSError as broken:
            self.hang_up()
            raise LineBrokenError(repr(broken)) from broken

    def answer(self, method: str = "POST") -> Answer:
        """What comes back for one request that was sent."""
        try:
            told = HTTPResponse(self._line(), method=method)
            told.begin()
            headers = {name.lower(): value for name, value in told.getheaders()}
            answer = Answer(told.status, headers, told.read())
        except (OSError, HTTPException) as broken:
            self.hang_up()
            raise LineBrokenError(repr(broken)) from broken
        if told.will_close:
            self.hang_up()
        self.used_at = time.monotonic()
        return answer

    def hang_up(self) -> None:
        """End the line, whatever is under way on it."""
        line, self._socket = self._socket, None
        if line is not None:
            with suppress(OSError):
                line.close()

    def _line(self) -> socket.socket:
        if self._socket is not None and time.monotonic() - self.used_at > IDLE:
            self.hang_up()
        if self._socket is None:
            self._socket = socket.create_connection(self._address, timeout=PATIENCE)
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.used_at = time.monotonic()
        return self._socket
