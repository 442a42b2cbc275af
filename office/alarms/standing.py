"""How the alarm hook stands: what waits, what was put aside, and giving the latter another try."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from sqlalchemy import ColumnElement, and_, func, select, update
from sqlalchemy.orm import Session

from office.alarms.deliveries import AlarmDelivery
from office.significant.log import SignificantEvent


class State(StrEnum):
    """Where a delivery stands."""

    WAITING = "waiting"
    DELIVERED = "delivered"
    ABANDONED = "abandoned"


STANDS: dict[State, ColumnElement[bool]] = {
    State.WAITING: and_(AlarmDelivery.delivered_at.is_(None), AlarmDelivery.abandoned_at.is_(None)),
    State.DELIVERED: AlarmDelivery.delivered_at.is_not(None),
    State.ABANDONED: AlarmDelivery.abandoned_at.is_not(None),
}


@dataclass(frozen=True)
class Backlog:
    """A channel's undelivered alarms: how many wait and since when, how many were put aside."""

    channel: str
    waiting: int
    oldest_waiting: datetime | None
    abandoned: int


def backlogs(session: Session) -> Sequence[Backlog]:
    """Every channel that has anything undelivered."""
    waiting, abandoned = STANDS[State.WAITING], STANDS[State.ABANDONED]
    found = session.execute(
        select(
            AlarmDelivery.channel,
            func.count().filter(waiting),
            func.min(AlarmDelivery.planned_at).filter(waiting),
            func.count().filter(abandoned),
        )
        .where(AlarmDelivery.delivered_at.is_(None))
        .group_by(AlarmDelivery.channel)
        .order_by(AlarmDelivery.channel)
    )
    return [Backlog(*row) for row in found]


def deliveries(
    session: Session, before: int, limit: int, *, state: State | None = None, channel: str | None = None
) -> Sequence[tuple[AlarmDelivery, SignificantEvent]]:
    """Deliveries planned before the one with this id (0: from the latest) with their events, the latest first."""
    wanted = (
        select(AlarmDelivery, SignificantEvent)
        .join(SignificantEvent, SignificantEvent.id == AlarmDelivery.event_id)
        .order_by(AlarmDelivery.id.desc())
        .limit(limit)
    )
    if before:
        wanted = wanted.where(AlarmDelivery.id < before)
    if state is not None:
        wanted = wanted.where(STANDS[state])
    if channel is not None:
        wanted = wanted.where(AlarmDelivery.channel == channel)
    return [(delivery, event) for delivery, event in session.execute(wanted)]


def try_again(session: Session) -> int:
    """Let everything that was put aside be tried anew, from its first pause on; how much that was."""
    renewed = update(AlarmDelivery).where(STANDS[State.ABANDONED])
    again = session.execute(
        renewed.values(abandoned_at=None, attempts=0, next_attempt_at=func.clock_timestamp()).returning(
            AlarmDelivery.id
        )
    )
    return len(again.all())


def state_of(delivery: AlarmDelivery) -> State:
    """Where a delivery stands."""
    if delivery.delivered_at is not None:
        return State.DELIVERED
    return State.WAITING if delivery.abandoned_at is None else State.ABANDONED
