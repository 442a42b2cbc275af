"""What a process counts of its own work: requests, problems, bets, connections.

Every label has a bounded set of values, whatever is sent. Under gunicorn each process keeps its counts in files of the
folder PROMETHEUS_MULTIPROC_DIR, and whoever is asked adds them up; elsewhere they are this process's alone.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Metric, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector
from sqlalchemy import Engine, event
from sqlalchemy.pool import QueuePool

from api.idempotency import RepeatedRefusal
from ledger.refusals import Refusal

OF_PROCESS = CollectorRegistry()
Replay = TypeVar("Replay", dict[str, str], bool)
SHARED_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
UNKNOWN = "unknown"
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


def _counter(name: str, meaning: str, *labels: str) -> Counter:
    return Counter(f"totalizator_{name}", meaning, labels, registry=OF_PROCESS)


REQUESTS = _counter("requests", "Requests answered.", "method", "route", "status")
PROBLEMS = _counter("problems", "Answers that were a problem document, by its code.", "code")
BETS_PLACED = _counter("bets_placed", "Bets accepted; a repeated answer is none.", "game")
BETS_REFUSED = _counter("bets_refused", "Bets refused; a repeated answer is none.", "game", "code")
WORKER_ENDS = _counter("api_worker_ends", "Processes of the API that ended, whatever the reason.")
DURATIONS = Histogram(
    "totalizator_request_seconds",
    "Time from a request's arrival at the application to its answer.",
    ["method", "route"],
    buckets=SECONDS,
    registry=OF_PROCESS,
)
CONNECTIONS = Gauge(
    "totalizator_connections",
    "Connections to the database: in use, and the most the processes may have.",
    ["state"],
    multiprocess_mode="livesum",
    registry=OF_PROCESS,
)

STREAMS = Gauge(
    "totalizator_streams",
    "Streams of totals being followed.",
    multiprocess_mode="livesum",
    registry=OF_PROCESS,
)


def count_request(method: str, route: str, status: int, seconds: float, problem: str | None) -> None:
    """Count an answered request, and its problem if it has one."""
    REQUESTS.labels(method, route, f"{status // 100}xx").inc()
    DURATIONS.labels(method, route).observe(seconds)
    if problem is not None:
        PROBLEMS.labels(problem).inc()


def count_bet(game: Callable[[], str | None], act: Callable[[], tuple[int, Replay]]) -> tuple[int, Replay]:
    """Do a keyed act that places a bet and count it by its game, or its refusal; a replay is counted as neither.

    ``game`` is asked afterwards, and tells nothing where this process never saw the pool.
    """
    try:
        number, replay = act()
    except RepeatedRefusal:
        raise
    except Refusal as refusal:
        BETS_REFUSED.labels(game() or UNKNOWN, refusal.code).inc()
        raise
    if not replay:
        BETS_PLACED.labels(game() or UNKNOWN).inc()
    return number, replay


def count_connections(engine: Engine) -> Engine:
    """Keep count of the engine's connections in use from now on."""
    in_use = CONNECTIONS.labels("in_use")
    assert isinstance(engine.pool, QueuePool)
    CONNECTIONS.labels("limit").set(engine.pool.size())

    # A connection that cannot be made is given back without having been taken, so each remembers that it was.
    @event.listens_for(engine, "checkout")
    def taken(_connection: Any, record: Any, _proxy: Any) -> None:
        record.record_info["counted"] = True
        in_use.inc()

    @event.listens_for(engine, "checkin")
    def given_back(_connection: Any, record: Any) -> None:
        if record.record_info.pop("counted", False):
            in_use.dec()

    return engine


def count_worker_end(pid: int) -> None:
    """A process of the API is gone: its connections are as well, what it counted stays (gunicorn's master calls it)."""
    mark_process_dead(pid)
    WORKER_ENDS.inc()


class _OfAll(Collector):
    """The figures of all processes. The file of one that is just beginning is empty for a moment: it has none yet."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def collect(self) -> Iterable[Metric]:
        """What all of them counted."""
        begun = [str(file) for file in self._folder.glob("*.db") if _length(file)]
        found: Iterable[Metric] = MultiProcessCollector.merge(begun)
        return found


def _length(file: Path) -> int:
    try:
        return file.stat().st_size
    except FileNotFoundError:
        return 0


def exposition() -> bytes:
    """What was counted, in Prometheus' text format: of all processes where they share a folder."""
    folder = os.environ.get(SHARED_FOLDER)
    if not folder:
        return generate_latest(OF_PROCESS)
    of_all = CollectorRegistry()
    of_all.register(_OfAll(Path(folder)))
    return generate_latest(of_all)
