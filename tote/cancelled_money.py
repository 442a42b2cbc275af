"""The money of a cancelled bet: where its stake comes from, where its win goes, what was received too much (D-18)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session, aliased

from ledger.accounts import OPERATOR, Balance, Kind, open_account
from ledger.journal import Movement, Transfer, post, reverse
from ledger.settlements import End, Ending, Settlement, ending_of, valid_settlement
from ledger.tickets import Ticket
from office.operator import Operator
from players.models import Player
from tote.crediting import CREDIT
from tote.games.register import game
from tote.models import CancellationStage, Pool, PoolCancellation
from tote.pools import closing_of
from tote.recovery import CLAIMED, OVERPAID, TAKEN_BACK
from tote.remaining import remaining
from tote.rules.fund import prize_fund

CANCELLED_STAKE = "cancelled_stake"
CANCELLED_WIN = "cancelled_win"


@dataclass(frozen=True)
class Fetched:
    """What was decided on a ticket before, how that ended, and what its bettor has got and kept (minor units)."""

    settlement: Settlement | None = None
    ending: Ending | None = None
    received: int = 0

    @property
    def was_paid(self) -> bool:
        """Whether money has left for this ticket, in cash or onto a game account, and stayed away."""
        return self.received > 0


@dataclass(frozen=True)
class Cancelled:
    """A bet that is being cancelled: its pool, its new decision, and what was fetched by the one before."""

    pool: Pool
    ticket: Ticket
    cancellation: PoolCancellation
    settlement: Settlement
    before: Fetched


def fetched(session: Session, ticket_id: int) -> Fetched:
    """What came of a ticket till now: whatever was paid by any of its decisions, less what was taken back.

    What was claimed or borne of it was received as well: the cancellation reckons it anew.
    """
    settlement = valid_settlement(session, ticket_id)
    if settlement is None:
        return Fetched()
    paid = (
        select(func.coalesce(func.sum(Ending.amount), 0))
        .join(Settlement, Settlement.id == Ending.settlement_id)
        .where(Settlement.ticket_id == ticket_id, Ending.end.in_((End.PAID, End.CREDITED)))
    )
    taken = select(func.coalesce(func.sum(Transfer.amount), 0)).where(
        Transfer.ticket_id == ticket_id, Transfer.kind == TAKEN_BACK
    )
    received = int(session.scalars(paid).one()) - int(session.scalars(taken).one())
    return Fetched(settlement, ending_of(session, settlement.id), received)


def part_after_closing(session: Session, pool: Pool, stake: int) -> tuple[int, int]:
    """What a stake (minor units) takes out of withdrawal and prize fund of a closed pool, whole the stake.

    Both must be afterwards what they were had the bet never been made, so the fund gives the difference of two funds,
    each rounded up for itself (D-3): never the rounded percent of the stake.
    """
    closing = closing_of(session, pool.id)
    assert closing is not None, "the pool is closed"
    now = remaining(session, closing)
    percent = Fraction(pool.fund_percent)
    from_fund = prize_fund(now.stakes, percent) - prize_fund(now.stakes - stake, percent)
    return stake - from_fund, from_fund


def move_money(session: Session, operator: Operator, cancelled: Cancelled) -> End | None:
    """Book a cancellation; how its settlement has ended by it, none while the stake waits to be paid at a desk.

    Whatever came before, the wins payable hold afterwards exactly what the ticket is still due.
    """
    _undo_recovery(session, operator, cancelled)
    movements = [*_sources(session, operator, cancelled), *_recovered(session, operator, cancelled)]
    ending, credited = _fetch(session, cancelled)
    at, money = cancelled.cancellation.cancelled_at, cancelled.pool.currency
    post(session, [*movements, *credited], currency=money, occurred_at=at, booked_on=operator.day_of(at))
    return ending


def _sources(session: Session, operator: Operator, cancelled: Cancelled) -> list[Movement]:
    """The stake onto the wins payable from where it lies, and an unlapsed win from there to the jackpot."""
    pool, told = cancelled.pool, cancelled.cancellation
    if told.stage == CancellationStage.SETTLED:
        return _after_settlement(session, cancelled)
    revenue = open_account(session, Kind.WITHDRAWAL_REVENUE, OPERATOR, pool.currency)
    return [
        _onto_wins(cancelled, pool.stakes_account_id, told.from_stakes, CANCELLED_STAKE),
        _onto_wins(cancelled, revenue, told.from_withdrawal, CANCELLED_STAKE),
        _onto_wins(cancelled, pool.fund_account_id, told.from_fund, CANCELLED_STAKE),
    ]


def _after_settlement(session: Session, cancelled: Cancelled) -> list[Movement]:
    """The organizer's stake, and all that the pool gave for the bet to the jackpot, but for what has lapsed there.

    A minus pool's stake goes with its win: whoever gives back the stake of a cancelled bet is the organizer. Where it
    was paid before, what was received counts against that stake, so that in effect the organizer pays the win's amount
    into the jackpot.
    """
    pool, before, ended = cancelled.pool, cancelled.before.settlement, cancelled.before.ending
    assert before is not None, "every bet of a settled pool is decided"
    lapsed = ended.amount if ended is not None and ended.end == End.EXPIRED else 0
    own = open_account(session, Kind.ORGANIZER, OPERATOR, pool.currency)
    jackpot = open_account(session, Kind.JACKPOT, game(pool.game).family, pool.currency)
    to_jackpot = Movement(
        debit=pool.wins_account_id,
        credit=jackpot,
        amount=before.win + before.stake_back - lapsed,
        kind=CANCELLED_WIN,
        ticket_id=cancelled.ticket.id,
        settlement_id=cancelled.settlement.id,
    )
    return [_onto_wins(cancelled, own, cancelled.ticket.stake, CANCELLED_STAKE), to_jackpot]


def _undo_recovery(session: Session, operator: Operator, cancelled: Cancelled) -> None:
    """Undo what a correction claimed or let the organizer bear for this ticket: it was by another decision."""
    undoing: Any = aliased(Transfer)
    standing = select(Transfer.id).where(
        Transfer.ticket_id == cancelled.ticket.id,
        Transfer.kind.in_((CLAIMED, OVERPAID)),
        ~select(undoing.id).where(undoing.reverses_id == Transfer.id).exists(),
    )
    at = cancelled.cancellation.cancelled_at
    why = "Ставка отменена организатором"
    ids = session.scalars(standing).all()
    reverse(session, ids, reason=why, occurred_at=at, booked_on=operator.day_of(at))


def _recovered(session: Session, operator: Operator, cancelled: Cancelled) -> list[Movement]:
    """What was received beyond the stake: taken back from the game account down to zero, the rest claimed (D-14).

    Cash that was paid stays paid, and the organizer bears it.
    """
    over, pool = cancelled.settlement.over, cancelled.pool
    if over == 0:
        return []
    if cancelled.ticket.player_id is None:
        own = open_account(session, Kind.ORGANIZER, OPERATOR, pool.currency)
        return [_onto_wins(cancelled, own, over, OVERPAID)]
    account_id = session.get_one(Player, cancelled.ticket.player_id).account_id
    held = session.scalars(select(Balance.balance).where(Balance.account_id == account_id).with_for_update()).one()
    claims = open_account(session, Kind.CLAIMS, f"player:{cancelled.ticket.player_id}", pool.currency)
    taken = min(held, over)
    return [
        _onto_wins(cancelled, account_id, taken, TAKEN_BACK),
        _onto_wins(cancelled, claims, over - taken, CLAIMED),
    ]


def _fetch(session: Session, cancelled: Cancelled) -> tuple[End | None, list[Movement]]:
    """What is due goes onto the game account at once (D-17); where all was received before, the version has ended."""
    settlement, ticket = cancelled.settlement, cancelled.ticket
    online = ticket.player_id is not None
    if settlement.due > 0 and not online:
        return None, []
    end = End.CREDITED if online else End.PAID
    told = cancelled.cancellation
    session.add(Ending(settlement_id=settlement.id, end=end, amount=settlement.due, ended_at=told.cancelled_at))
    if settlement.due == 0:
        return end, []
    credited = Movement(
        debit=cancelled.pool.wins_account_id,
        credit=session.get_one(Player, ticket.player_id).account_id,
        amount=settlement.due,
        kind=CREDIT,
        ticket_id=ticket.id,
        settlement_id=settlement.id,
    )
    return end, [credited]


def _onto_wins(cancelled: Cancelled, source: int, amount: int, kind: str) -> Movement:
    """Money onto the wins payable of the pool, for this ticket."""
    return Movement(
        debit=source,
        credit=cancelled.pool.wins_account_id,
        amount=amount,
        kind=kind,
        ticket_id=cancelled.ticket.id,
        settlement_id=cancelled.settlement.id,
    )
