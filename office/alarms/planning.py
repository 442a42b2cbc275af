"""Finding the events that are to go out, and writing down one delivery for each channel (DESIGN 1).

Events are found by state and not by a mark: whichever commits late, with whatever id, is found when it is there.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from sqlalchemy import func, select, text
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from ledger.seals.models import SealContent
from office.alarms.deliveries import AlarmChannel
from office.settings.versions import value_of
from office.significant.kinds import Severity
from office.significant.log import SignificantEvent
from office.significant.thresholds import ALARM_ON_WARNINGS

RECENT = timedelta(days=1)
"""How far back a channel looks when it is set for the first time."""

PLAN = text("""
    INSERT INTO alarm_deliveries (event_id, channel)
    SELECT event.id, :channel FROM significant_events AS event
    WHERE event.severity = ANY(:loud) AND event.id >= :planned_below AND NOT EXISTS (
        SELECT FROM alarm_deliveries AS planned WHERE planned.event_id = event.id AND planned.channel = :channel)
    ORDER BY event.id
    ON CONFLICT DO NOTHING
""")


def plan(session: Session, channels: Iterable[str]) -> None:
    """Plan a delivery through each of these channels for every loud event that has none.

    A channel set for the first time gets the last day's alarms, not the history; one that was unset for a while gets
    all it missed. Of two who plan at once the second waits for the first.
    """
    loud = _loud(session)
    for channel in sorted(channels):
        _plan_channel(session, channel, loud)


def _plan_channel(session: Session, channel: str, loud: list[str]) -> None:
    # Read before the events are: whatever this seal closed is seen by the statement that looks for them.
    final = _final_below(session)
    mark = _mark_of(session, channel) or _first_mark_of(session, channel, loud, final)
    session.execute(PLAN, {"channel": channel, "loud": loud, "planned_below": mark.planned_below})
    if final > mark.planned_below:
        mark.planned_below = final
        session.flush()


def _mark_of(session: Session, channel: str) -> AlarmChannel | None:
    """How far the channel is planned, locked."""
    return session.scalar(select(AlarmChannel).where(AlarmChannel.channel == channel).with_for_update())


def _first_mark_of(session: Session, channel: str, loud: list[str], final: int) -> AlarmChannel:
    recent = SignificantEvent.recorded_at >= func.clock_timestamp() - RECENT
    first = session.scalar(select(func.min(SignificantEvent.id)).where(SignificantEvent.severity.in_(loud), recent))
    mark = {"channel": channel, "planned_below": min(final, first or final)}
    session.execute(insert(AlarmChannel).values(mark).on_conflict_do_nothing())
    return session.scalars(select(AlarmChannel).where(AlarmChannel.channel == channel).with_for_update()).one()


def _loud(session: Session) -> list[str]:
    """The severities that go out."""
    warnings = [Severity.WARNING.value] if value_of(session, ALARM_ON_WARNINGS) else []
    return [Severity.ALARM.value, *warnings]


def _final_below(session: Session) -> int:
    """The id under which every event is on record or will never be: what the last seal of events closed."""
    events = SealContent.table_name == SignificantEvent.__tablename__
    return session.scalar(select(func.max(SealContent.closed_below)).where(events)) or 1
