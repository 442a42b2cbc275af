"""The pool's money by its division, and how it is undone when the protocol was wrong (D-3, D-5, D-14, T-Rules 36.1)."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import func, or_, select, text
from sqlalchemy.orm import Session, aliased

from desk.places import PLACE_GATE
from events.models import Protocol
from ledger.accounts import OPERATOR, Kind, open_account
from ledger.checkpoints import balance_of
from ledger.journal import Movement, Transfer, post, reverse
from office.operator import Operator
from tote.division import Settling
from tote.games.register import game
from tote.models import Pool, PoolDivision, PoolLevelDivision
from tote.pools import TRADE
from tote.remaining import Remaining

WINS = "wins"
TO_JACKPOT = "to_jackpot"
FROM_ORGANIZER = "from_organizer"
WITHDRAWAL_RETURNED = "withdrawal_returned"
JACKPOT_SHORTFALL = "jackpot_shortfall"
JACKPOT_MADE_GOOD = "jackpot_made_good"
OF_A_DIVISION = (WINS, TO_JACKPOT, FROM_ORGANIZER, WITHDRAWAL_RETURNED, JACKPOT_SHORTFALL, JACKPOT_MADE_GOOD)
"""The kinds that move a pool's prize fund when a run completes."""

# What went from the wins of this pool to the jackpot, because nobody fetched it or because its bet was cancelled, comes
# back: the wins it was are undone with the division. What was claimed from players or borne by the organizer for cash
# is reckoned anew from the new decisions; the word on a cancelled bet stands.
UNDO_AFTER_COMPLETION = text("""
    INSERT INTO transfers (debit_account_id, credit_account_id, amount, currency, kind, ticket_id, settlement_id,
        reverses_id, reason, occurred_at, booked_on)
    SELECT moved.credit_account_id, moved.debit_account_id, moved.amount, moved.currency, moved.kind || '_reversed',
        moved.ticket_id, moved.settlement_id, moved.id, :reason, :at, :booked_on
    FROM transfers AS moved
    WHERE moved.reverses_id IS NULL
        AND NOT EXISTS (SELECT FROM transfers AS undone WHERE undone.reverses_id = moved.id)
        AND (moved.debit_account_id = :wins AND moved.credit_account_id = :jackpot
            OR moved.credit_account_id = :wins AND moved.kind IN ('win_claimed', 'overpaid')
                AND EXISTS (
                    SELECT FROM settlements AS decided JOIN settlement_runs AS run ON run.id = decided.run_id
                    WHERE decided.id = moved.settlement_id AND run.trade = :trade AND run.subject_id = :pool)
                AND NOT EXISTS (
                    SELECT FROM pool_cancellations AS cancelled WHERE cancelled.ticket_id = moved.ticket_id))
    ORDER BY moved.id
""")


def book_division(session: Session, operator: Operator, settling: Settling, left: Remaining, at: datetime) -> None:
    """The pool's money by its division: after these transfers its prize fund is empty.

    Where nobody lost, or nothing took place, the withdrawal goes back into it (T-Prov 16, T-Rules 32).
    """
    pool, division = settling.pool, settling.division
    revenue = open_account(session, Kind.WITHDRAWAL_REVENUE, OPERATOR, pool.currency)
    taken_back = left.withdrawal if division.minus_pool or division.returned else 0
    movements = [
        Movement(revenue, pool.fund_account_id, taken_back, WITHDRAWAL_RETURNED),
        Movement(_own(session, pool), pool.fund_account_id, division.from_organizer, FROM_ORGANIZER),
        Movement(pool.fund_account_id, pool.wins_account_id, settling.owed, WINS),
        Movement(pool.fund_account_id, _jackpot(session, pool), settling.to_jackpot, TO_JACKPOT),
    ]
    post(session, movements, currency=pool.currency, occurred_at=at, booked_on=operator.day_of(at))


def undo_former(session: Session, operator: Operator, settling: Settling, at: datetime) -> None:
    """Undo by opposite transfers what the former run booked: its division, and what became of its wins since.

    The prize fund then holds again what the closing gave it. Whoever takes from the jackpot beside this waits.
    """
    pool = settling.pool
    jackpot = _jackpot(session, pool)
    session.execute(select(func.shut_gate(PLACE_GATE, jackpot)))
    protocol = session.get_one(Protocol, settling.run.protocol_id)
    day, reason = operator.day_of(at), f"Протокол № {protocol.corrects} исправлен протоколом № {protocol.number}"
    reverse(session, _standing_bookings(session, pool), reason=reason, occurred_at=at, booked_on=day)
    session.execute(
        UNDO_AFTER_COMPLETION,
        {
            "trade": TRADE,
            "pool": pool.id,
            "wins": pool.wins_account_id,
            "jackpot": jackpot,
            "reason": reason,
            "at": at,
            "booked_on": day,
        },
    )


def make_good(session: Session, operator: Operator, settling: Settling, at: datetime) -> int:
    """Let the organizer bear what the jackpot could not give back, because it has been drawn (D-14); how much it was.

    It passes through the pool's prize fund, so that a later correction finds it there and gives it back.
    """
    pool = settling.pool
    jackpot = _jackpot(session, pool)
    # Debits less credits: above zero the jackpot has given more than it had.
    short = max(balance_of(session, jackpot), 0)
    movements = [
        Movement(_own(session, pool), pool.fund_account_id, short, JACKPOT_SHORTFALL),
        Movement(pool.fund_account_id, jackpot, short, JACKPOT_MADE_GOOD),
    ]
    post(session, movements, currency=pool.currency, occurred_at=at, booked_on=operator.day_of(at))
    return short


def sheet_of(settling: Settling, jackpot_shortfall: int) -> PoolDivision:
    """How the pool was divided, as its sheet tells it."""
    division = settling.division
    coefficient = None if settling.pool.positions is not None else division.levels[0].coefficient
    return PoolDivision(
        run_id=settling.run.id,
        pool_id=settling.pool.id,
        true_outcomes=list(settling.true_outcomes),
        minus_pool=division.minus_pool,
        returned=division.returned,
        winning_bets=sum(level.winning_bets for level in division.levels),
        winning_stake=sum(level.winning_stake for level in division.levels),
        coefficient_numerator=None if coefficient is None else Decimal(coefficient.numerator),
        coefficient_denominator=None if coefficient is None else Decimal(coefficient.denominator),
        wins=settling.owed,
        to_jackpot=settling.to_jackpot,
        from_organizer=division.from_organizer,
        jackpot_shortfall=jackpot_shortfall,
    )


def levels_of_sheet(settling: Settling) -> list[PoolLevelDivision]:
    """The levels of a pool of positions as its sheet tells them; any other pool has one, and needs no line of it."""
    if settling.pool.positions is None:
        return []
    return [
        PoolLevelDivision(
            run_id=settling.run.id,
            level=number,
            winning_bets=level.winning_bets,
            winning_stake=level.winning_stake,
            fund_numerator=Decimal(level.fund.numerator),
            fund_denominator=Decimal(level.fund.denominator),
        )
        for number, level in enumerate(settling.division.levels, 1)
    ]


def _standing_bookings(session: Session, pool: Pool) -> list[int]:
    """The transfers by which the pool's fund was divided and which nothing has undone."""
    undoing: Any = aliased(Transfer)
    fund = pool.fund_account_id
    return list(
        session.scalars(
            select(Transfer.id).where(
                or_(Transfer.debit_account_id == fund, Transfer.credit_account_id == fund),
                Transfer.kind.in_(OF_A_DIVISION),
                ~select(undoing.id).where(undoing.reverses_id == Transfer.id).exists(),
            )
        )
    )


def _jackpot(session: Session, pool: Pool) -> int:
    return open_account(session, Kind.JACKPOT, game(pool.game).family, pool.currency)


def _own(session: Session, pool: Pool) -> int:
    return open_account(session, Kind.ORGANIZER, OPERATOR, pool.currency)
