"""A ticket as it is printed and shown: read from the stored record, so that paper and record cannot differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, bindparam, case, func, literal, or_, select
from sqlalchemy.orm import Session

from db.pages import matching, newest_first
from db.session import rows
from desk.models import Desk, Shift
from events.models import Event
from events.starts.standing import start_as_sold
from ledger.holds import RELEASED, SETTLED_AGAIN, PayoutHold
from ledger.refusals import Refusal
from ledger.settlements import Decision, Settlement, SettlementRun
from ledger.terms import DEADLINE
from ledger.tickets import Status, Ticket, TicketState
from office.settings.of_the_operator import OPERATOR_NAME
from office.settings.versions import told_at
from tote.expiry import LAPSED, TICKET_HELD
from tote.models import Pool, PoolBet, PoolCancellation, PoolOutcome
from tote.pools import TRADE


@dataclass(frozen=True)
class Receipt:
    """What a ticket must carry (T-Rules 25, T-Prov 8), how it stands, and what it is due (minor units).

    What has a value of its own here is what becomes of a ticket: without it, the ticket is as it was issued.
    ``event_starts_at`` is what was scheduled when it was placed: a start changed later leaves the paper as it is. A win
    past its term is shown as expired whether that is booked yet or not, with the end of its term as holds have
    prolonged it. ``operator`` is the name set when it was placed, None while nobody had set one. How a bet was
    cancelled stays beside its status, which tells when its stake is paid. ``rows`` are the bets of the ticket, and
    ``marks`` what it marks in the positions of the pool, if it is on such and was not uploaded row by row.
    """

    number: int
    code_sealed: bytes
    code_digest: bytes
    game: str
    pool: str
    pool_name: str
    event: str
    event_starts_at: datetime
    outcome: str
    outcome_name: str
    rows: int
    marks: list[list[str]] | None
    stake: int
    placed_at: datetime
    desk: str | None
    place: str | None
    player_id: int | None
    desk_id: int | None
    operator: str | None
    status: str = Status.ACCEPTED
    win: int | None = None
    stake_back: int | None = None
    decision: str | None = None
    received: int | None = None
    payable_from: datetime | None = None
    payable_until: datetime | None = None
    under_review: bool = False
    cancelled_at: datetime | None = None
    cancellation_reason: str | None = None


@dataclass(frozen=True)
class Asked:
    """Which tickets are wanted; what is not said may be anything. ``placed``: from an instant until before another."""

    pool_id: int | None = None
    desk_id: int | None = None
    player_id: int | None = None
    status: Status | None = None
    placed: tuple[datetime, datetime] | None = None


def receipt(session: Session, number: int) -> Receipt:
    """The ticket with this running number.

    Raises:
        Refusal: ``not_found``.
    """
    row = session.execute(_receipts().where(Ticket.id == number)).first()
    if row is None:
        raise no_such_ticket()
    return Receipt(*row)


def issued(session: Session, numbers: Sequence[int]) -> dict[int, Receipt]:
    """The tickets with these running numbers as they were when they were issued, whatever became of them, by number.

    A repeated request gets the same answer, and a sale does not look for what cannot have happened to it yet.
    """
    found = rows(session, ISSUED, {"numbers": numbers})
    return {row[0]: Receipt(*row) for row in found}


def receipts(session: Session, asked: Asked, before: int, limit: int) -> list[Receipt]:
    """The tickets that were asked for, the newest first, those with a number under ``before`` (0: from the newest)."""
    columns = {
        PoolBet.pool_id: asked.pool_id,
        Shift.desk_id: asked.desk_id,
        Ticket.player_id: asked.player_id,
    }
    wanted = matching(_receipts(), columns)
    if asked.status is not None:
        wanted = wanted.where(_standing_as(asked.status))
    if asked.placed is not None:
        placed = Ticket.placed_at >= asked.placed[0], Ticket.placed_at < asked.placed[1]
        # The numbers between which the tickets lie, told by the index on instants: without them the newest tickets
        # would be gone through down to an old day. The sum with zero keeps min and max from doing the same.
        first, last = session.execute(select(func.min(Ticket.id + 0), func.max(Ticket.id + 0)).where(*placed)).one()
        wanted = wanted.where(*placed, Ticket.id.between(first, last))
    return [Receipt(*row) for row in session.execute(newest_first(wanted, Ticket.id, before, limit))]


def _standing_as(status: Status) -> ColumnElement[bool]:
    """What holds of tickets that are shown as ``status``.

    Only a win that has lapsed is shown as something else than its state. The state is asked for by itself: an index
    knows it, whereas the planner guesses that next to no ticket fits a case, and would read the whole table for it.
    """
    if status in (Status.WON, Status.RETURNED, Status.EXPIRED):
        return and_(TicketState.status.in_((status, Status.WON)), literal(status) == STATUS)
    return TicketState.status == status


def no_such_ticket() -> Refusal:
    """One refusal for a ticket that is not there and one that is another's."""
    return Refusal("not_found", "Билета с таким номером нет.")


UNDER_REVIEW = or_(
    select(PayoutHold.id).where(PayoutHold.trade == TRADE, PayoutHold.subject_id == Pool.id, ~RELEASED).exists(),
    TICKET_HELD,
    select(SettlementRun.id)
    .where(SettlementRun.trade == TRADE, SettlementRun.subject_id == Pool.id, SETTLED_AGAIN)
    .exists(),
)
"""Whether the payouts of a ticket's pool are held or its own, or wait for a settlement by a corrected protocol."""
STAKE_OWED = LAPSED & (Settlement.stake_back > Settlement.received)
"""A minus pool's ticket whose tenth has lapsed: the stake is owed alone, and without an end (D-21)."""
STATUS: ColumnElement[str] = case(
    (STAKE_OWED, literal(Status.RETURNED)), (LAPSED, literal(Status.EXPIRED)), else_=TicketState.status
)
DECISION = case((STAKE_OWED, literal(Decision.RETURNED)), else_=Settlement.decision)
WIN = case((STAKE_OWED, 0), else_=Settlement.win)
PAYABLE_UNTIL = case((STAKE_OWED, None), else_=DEADLINE)


def _issued() -> Select[*tuple[Any, ...]]:
    return (
        select(
            Ticket.id,
            Ticket.code_sealed,
            Ticket.code_digest,
            Ticket.game,
            Pool.code,
            Pool.name,
            Event.name,
            start_as_sold(Ticket.placed_at),
            PoolBet.outcome,
            PoolOutcome.name,
            PoolBet.rows,
            PoolBet.marks,
            Ticket.stake,
            Ticket.placed_at,
            Desk.code,
            Desk.place,
            Ticket.player_id,
            Desk.id,
            told_at(OPERATOR_NAME, Ticket.placed_at),
        )
        .join(PoolBet, PoolBet.ticket_id == Ticket.id)
        .join(Pool, Pool.id == PoolBet.pool_id)
        .join(Event, Event.id == Pool.event_id)
        .join(PoolOutcome, (PoolOutcome.pool_id == PoolBet.pool_id) & (PoolOutcome.code == PoolBet.outcome))
        .outerjoin(Shift, Shift.id == Ticket.shift_id)
        .outerjoin(Desk, Desk.id == Shift.desk_id)
    )


def _receipts() -> Select[*tuple[Any, ...]]:
    return (
        _issued()
        .add_columns(
            STATUS,
            WIN,
            Settlement.stake_back,
            DECISION,
            Settlement.received,
            Settlement.payable_from,
            PAYABLE_UNTIL,
            UNDER_REVIEW,
            PoolCancellation.cancelled_at,
            PoolCancellation.reason,
        )
        .join(TicketState, TicketState.ticket_id == Ticket.id)
        .outerjoin(Settlement, Settlement.id == TicketState.settlement_id)
        .outerjoin(PoolCancellation, PoolCancellation.ticket_id == Ticket.id)
    )


# Built once: every placed bet asks for its receipt.
ISSUED = _issued().where(Ticket.id.in_(bindparam("numbers", expanding=True)))
ISSUED_ALONE = _issued().where(Ticket.id == bindparam("reference"))
