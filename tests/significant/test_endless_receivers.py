"""A receiver that keeps answering and never ends is left in time: each step is short, and the whole has an end."""

from __future__ import annotations

import base64
import socket
import time
from collections.abc import Callable
from threading import Thread

import pytest

from office.alarms import webhook
from office.alarms.message import Message
from office.alarms.webhook import SendingError, webhook_at

SECRET = base64.b64encode(bytes(range(32))).decode()


def still_working(line: socket.socket) -> None:
    """Say every now and then that the answer is to come."""
    while True:
        line.sendall(b"HTTP/1.1 102 Processing\r\n\r\n")
        time.sleep(0.1)


def one_byte_at_a_time(line: socket.socket) -> None:
    """Begin a header and never end it."""
    line.sendall(b"HTTP/1.1 200 OK\r\nX-Endless: ")
    while True:
        line.sendall(b"a")
        time.sleep(0.1)


@pytest.mark.parametrize("answering", [still_working, one_byte_at_a_time])
def test_an_endless_answer_is_left(monkeypatch: pytest.MonkeyPatch, answering: Callable[[socket.socket], None]) -> None:
    monkeypatch.setattr(webhook, "PATIENCE", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as server:
        Thread(target=_answer, args=(server, answering), daemon=True).start()
        receiver = webhook_at(f"http://127.0.0.1:{server.getsockname()[1]}/alarms", SECRET)
        with pytest.raises(SendingError):
            receiver.send(Message("key", 1, "books_broken", "alarm", "audit:books", "{}"))


def _answer(server: socket.socket, answering: Callable[[socket.socket], None]) -> None:
    line, _ = server.accept()
    with line:
        line.recv(65536)
        try:
            answering(line)
        except OSError:
            return
