"""A receiver of webhooks as somebody else would run it, on this machine: it answers what it is told to."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Receiver:
    """What came, in order: headers and body. ``answers`` are the statuses to give, then 204 for ever.

    ``meanwhile`` is done after a request is on record and before it is answered.
    """

    answers: list[int] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)
    meanwhile: Callable[[], None] = lambda: None
    came: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    url: str = ""

    @property
    def keys(self) -> list[str]:
        """The ids of the messages that came."""
        return [headers["webhook-id"] for headers, _ in self.came]


@contextmanager
def receiving(receiver: Receiver, tls: ssl.SSLContext | None = None) -> Iterator[Receiver]:
    """The receiver listens in the block, with a certificate if one is given."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            receiver.came.append(({name.lower(): value for name, value in self.headers.items()}, body))
            receiver.meanwhile()
            self.send_response(receiver.answers.pop(0) if receiver.answers else 204)
            for name, value in receiver.headers.items():
                self.send_header(name, value)
            self.end_headers()

        do_GET = do_POST  # noqa: N815

        def log_message(self, *_arguments: Any) -> None:
            """Say nothing on the screen of the tests."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    receiver.url = f"http{'s' if tls else ''}://127.0.0.1:{server.server_port}/alarms?token=hidden"
    try:
        yield receiver
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
