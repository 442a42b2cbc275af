"""Which start of an event is in force: what really happened, else what was last scheduled, else the announcement."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, ScalarSelect, func, or_, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from db.pages import newest_first
from events.models import Event
from events.starts.models import StartChange, StartTurn

SCHEDULED = (StartTurn.CORRECTED, StartTurn.MOVED)
BEGUN = (StartTurn.STARTED, StartTurn.NOT_STARTED)


@dataclass(frozen=True)
class Start:
    """An event's start as announced, as scheduled after corrections and moves, and as it really was."""

    announced: datetime
    scheduled: datetime
    actual: datetime | None = None
    ended: datetime | None = None

    @property
    def in_force(self) -> datetime:
        """From this instant on no bet on the event is taken, and its result may be entered."""
        return self.actual or self.scheduled


def after(start: Start, turn: str, instant: datetime | None) -> Start:
    """A start once another word on it is on record."""
    if turn == StartTurn.STARTED:
        return replace(start, actual=instant)
    if turn == StartTurn.ENDED:
        return replace(start, ended=instant)
    if turn == StartTurn.NOT_STARTED:
        return replace(start, actual=None, ended=None)
    assert instant is not None, "what is scheduled has an instant"
    return replace(start, scheduled=instant)


def start_of(session: Session, event_id: int) -> Start:
    """How an event's start stands now; the event is there."""
    return starts_of(session, [event_id])[event_id]


def starts_of(session: Session, event_ids: Collection[int]) -> dict[int, Start]:
    """How the starts of events stand now, in as many statements for a page as for one."""
    announced = session.execute(select(Event.id, Event.starts_at).where(Event.id.in_(event_ids)))
    starts = {event: Start(announced=at, scheduled=at) for event, at in announced}
    changes = select(StartChange).where(StartChange.event_id.in_(event_ids)).order_by(StartChange.id)
    for change in session.scalars(changes):
        starts[change.event_id] = after(starts[change.event_id], change.turn, change.instant)
    return starts


def changes_of(session: Session, event_id: int, before: int, limit: int) -> Sequence[StartChange]:
    """What was said of an event's start after the announcement, the latest first."""
    changes = select(StartChange).where(StartChange.event_id == event_id)
    return session.scalars(newest_first(changes, StartChange.id, before, limit)).all()


def start_in_force(event: Any = Event, change: Any = StartChange) -> ColumnElement[datetime]:
    """The start in force of the row of ``events`` that a query is at; told by other rows where it reads others."""
    return func.coalesce(_last(BEGUN, event, change), _last(SCHEDULED, event, change), event.starts_at)


def start_as_sold(placed_at: InstrumentedAttribute[datetime]) -> ColumnElement[datetime]:
    """The date and time a ticket placed at an instant carries: what was scheduled then, whatever came after."""
    return func.coalesce(_last(SCHEDULED, Event, StartChange, StartChange.entered_at <= placed_at), Event.starts_at)


def _last(
    turns: Collection[StartTurn], event: Any, change: Any, *conditions: ColumnElement[bool]
) -> ScalarSelect[datetime | None]:
    """The instant of the last change of these sorts; none there is, or it took one back: NULL."""
    return (
        select(change.instant)
        .where(change.event_id == event.id, or_(*(change.turn == turn for turn in turns)), *conditions)
        .order_by(change.id.desc())
        .limit(1)
        .correlate_except(change)
        .scalar_subquery()
    )
