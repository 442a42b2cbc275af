"""Settling a pool by the protocol of its event: decisions in chunks, one completion, then crediting (DESIGN 3.7).

Each act takes a session and is one transaction of the caller's. All of them may be repeated, and by several callers
at once: a chunk begins where the facts say the last one ended. A run that goes by a corrected protocol goes the same
way (D-14); :mod:`tote.corrections` begins it.
"""

from __future__ import annotations

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from db.clock import trade_time
from events.models import Result
from events.protocols import hold_protocol, protocol_of
from ledger.money import currency, format_amount
from ledger.refusals import Refusal
from ledger.settlements import Cause, Settlement, SettlementCompletion, SettlementRun
from office.operator import Operator
from office.significant.kinds import JACKPOT_SHORT
from office.significant.log import note
from tote.bookings import book_division, levels_of_sheet, make_good, sheet_of, undo_former
from tote.claims.releasing import end_upheld_claims
from tote.decisions import decide_next
from tote.division import Settling, true_outcomes
from tote.models import Pool
from tote.pools import TRADE, closing_of
from tote.remaining import Remaining, remaining
from tote.terms import write_terms

SETTLEMENT_GATE = 3


def start(session: Session, pool: Pool) -> SettlementRun:
    """Begin to settle a pool, or find the run somebody began: the instant of determination is fixed here (D-1).

    The event's protocol is held meanwhile: a correction comes before the run, which then goes by it, or finds the run
    begun. It is held before the pool's gate, for whoever corrects has it first and then stops the payouts.

    Raises:
        Refusal: ``pool_not_closed``; ``result_not_confirmed``, no protocol (T-Rules 10, 30);
            ``result_names_no_outcome``, the protocol names none of the pool's outcomes.
    """
    hold_protocol(session, pool.event_id)
    session.execute(select(func.shut_gate(SETTLEMENT_GATE, pool.id)))
    if closing_of(session, pool.id) is None:
        raise Refusal("pool_not_closed", "Приём ставок в пул ещё не окончен: сначала закройте пул.")
    protocol = protocol_of(session, pool.event_id)
    if protocol is None:
        raise Refusal("result_not_confirmed", "Результат события ещё не подтверждён протоколом.")
    run = run_of(session, pool)
    if run is not None:
        return run
    true_outcomes(session, pool, session.get_one(Result, protocol.result_id))
    run = SettlementRun(
        trade=TRADE,
        subject_id=pool.id,
        # The run's own version, not the protocol's: a protocol corrected before it leaves nothing to reverse.
        version=1,
        cause=Cause.PROTOCOL,
        protocol_id=protocol.id,
        payable_account_id=pool.wins_account_id,
        started_at=trade_time(session),
    )
    session.add(run)
    session.flush()
    return run


def write_chunk(session: Session, operator: Operator, settling: Settling, size: int) -> int:
    """Decide the next ``size`` tickets of the pool; how many were decided, 0 when none is left.

    The decisions are seen by nobody before the run's completion.
    """
    session.execute(select(func.shut_gate(SETTLEMENT_GATE, settling.pool.id)))
    return decide_next(session, operator, settling, size)


def complete(session: Session, operator: Operator, settling: Settling) -> SettlementCompletion:
    """Make the run valid: book the pool's division and write the one completion row.

    What was decided is counted against the closing and the division first; a difference is a broken invariant. A run
    that takes another's place undoes the other's bookings in the same transaction, so that the fund is divided once
    (D-14).
    """
    session.execute(select(func.shut_gate(SETTLEMENT_GATE, settling.pool.id)))
    done = completion_of_run(session, settling.run.id)
    if done is not None:
        return done
    closing = closing_of(session, settling.pool.id)
    assert closing is not None, "a pool that settles is closed"
    left = remaining(session, closing)
    tickets = _decided(session, settling, left)
    at, short = trade_time(session), 0
    if settling.run.version > 1:
        undo_former(session, operator, settling, at)
    book_division(session, operator, settling, left, at)
    if settling.run.version > 1:
        short = make_good(session, operator, settling, at)
        _note_shortfall(session, settling.pool, short)
    session.add(sheet_of(settling, short))
    session.flush()
    session.add_all(levels_of_sheet(settling))
    completion = SettlementCompletion(run_id=settling.run.id, tickets=tickets, due=settling.owed, completed_at=at)
    session.add(completion)
    session.flush()
    write_terms(session, operator, settling)
    end_upheld_claims(session, operator, settling.pool, settling.run)
    return completion


def run_of(session: Session, pool: Pool) -> SettlementRun | None:
    """The latest settlement run of a pool."""
    return session.scalar(
        select(SettlementRun)
        .where(SettlementRun.trade == TRADE, SettlementRun.subject_id == pool.id)
        .order_by(SettlementRun.version.desc())
        .limit(1)
    )


def is_superseded(session: Session, run: SettlementRun) -> bool:
    """Whether another run of the same pool has taken this one's place, or is about to."""
    later = select(SettlementRun.id).where(
        SettlementRun.trade == run.trade,
        SettlementRun.subject_id == run.subject_id,
        SettlementRun.version > run.version,
    )
    return session.scalar(later.limit(1)) is not None


def completion_of_run(session: Session, run_id: int) -> SettlementCompletion | None:
    """The completion of a run, if it is complete."""
    return session.scalar(select(SettlementCompletion).where(SettlementCompletion.run_id == run_id))


def _note_shortfall(session: Session, pool: Pool, short: int) -> None:
    if short:
        shown = format_amount(short, currency(pool.currency))
        note(session, JACKPOT_SHORT, f"pool:{pool.id}", pool=pool.code, amount=shown)


def _decided(session: Session, settling: Settling, left: Remaining) -> int:
    """How many tickets were decided; what they are due is what the division gave them, out of the pool that closed."""
    tickets, due = session.execute(
        select(func.count(), func.coalesce(func.sum(Settlement.win + Settlement.stake_back), 0)).where(
            Settlement.run_id == settling.run.id
        )
    ).one()
    division = settling.division
    assert tickets == left.bets - settling.struck, "every bet of the pool is decided, and no other"
    assert due == settling.owed, "the tickets are due what the division gave them"
    assert division.pool == left.stakes, "the pool that is divided is the pool that was closed"
    assert division.minus_pool or division.returned or division.fund == left.fund, "the fund is that of the closing"
    return int(tickets)
