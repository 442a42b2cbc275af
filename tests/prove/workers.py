"""Real gunicorn workers on a test's database, and clients that come to them over HTTP all at once."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Barrier
from types import TracebackType
from typing import Any, Self, TypeVar

import httpx

from db.cluster import HOST, free_port
from db.keys import Keys
from db.urls import DatabaseUrls
from tests.office import KEYS

METRICS, METRICS_TOKEN = "METRICS_TOKEN", "a-token-for-figures"
FAULTS = ("unexpected_error", "batch_not_sold_together", "Error handling request")
"""What a log must not say, whatever is killed."""
AWAY = "database_unavailable"
"""What a log says where the database was not there for a request; nobody may see it where it was."""

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 30.0
Answer = TypeVar("Answer")


def faults_in(log: Path, *others: str) -> list[str]:
    """The lines of a log that tell a fault of the house's own, or one of ``others``."""
    with log.open(encoding="utf-8", errors="replace") as lines:
        return [line[:4000] for line in lines if any(fault in line for fault in (*FAULTS, *others))]


class Workers:
    """The application as it is deployed: ``processes`` gunicorn workers of ``threads`` threads each (DESIGN 4).

    The master leads a process group of its own, and the whole group is ended with it, whatever a test does.
    """

    def __init__(
        self,
        urls: DatabaseUrls,
        log: Path,
        *,
        processes: int = 4,
        threads: int = 8,
        application: str = "wsgi:app",
        settings: str = "api.gunicorn_settings",
        keys: Keys = KEYS,
        options: tuple[str, ...] = (),
    ) -> None:
        self.url = f"http://{HOST}:{free_port()}"
        self.log = log
        size = {"WORKERS": str(processes), "THREADS": str(threads)}
        # Whoever sells needs no address of owner or administrator, and is given none.
        addresses = replace(urls, owner=None, admin=None).environment()
        self._environment = {**os.environ, **addresses, **keys.environment(), **size, METRICS: METRICS_TOKEN}
        given = ("--config", f"python:{settings}", "--bind", self.url.removeprefix("http://"), *options)
        self._command = (sys.executable, "-m", "gunicorn", *given, application)

    def __enter__(self) -> Self:
        with self.log.open("ab") as log:
            self._master = subprocess.Popen(
                self._command, cwd=ROOT, env=self._environment, stdout=log, stderr=log, start_new_session=True
            )
        try:
            self._wait_until_served()
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def kill(self) -> None:
        """Kill every worker as a crash would, in the middle of whatever it does; the master starts new ones."""
        for worker in self.processes():
            os.kill(worker, signal.SIGKILL)

    @property
    def master(self) -> int:
        """The process that starts the workers."""
        return self._master.pid

    def processes(self) -> list[int]:
        """The workers there are at this moment."""
        children = Path(f"/proc/{self._master.pid}/task/{self._master.pid}/children").read_text("ascii")
        return [int(worker) for worker in children.split()]

    def _wait_until_served(self) -> None:
        patient_until = time.monotonic() + PATIENCE
        while True:
            assert self._master.poll() is None, self.log.read_text("utf-8")
            try:
                httpx.get(self.url + "/healthz", timeout=5)
                return
            except httpx.TransportError:
                assert time.monotonic() < patient_until, self.log.read_text("utf-8")
                time.sleep(0.05)

    def _end(self) -> None:
        self._master.terminate()
        try:
            self._master.wait(timeout=10)
        except subprocess.TimeoutExpired:
            os.killpg(self._master.pid, signal.SIGKILL)
            self._master.wait()


class Line:
    """Somebody's line to the workers: what `tests.office.Member` is inside a process, over HTTP.

    Every line may be used by many threads; each request comes on a connection of its own thread's, as from another
    terminal or browser window.
    """

    _numbers = itertools.count(1)

    def __init__(self, clients: httpx.Client, token: str) -> None:
        self._clients = clients
        self.headers = {"Authorization": f"Bearer {token}"}

    def get(self, path: str, **query: Any) -> httpx.Response:
        """GET /api/v1 + path."""
        return self._clients.get("/api/v1" + path, params=query, headers=self.headers)

    def post(self, path: str, body: dict[str, Any] | None = None, key: str | None = None) -> httpx.Response:
        """POST /api/v1 + path with an idempotency key."""
        headers = {**self.headers, "Idempotency-Key": key or f"line-key-{next(self._numbers):08}"}
        return self._clients.post("/api/v1" + path, json=body, headers=headers)

    def put(self, path: str, body: dict[str, Any]) -> httpx.Response:
        """PUT /api/v1 + path."""
        return self._clients.put("/api/v1" + path, json=body, headers=self.headers)

    def written(self, path: str, body: str, key: str) -> httpx.Response:
        """POST /api/v1 + path with a body exactly as it is written."""
        headers = {**self.headers, "Idempotency-Key": key, "Content-Type": "application/json"}
        return self._clients.post("/api/v1" + path, content=body.encode(), headers=headers)

    def bet(self, outcome: str, stake: str, pool: str = "P1", key: str | None = None) -> httpx.Response:
        """Place a bet."""
        return self.post("/pool-bets", {"pool": pool, "outcome": outcome, "stake": stake}, key)


def clients_of(workers: Workers) -> httpx.Client:
    """Connections to the workers, as many as threads ask for."""
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=64, keepalive_expiry=5)
    return httpx.Client(base_url=workers.url, limits=limits, timeout=60)


def at_once(calls: Sequence[Callable[[], Answer]]) -> list[Answer]:
    """Make all calls at the same moment, each in a thread of its own; their answers in the order of the calls."""
    start = Barrier(len(calls))

    def call(one: Callable[[], Answer]) -> Answer:
        start.wait()
        return one()

    with ThreadPoolExecutor(len(calls)) as threads:
        return list(threads.map(call, calls))
