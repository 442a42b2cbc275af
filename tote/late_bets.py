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
from ledger.audit import Check
from ledger.tickets import Ticket, TicketState
from tote.models import Pool, PoolBet, PoolCancellation, PoolClosing


@dataclass(frozen=True)
class LateTicket:
    """A ticket placed at the start of its event or after it, and not cancelled; the stake in minor units."""

    number: int
    pool: str
    outcome: str
    rows: int
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

SOLD_BEFORE_THE_START = Check(
    "ни одна ставка не принята после начала события, известного в тот момент",
    """
    SELECT 'билет ' || ticket.id AS subject, 'принят ' || ticket.placed_at || ', начало ' || known.start AS detail
    FROM (SELECT event_id, min(instant) AS earliest FROM start_changes GROUP BY event_id) AS changed
    JOIN events AS event ON event.id = changed.event_id
    JOIN pools AS pool ON pool.event_id = event.id
    JOIN pool_bets AS bet ON bet.pool_id = pool.id
    JOIN tickets AS ticket ON ticket.id = bet.ticket_id AND ticket.placed_at >= changed.earliest
    CROSS JOIN LATERAL (
        SELECT coalesce(
            (SELECT instant FROM start_changes WHERE event_id = event.id AND entered_at <= ticket.placed_at
                AND turn IN ('started', 'not_started') ORDER BY id DESC LIMIT 1),
            (SELECT instant FROM start_changes WHERE event_id = event.id AND entered_at <= ticket.placed_at
                AND turn IN ('corrected', 'moved') ORDER BY id DESC LIMIT 1),
            event.starts_at
        ) AS start
    ) AS known
    WHERE known.start <= ticket.placed_at
    """,
)
"""The audit's look at T-Rules 28; bets that only a start told later made late are no breach of the house's own."""


def _late(event_id: int, start: datetime) -> Select[*tuple[Any, ...]]:
    cancelled = select(PoolCancellation.id).where(PoolCancellation.ticket_id == Ticket.id).exists()
    return (
        select(Ticket.id, Pool.code, PoolBet.outcome, PoolBet.rows, Ticket.stake, Ticket.placed_at, TicketState.status)
        .join(PoolBet, PoolBet.ticket_id == Ticket.id)
        .join(Pool, Pool.id == PoolBet.pool_id)
        .join(TicketState, TicketState.ticket_id == Ticket.id)
        .where(Pool.event_id == event_id, Ticket.placed_at >= start, ~cancelled)
    )
