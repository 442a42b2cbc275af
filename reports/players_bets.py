"""A player's bets: those that still run, and the history with the result of each event (T-Rules 35.3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Select, and_, or_, select
from sqlalchemy.orm import Session

from db.pages import newest_first
from events.models import Event, Protocol, Result, Standing
from ledger.settlements import Settlement
from ledger.tickets import OPEN, Ticket, TicketState
from reports.bet_words import positions_and_bets
from tote.models import Pool, PoolBet, PoolCancellation, PoolOutcome
from tote.positions import positions_of


@dataclass(frozen=True)
class PlayersBet:
    """A bet as the page shows it: when, how much, on what, and what the event came to once that is official.

    ``result`` names the true outcomes, and is None until a protocol fixes them; ``standing`` tells whether the event
    took place. In a pool of positions a ticket is ``rows`` bets by its ``marks``, if they were not uploaded one by one,
    and the result is one outcome for each position, None for one that was not held. That the organizer cancelled it
    stays beside the status, which tells when its stake is credited (T-Rules 29). Amounts in minor units.
    """

    number: int
    placed_at: datetime
    stake: int
    event: str
    event_starts_at: datetime
    pool: str
    outcome: str
    outcome_name: str
    rows: int
    marks: list[list[str]] | None
    status: str
    win: int | None
    stake_back: int | None
    standing: str | None
    score: str | None
    result: list[str | None] | None
    cancelled_at: datetime | None
    cancellation_reason: str | None

    @property
    def active(self) -> bool:
        """Whether the bet still runs."""
        return self.status in OPEN


@dataclass(frozen=True)
class BetsAsked:
    """Whose bets, only running ones or only ended ones, and made since when; the archive has no ``since``."""

    player_id: int
    active: bool | None = None
    since: datetime | None = None


def players_bets(session: Session, asked: BetsAsked, before: int, limit: int) -> list[PlayersBet]:
    """The bets asked for, the latest first, with a number under ``before``; a running one is shown however old."""
    running = TicketState.status.in_(OPEN)
    wanted = _bets().where(Ticket.player_id == asked.player_id)
    if asked.active is not None:
        wanted = wanted.where(running if asked.active else ~running)
    if asked.since is not None:
        wanted = wanted.where(or_(running, Ticket.placed_at >= asked.since))
    return [_shown(*row) for row in session.execute(newest_first(wanted, Ticket.id, before, limit))]


def _shown(pool: Pool, told: Mapping[str, str | None] | None, *row: Any) -> PlayersBet:
    """A row as the page shows it; what a bet on positions is on, and what came of it, is told by their order."""
    bet = PlayersBet(*row)
    positions = positions_of(pool)
    if not positions:
        return bet
    held = bet.standing == Standing.HELD
    result = [(told or {}).get(position.code) for position in positions] if held else bet.result
    return replace(bet, outcome_name=positions_and_bets(len(positions), bet.rows), result=result)


def _bets() -> Select[*tuple[Any, ...]]:
    latest = (
        select(Protocol.result_id)
        .where(Protocol.event_id == Event.id)
        .order_by(Protocol.version.desc())
        .limit(1)
        .scalar_subquery()
    )
    return (
        select(
            Pool,
            Result.positions,
            Ticket.id,
            Ticket.placed_at,
            Ticket.stake,
            Event.name,
            Event.starts_at,
            Pool.code,
            PoolBet.outcome,
            PoolOutcome.name,
            PoolBet.rows,
            PoolBet.marks,
            TicketState.status,
            Settlement.win,
            Settlement.stake_back,
            Result.standing,
            Result.score,
            Result.outcomes,
            PoolCancellation.cancelled_at,
            PoolCancellation.reason,
        )
        .join(PoolBet, PoolBet.ticket_id == Ticket.id)
        .join(Pool, Pool.id == PoolBet.pool_id)
        .join(Event, Event.id == Pool.event_id)
        .join(PoolOutcome, and_(PoolOutcome.pool_id == PoolBet.pool_id, PoolOutcome.code == PoolBet.outcome))
        .join(TicketState, TicketState.ticket_id == Ticket.id)
        .outerjoin(Settlement, Settlement.id == TicketState.settlement_id)
        .outerjoin(Result, Result.id == latest)
        .outerjoin(PoolCancellation, PoolCancellation.ticket_id == Ticket.id)
    )
