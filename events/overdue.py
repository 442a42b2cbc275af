"""Events that began long ago and have no protocol: their bettors wait (FIELD-FAULTS 034)."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import ColumnElement, Interval, func, literal, select
from sqlalchemy.orm import Session

from db.session import Sessions, transaction
from events.models import Event, Protocol
from events.starts.models import StartChange
from events.starts.standing import start_in_force
from office.significant.kinds import RESULT_OVERDUE
from office.significant.log import SignificantEvent, note

OVERDUE_AFTER = literal(timedelta(hours=48), Interval)
"""From its start on an event has so long until its result ought to stand in a protocol."""
LOCK = "watch:overdue_events"


def is_overdue() -> ColumnElement[bool]:
    """Whether the row of ``events`` that a query is at has no protocol, 48 hours after its start or later.

    Who was late stays late: a change of the start that was told only when the event was overdue takes it off the list
    no more, for it may be what hides it.
    """
    drawn_up = select(Protocol.id).where(Protocol.event_id == Event.id).correlate(Event).exists()
    told_too_late = (
        select(StartChange.id)
        .where(StartChange.event_id == Event.id, StartChange.was + OVERDUE_AFTER <= StartChange.entered_at)
        .correlate(Event)
        .exists()
    )
    return ~drawn_up & (told_too_late | (start_in_force() + OVERDUE_AFTER <= func.trade_clock()))


def note_overdue(sessions: Sessions) -> list[str]:
    """Write down, once each, the events that became overdue; their codes. A sweep does it, by state."""
    with transaction(sessions) as session:
        session.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(LOCK, 0))))
        return _noted(session)


def _noted(session: Session) -> list[str]:
    subject = func.concat("event:", Event.id)
    told = (
        select(SignificantEvent.id)
        .where(SignificantEvent.subject == subject, SignificantEvent.kind == RESULT_OVERDUE.code)
        .correlate(Event)
        .exists()
    )
    overdue = select(Event.id, Event.code, start_in_force()).where(is_overdue(), ~told).order_by(Event.id)
    found = session.execute(overdue).all()
    for event, code, start in found:
        note(session, RESULT_OVERDUE, f"event:{event}", None, code=code, starts_at=start.isoformat())
    return [code for _, code, _ in found]
