"""No bet on an event from its start on (T-Rules 28): what trades tell of their sales, and the stop that ends them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from db.clock import trade_time
from events.models import Event
from events.starts.models import StartChange
from events.starts.standing import start_of
from ledger.refusals import Refusal
from office.callers import Caller
from office.stops.models import OpenSalesStop, SalesStop, Scope
from office.stops.switches import resume_sales, stop_sales

BEGUN = "Событие началось."
CUT_SHORT = "Ставки принимаются только до начала события."
PUT_OFF = "Начало события изменено: прежняя остановка не нужна."


@dataclass(frozen=True)
class Trade:
    """A trade's word on its bets on an event; the events' room knows no trade, so it is told by whoever calls.

    ``sold_until``: until when they are still taken, None when no more are. ``late_bets``: how many were placed at an
    instant or after it and not cancelled.
    """

    sold_until: Callable[[Session, int], datetime | None]
    late_bets: Callable[[Session, int, datetime], int]


def stop_from_start(
    session: Session, event: Event, start: datetime, now: datetime, by: Caller, trades: tuple[Trade, ...]
) -> int | None:
    """Stop the sales of an event from its start on where a trade would sell longer; the stop's number if one is thrown.

    ``now`` is the instant of the house's gate, which the caller holds alone: bets under way have ended, those to come
    read the stop. It stands beside whatever else holds the event's sales, for that may end before the sales do.
    """
    until = latest_sale(session, event.id, trades)
    if until is None or until <= start:
        return None
    if start <= now and _stopped(session, event.id, now):
        return None
    reason, instant = (CUT_SHORT, start) if start > now else (BEGUN, now)
    return stop_sales(session, Scope.EVENT, event.code, by=by, reason=reason, effective_from=instant, beside=True).id


def withdraw_planned(session: Session, event_id: int, now: datetime, by: Caller) -> None:
    """End the stops that earlier changes planned for a start which is no longer in force.

    One that holds already is left: whether sales go on is for somebody to decide, not for a change of a date.
    """
    for stop in session.scalars(_thrown(event_id).where(SalesStop.effective_from > now)).all():
        resume_sales(session, stop, by=by, reason=PUT_OFF)


def refuse_after_start(session: Session, stop: SalesStop, trades: tuple[Trade, ...]) -> None:
    """Object to letting sales of an event go on once it has started; behind the house's gate.

    A stop that is planned for the start itself stays as well. When nothing of the event could be sold any more the stop
    may go: it holds nothing.

    Raises:
        Refusal: ``event_started``.
    """
    event = session.scalar(select(Event).where(Event.code == stop.subject)) if stop.scope == Scope.EVENT else None
    until = None if event is None else latest_sale(session, event.id, trades)
    if event is None or until is None:
        return
    start = start_of(session, event.id).in_force
    if start < until and (start <= trade_time(session) or stop.effective_from == start):
        raise event_started(start)


def event_started(start: datetime) -> Refusal:
    """What belongs before an event's start is over with it."""
    return Refusal("event_started", "Это возможно только до начала события.", starts_at=start.isoformat())


def latest_sale(session: Session, event_id: int, trades: tuple[Trade, ...]) -> datetime | None:
    """Until when any trade takes bets on an event; None when no trade takes any."""
    return max((until for trade in trades if (until := trade.sold_until(session, event_id))), default=None)


def _thrown(event_id: int) -> Select[int]:
    """The open stops that changes of the event's start threw."""
    return (
        select(SalesStop.id)
        .join(StartChange, StartChange.stop_id == SalesStop.id)
        .join(OpenSalesStop, OpenSalesStop.stop_id == SalesStop.id)
        .where(StartChange.event_id == event_id)
    )


def _stopped(session: Session, event_id: int, now: datetime) -> bool:
    return session.scalar(_thrown(event_id).where(SalesStop.effective_from <= now).limit(1)) is not None
