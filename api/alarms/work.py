"""The alarm hook on the task queue: a sweep plans and defers, a job delivers and retries (DESIGN 1).

Nothing that writes an event down defers or notifies: the sweep finds it by state. What was planned and has no job in
the queue, be it by a crash between the two, gets one from the next sweep.
"""

from __future__ import annotations

import asyncio

from procrastinate import App, BaseRetryStrategy, RetryDecision
from procrastinate.exceptions import AlreadyEnqueued
from procrastinate.jobs import Job
from sqlalchemy import text

from api.house import House
from api.sweeps import watched
from db.session import transaction
from office.alarms.delivery import UndeliveredError, deliver
from office.alarms.planning import plan

EVERY_TEN_SECONDS = "* * * * * */10"
AT_ONCE = 200
"""Deliveries deferred by one sweep; the next one goes on."""
BEHIND_SWEEPS = -1
"""A receiver that does not answer holds a worker for seconds: what is due by the clock goes first."""
SWEEP = "raise_alarms"
DELIVERY = "deliver_alarm"

DUE = text("""
    SELECT delivery.id FROM alarm_deliveries AS delivery
    WHERE delivery.delivered_at IS NULL AND delivery.abandoned_at IS NULL
        AND delivery.next_attempt_at <= clock_timestamp() AND delivery.channel = ANY(:channels)
        AND NOT EXISTS (SELECT FROM procrastinate_jobs AS job
            WHERE job.queueing_lock = 'alarm:' || delivery.id AND job.status IN ('todo', 'doing'))
    ORDER BY delivery.id LIMIT :most
""")


class WhenDue(BaseRetryStrategy):
    """Try again when the delivery's own row says so; what is put aside ends as a failed job."""

    def get_retry_decision(self, *, exception: BaseException, job: Job) -> RetryDecision | None:
        """When to try again, if ever."""
        retry_at = exception.retry_at if isinstance(exception, UndeliveredError) else None
        return None if retry_at is None else RetryDecision(retry_at=retry_at)


def add_alarms(app: App, here: House) -> None:
    """Let a task queue do the alarm hook's work."""

    @app.task(name=DELIVERY, retry=WhenDue(), priority=BEHIND_SWEEPS)
    def deliver_alarm(delivery_id: int) -> None:
        deliver(here.sessions, here.alarm_channels, delivery_id)

    # The lock lets one sweep run at a time, so that no delivery gets a second job while its first one is done.
    @app.periodic(cron=EVERY_TEN_SECONDS)
    @app.task(name=SWEEP, queueing_lock=SWEEP, lock=SWEEP)
    async def raise_alarms(timestamp: int) -> None:
        due: list[int] = []
        await asyncio.to_thread(watched, here, SWEEP, lambda here: due.extend(planned_and_due(here)))
        for delivery_id in due:
            job = app.configure_task(DELIVERY, queueing_lock=f"alarm:{delivery_id}", priority=BEHIND_SWEEPS)
            try:
                await job.defer_async(delivery_id=delivery_id)
            except AlreadyEnqueued:
                continue


def planned_and_due(here: House) -> list[int]:
    """Plan what is to go out; the deliveries that are due and have no job yet."""
    channels = sorted(here.alarm_channels)
    with transaction(here.sessions) as session:
        plan(session, channels)
    with transaction(here.sessions) as session:
        return list(session.scalars(DUE, {"channels": channels, "most": AT_ONCE}))
