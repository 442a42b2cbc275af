"""How the house stands, read from its database when the figures are asked for: seals, tasks, pools.

Every process would read the same, so whoever is asked reads it once. No query counts a table that grows with the bets.
"""

from __future__ import annotations

from collections.abc import Iterator

import structlog
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from api.watch.tasks import jobs_by_status, oldest_due_job, task_workers
from ledger.seals.lag import seal_lag
from tote.standing import pools_standing, wins_overdue

log = structlog.get_logger()


class Standing(Collector):
    """The gauges of a house; whoever asks while the database is away is told so by ``totalizator_database_up``."""

    def __init__(self, probe: Engine) -> None:
        self._probe = probe

    def collect(self) -> Iterator[Metric]:
        """Every gauge with its value of this moment."""
        try:
            with Session(self._probe) as session:
                yield from (*_of_seals(session), *_of_tasks(session), *_of_pools(session))
        except SQLAlchemyError as error:
            log.warning("standing_unreadable", error=type(error).__name__)
            yield gauge("database_up", "1 while the database answers.", 0)
        else:
            yield gauge("database_up", "1 while the database answers.", 1)

    def exposition(self) -> bytes:
        """The gauges in Prometheus' text format."""
        registry = CollectorRegistry(auto_describe=False)
        registry.register(self)
        return generate_latest(registry)


def gauge(name: str, meaning: str, value: float) -> Metric:
    """A gauge with one value."""
    return GaugeMetricFamily(f"totalizator_{name}", meaning, value=value)


def gauges(name: str, meaning: str, label: str, values: dict[str, int]) -> Metric:
    """A gauge with a value for each label."""
    family = GaugeMetricFamily(f"totalizator_{name}", meaning, labels=[label])
    for key, value in values.items():
        family.add_metric([key], value)
    return family


def _of_seals(session: Session) -> list[Metric]:
    meaning = "Age of the oldest fact that no seal holds; 0 when all are sealed."
    return [gauge("seal_lag_seconds", meaning, seal_lag(session.connection()))]


def _of_tasks(session: Session) -> list[Metric]:
    return [
        gauges("jobs", "Jobs of the task queue.", "status", jobs_by_status(session)),
        gauge("queue_lag_seconds", "For how long the oldest due job has been waiting.", oldest_due_job(session)),
        gauges("task_workers", "Task workers, by whether they give a sign of life.", "state", task_workers(session)),
    ]


def _of_pools(session: Session) -> list[Metric]:
    standing = pools_standing(session)
    states = {"open": standing.open, "overdue": standing.overdue}
    return [
        gauges("pools", "Pools on sale, and those whose window is over and that nobody closed.", "state", states),
        gauge("pool_overdue_seconds", "For how long the pool most overdue should be closed.", standing.overdue_seconds),
        *_of_wins(session),
    ]


def _of_wins(session: Session) -> list[Metric]:
    overdue = wins_overdue(session)
    return [
        gauge("wins_overdue", "Wins past their term that are not booked as expired yet.", overdue.wins),
        gauge("win_overdue_seconds", "For how long the win most overdue should be booked.", overdue.seconds),
    ]
