"""Bets of pools placed when their event was already under way: a breach the organizer may cancel (T-Rules 28, 29)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from db.pages import newest_first
from events.starts.sales import Trade
from ledger.tickets import Ticket, TicketState
from tote.models import Pool, PoolBet, PoolCancellation, PoolClosing


@dataclass(frozen=True)
class LateTicket:
    """A ticket placed at the start of its event or after it, and not cancelled; the stake in minor units."""

    number: int
    pool: str
    outcome: str
    stake: int
    placed_at: datetime
    status: str


def sold_until(session: Session, event_id: int) -> datetime | None:
    """Until when bets are still taken in some pool of the event, also in one not yet open; None when in none."""
    closed = select(PoolClosing.id).where(PoolClosing.pool_id == Pool.id).exists()
    return session.scalar(
        select(func.max(Pool.closes_at)).where(Pool.event_id == event_id, Pool.closes_at > func.trade_clock(), ~closed)
    )


def late_bets(session: Session, event_id: int, start: datetime) -> int:
    """How many tickets of the event were placed at its start or after it and are not cancelled."""
    return session.scalar(select(func.count()).select_from(_late(event_id, start).subquery())) or 0


def late_tickets(session: Session, event_id: int, start: datetime, before: int, limit: int) -> Sequence[LateTicket]:
    """Those tickets, the newest first, those with a number under ``before`` (0: from the newest)."""
    found = session.execute(newest_first(_late(event_id, start), Ticket.id, before, limit))
    return [LateTicket(*row) for row in found]


TOTE = Trade(sold_until=sold_until, late_bets=late_bets)
"""What the totalizator tells of its sales when a start changes."""


def _late(event_id: int, start: datetime) -> Select[*tuple[Any, ...]]:
    cancelled = select(PoolCancellation.id).where(PoolCancellation.ticket_id == Ticket.id).exists()
    return (
        select(Ticket.id, Pool.code, PoolBet.outcome, Ticket.stake, Ticket.placed_at, TicketState.status)
        .join(PoolBet, PoolBet.ticket_id == Ticket.id)
        .join(Pool, Pool.id == PoolBet.pool_id)
        .join(TicketState, TicketState.ticket_id == Ticket.id)
        .where(Pool.event_id == event_id, Ticket.placed_at >= start, ~cancelled)
    )
