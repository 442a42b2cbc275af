"""The task worker's own process: told to end, it ends, whatever its database does meanwhile."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest

from api.commands.worker import READY
from db.urls import DatabaseUrls, parts
from tests.office import KEYS

CHECKOUT = Path(__file__).resolve().parents[2]
PATIENCE = 60.0
SOON = 20.0
"""Seconds that a busy machine may take to end a process that has nothing in hand."""


@contextmanager
def silent_after_one(port: int) -> Iterator[int]:
    """A port that leads one connection to another port; who comes later is let in and told nothing."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        Thread(target=_lead_one, args=(server, port), daemon=True).start()
        yield server.getsockname()[1]


def _lead_one(server: socket.socket, port: int) -> None:
    client, _ = server.accept()
    with client, socket.create_connection(("127.0.0.1", port)) as database:
        back = Thread(target=_pump, args=(database, client), daemon=True)
        back.start()
        _pump(client, database)
        back.join()


def _pump(source: socket.socket, sink: socket.socket) -> None:
    while told := source.recv(65536):
        sink.sendall(told)
    sink.shutdown(socket.SHUT_WR)


@pytest.mark.prove
def test_told_to_end_while_the_database_says_nothing_it_ends(database: DatabaseUrls, tmp_path: Path) -> None:
    """Its look at the revision was answered, its queue's connection is not: the order to end must not be lost."""
    port, log = int(parts(database.app)["port"]), tmp_path / "log"
    with silent_after_one(port) as silent, log.open("wb") as told:
        url = database.app.replace(f":{port}/", f":{silent}/") + "?connect_timeout=2"
        process = subprocess.Popen(
            (sys.executable, "-m", "flask", "--app", "wsgi", "worker"),
            cwd=CHECKOUT,
            env={**os.environ, **KEYS.environment(), "DATABASE_URL": url},
            stdout=told,
            stderr=told,
        )
        try:
            _wait_for(READY, log, process)
            time.sleep(0.5)
            process.terminate()
            assert process.wait(SOON) == 0, log.read_text("utf-8")
        finally:
            process.kill()
            process.wait()


def _wait_for(words: str, log: Path, process: subprocess.Popen[bytes]) -> None:
    patient_until = time.monotonic() + PATIENCE
    while words not in log.read_text("utf-8"):
        assert process.poll() is None and time.monotonic() < patient_until, log.read_text("utf-8")
        time.sleep(0.05)
