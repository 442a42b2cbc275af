"""How the task queue stands: jobs by status, the oldest that is due, and whether anybody works."""

from __future__ import annotations

from procrastinate.jobs import Status
from sqlalchemy import text
from sqlalchemy.orm import Session

from api.tasks import STALLED_AFTER

JOBS = text("SELECT status::text, count(*) FROM procrastinate_jobs GROUP BY status")
# A job that was put off is due at its time; any other is from the moment it came, and they come in the order of ids.
OLDEST_DUE = text("""
    SELECT greatest(0, extract(epoch FROM clock_timestamp() - least(
        (SELECT min(scheduled_at) FROM procrastinate_jobs WHERE status = 'todo' AND scheduled_at <= clock_timestamp()),
        (SELECT min(event.at) FROM procrastinate_events AS event WHERE event.job_id = (
            SELECT id FROM procrastinate_jobs WHERE status = 'todo' AND scheduled_at IS NULL ORDER BY id LIMIT 1
        ))
    )))
""")
WORKERS = text("""
    SELECT count(*) FILTER (WHERE age <= :silence) AS alive, count(*) FILTER (WHERE age > :silence) AS silent
    FROM (SELECT extract(epoch FROM clock_timestamp() - last_heartbeat) AS age FROM procrastinate_workers) AS workers
""")


def jobs_by_status(session: Session) -> dict[str, int]:
    """How many jobs there are of each status. Those that succeeded are deleted, so that the table stays small."""
    found = {status: int(jobs) for status, jobs in session.execute(JOBS)}
    return {status.value: found.get(status.value, 0) for status in Status}


def oldest_due_job(session: Session) -> float:
    """For how many seconds the job that has waited longest could have been done; 0 when none is due."""
    return float(session.scalar(OLDEST_DUE) or 0)


def task_workers(session: Session) -> dict[str, int]:
    """Workers that gave a sign of life of late, and those that died without signing off."""
    found = session.execute(WORKERS, {"silence": STALLED_AFTER}).one()
    return {"alive": found.alive, "silent": found.silent}
