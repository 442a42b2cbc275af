"""The house's scheduled work, on the task queue in the house's own database (DESIGN 1).

Sweeps go by state, not by tick: a tick missed in an outage is skipped by the queue, and the next one finds whatever
is due. Several workers may run a sweep at once, each is safe against that.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import structlog
from procrastinate import App, JobContext, PsycopgConnector
from procrastinate.exceptions import UniqueViolation
from procrastinate.jobs import Status
from procrastinate.middleware import AsyncCallNext
from procrastinate.worker import Worker

from api.alarms.work import add_alarms
from api.house import House
from api.sweeps import Sweep, watched
from db.engines import lasting_conninfo
from db.session import transaction
from desk.cash_limits import watch_cash_limits
from events.overdue import note_overdue
from ledger.seals.outside import keep_digests
from ledger.seals.sealing import seal
from office.significant.clocks import compare_clocks
from office.throttling.counts import sweep_counts
from players.ending import send_after_endings
from reports.night_audit import audit_if_due
from tote.checkpoints import keep_totals
from tote.closing import close_due
from tote.expiry import expire_due
from tote.settling import resume_settlements

EVERY_MINUTE = "* * * * *"
STALLED_AFTER = 60.0
"""Seconds without a sign of life after which a worker's jobs are taken from it."""
DATABASE_PATIENCE = 5.0
"""Seconds for which the queue waits for a connection: a worker whose database is gone soon begins anew."""

SWEEPS: dict[str, Sweep] = {
    "close_due_pools": lambda here: close_due(here.sessions, here.operator),
    "resume_settlements": lambda here: resume_settlements(here.sessions, here.operator),
    "expire_wins": lambda here: expire_due(here.sessions, here.operator),
    "send_after_endings": lambda here: send_after_endings(here.sessions, here.operator),
    "sweep_attempt_counts": lambda here: sweep_counts(here.sessions),
    "note_overdue_events": lambda here: note_overdue(here.sessions),
    "seal": lambda here: seal_and_keep(here),
    "keep_pool_totals": lambda here: keep_totals(here.sessions),
    "watch_cash_limits": lambda here: cash_limits_watched(here),
    "compare_clocks": lambda here: clocks_compared(here),
    "audit_books": lambda here: audit_if_due(here.sessions, here.operator, kept_digests()),
}
"""What is done every minute, by name."""


def seal_and_keep(here: House) -> None:
    """Seal, and append the digests to the file SEAL_DIGESTS names, on a medium the database's owner cannot write."""
    seal(here.sessions)
    kept = os.environ.get("SEAL_DIGESTS")
    if kept:
        with here.engine.connect() as connection:
            keep_digests(connection, Path(kept))


def kept_digests() -> Path | None:
    """The file of digests kept outside, once there is one."""
    kept = os.environ.get("SEAL_DIGESTS")
    return Path(kept) if kept and Path(kept).is_file() else None


def clocks_compared(here: House) -> None:
    """Compare this machine's clock with the database's."""
    with transaction(here.sessions) as session:
        compare_clocks(session)


def cash_limits_watched(here: House) -> None:
    """Note each desk whose cash has crossed the bank's limit."""
    with transaction(here.sessions) as session:
        watch_cash_limits(session)


def task_app(here: House) -> App:
    """The task queue of a house, with all its work registered; it connects when a worker runs it."""
    app = App(
        connector=PsycopgConnector(conninfo=lasting_conninfo(here.urls.app), timeout=DATABASE_PATIENCE),
        worker_defaults={"worker_middleware": [_named_in_the_log]},
    )
    for name, sweep in SWEEPS.items():
        _schedule(app, here, name, sweep)
    add_alarms(app, here)
    _schedule_requeueing(app)
    return app


async def _named_in_the_log(do: AsyncCallNext, context: JobContext, _worker: Worker) -> Any:
    """Let every line of the log that a job writes name it; a job has a context of its own, which ends with it."""
    structlog.contextvars.bind_contextvars(job_id=context.job.id, task=context.job.task_name)
    return await do()


def _schedule(app: App, here: House, name: str, sweep: Sweep) -> None:
    # While one waits to be done, no second one need wait behind it.
    @app.periodic(cron=EVERY_MINUTE)
    @app.task(name=name, queueing_lock=name)
    def run(timestamp: int) -> None:
        watched(here, name, sweep)


def _schedule_requeueing(app: App) -> None:
    @app.periodic(cron=EVERY_MINUTE)
    @app.task(name="requeue_stalled", queueing_lock="requeue_stalled", pass_context=True)
    async def requeue_stalled(context: JobContext, timestamp: int) -> None:
        """Give back to the queue what a worker that died had taken.

        Where the same work waits already (a later tick's sweep), the dead worker's is let go: two cannot wait, and what
        stands behind it in this list must not be left.
        """
        for job in await app.job_manager.get_stalled_jobs(seconds_since_heartbeat=STALLED_AFTER):
            try:
                await app.job_manager.retry_job(job)
            except UniqueViolation:
                await app.job_manager.finish_job(job, Status.FAILED, delete_job=True)
