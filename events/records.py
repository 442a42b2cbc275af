"""Events, their results and protocols on record: one by its number, or page by page."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from db.pages import matching, newest_first
from events.models import Annulment, Event, Protocol, Result
from events.overdue import is_overdue
from events.starts.standing import start_in_force
from ledger.refusals import Refusal


def event_by_id(session: Session, event_id: int) -> Event:
    """The event with this number.

    Raises:
        Refusal: ``not_found``.
    """
    event = session.get(Event, event_id)
    if event is None:
        raise Refusal("not_found", "Такого события нет.")
    return event


def result_of(session: Session, event_id: int, result_id: int) -> Result:
    """A result that was entered for this event.

    Raises:
        Refusal: ``not_found``, none is there, or it is another event's.
    """
    result = session.get(Result, result_id)
    if result is None or result.event_id != event_id:
        raise Refusal("not_found", "Такого результата у этого события нет.")
    return result


def announced(
    session: Session,
    before: int,
    limit: int,
    *,
    sport: str | None = None,
    upcoming: bool | None = None,
    overdue: bool | None = None,
) -> Sequence[Event]:
    """The events, the latest announced first; of one sport, to come or begun, overdue or not, where asked."""
    to_come = start_in_force() > func.trade_clock()
    wanted = matching(select(Event), {Event.sport: sport, to_come: upcoming, is_overdue(): overdue})
    return session.scalars(newest_first(wanted, Event.id, before, limit)).all()


def results_of(session: Session, event_id: int, before: int, limit: int) -> Sequence[Result]:
    """What was entered as the result of an event, the latest first."""
    entered = select(Result).where(Result.event_id == event_id)
    return session.scalars(newest_first(entered, Result.id, before, limit)).all()


def protocols_of(session: Session, event_id: int, before: int, limit: int) -> Sequence[Protocol]:
    """The protocols of an event, the latest first."""
    drawn_up = select(Protocol).where(Protocol.event_id == event_id)
    return session.scalars(newest_first(drawn_up, Protocol.id, before, limit)).all()


def protocol_numbered(session: Session, event_id: int, number: int) -> Protocol:
    """A protocol of this event.

    Raises:
        Refusal: ``not_found``, none is there, or it is another event's.
    """
    found = session.scalar(select(Protocol).where(Protocol.event_id == event_id, Protocol.number == number))
    if found is None:
        raise Refusal("not_found", "Такого протокола у этого события нет.")
    return found


def annulments_of(session: Session, event_id: int, before: int, limit: int) -> Sequence[Annulment]:
    """What was annulled of an event's result later, the latest put on record first."""
    annulled = select(Annulment).where(Annulment.event_id == event_id)
    return session.scalars(newest_first(annulled, Annulment.id, before, limit)).all()
