"""The house as it is deployed, with streams beside it, on a server of its own; and what is measured of it."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from tests.api.figures import read
from tests.prove.kills.ground import Ground
from tests.prove.served import sized
from tests.prove.soak.measures import Measures, with_all_below
from tests.prove.soak.tally import Tally
from tests.prove.workers import METRICS_TOKEN, Workers, faults_in

CALLERS = "callers"
"""This process, in which all who call are threads."""
LAGS = ("seal_lag_seconds", "queue_lag_seconds")


class House:
    """The deployment on a server of its own, and what is measured of it."""

    def __init__(self, ground: Ground, streams: Workers, tally: Tally) -> None:
        self.ground, self.streams, self.tally = ground, streams, tally
        self.measures = Measures(self._processes)
        self.lags: list[tuple[float, float, float]] = []
        self.rates: list[tuple[float, int]] = []

    def _processes(self) -> dict[str, list[int]]:
        workers = self.ground.served.workers
        named = {f"API {number}": [process] for number, process in enumerate(sorted(workers.processes()), 1)}
        try:
            database = with_all_below(self.ground.postmaster())
        except OSError:
            database = []
        return {
            **named,
            "API's master": [workers.master],
            "streams": with_all_below(self.streams.master),
            "task worker": with_all_below(self.ground.task_worker.number),
            "PostgreSQL": database,
            CALLERS: [os.getpid()],
        }

    def look(self) -> None:
        """Measure processes, lags and how far the run is."""
        now, asked_at = self.tally.now(), time.monotonic()
        self.measures.look(now, self.tally.sent)
        self.rates.append((now, self.tally.sent))
        try:
            headers = {"Authorization": f"Bearer {METRICS_TOKEN}"}
            figures = read(httpx.get(self.ground.served.workers.url + "/metrics", headers=headers, timeout=30).text)
        except httpx.TransportError as broken:
            self.tally.lose(asked_at, "line broken", f"/metrics: {broken!r}")
            return
        # They are left out where the database is away, or takes too long to tell them.
        if figures["database_up"]:
            self.lags.append((now, *(figures[lag] for lag in LAGS)))
        else:
            self.tally.lose(asked_at, "lags not told", "/metrics")


@contextmanager
def deployed(folder: Path) -> Iterator[tuple[Ground, Workers]]:
    """API, task worker and streams on a database of their own; the API never says that anything is its own fault."""
    with Ground(folder, processes=2, threads=8, tick=sized(2, 10)) as ground:
        settings = "api.streams.gunicorn_settings"
        with Workers(ground.urls, folder / "streams", application="wsgi:streams()", settings=settings) as streams:
            ground.until(ground.task_worker.ready, "a task worker at work")
            yield ground, streams
    for log in ("api", "streams", "worker"):
        assert faults_in(folder / log) == [], log
