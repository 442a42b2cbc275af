"""The organizer cancels a bet made in breach of the rules, even a played one: at every stage its money (T-Rules 29).

How the bookings work out is told in docs/decisions/0023.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from db.clock import trade_time
from ledger.holds import enter_ticket, held_now, stand_by_payouts, standing_hold
from ledger.money import currency, format_amount
from ledger.refusals import Refusal
from ledger.settlements import (
    Cause,
    Decision,
    End,
    Ending,
    Settlement,
    SettlementCompletion,
    SettlementCrediting,
    SettlementRun,
)
from ledger.tickets import Status, Ticket, lock_state
from office.approvals.acts import CANCELLATION
from office.approvals.models import Proposal
from office.approvals.proposing import propose, use
from office.callers import Caller
from office.operator import Operator
from office.significant.kinds import BET_CANCELLED
from office.significant.log import note
from tote.cancelled_money import Cancelled, Fetched, fetched, move_money, part_after_closing
from tote.closing import POOL_GATE
from tote.crediting import is_credited
from tote.models import CancellationReason, CancellationStage, Pool, PoolBet, PoolCancellation
from tote.pools import TICKET_TRADE, TRADE, closing_of
from tote.receipts import no_such_ticket
from tote.rules.payment_term import local_day, start_of_day
from tote.settlement import SETTLEMENT_GATE, completion_of_run, run_of


@dataclass(frozen=True)
class Grounds:
    """In what a bet broke the rules, in words as well, and the approval by a second person where one is needed."""

    reason: CancellationReason
    explanation: str
    approval_id: int | None = None


def cancel(session: Session, operator: Operator, number: int, grounds: Grounds, by: Caller) -> PoolCancellation:
    """Cancel a bet: its stake is given back, at once onto the game account, or at any desk for the ticket.

    The gates keep the pool at its stage: nobody sells, closes or settles it meanwhile. Sales wait for as long, but no
    row that they write is touched. A pool whose payouts are held lets its bets be cancelled, and a cancelled bet's
    stake is paid: what is in doubt there are wins.

    Raises:
        Refusal: ``not_found``; ``already_cancelled`` with when and why; ``settlement_under_way``; ``payout_held``, a
            claim or a dispute about this very ticket is to be decided first, or what its pool's corrected settlement
            is to take back waits for a hold to end; ``second_person_needed``, money was paid
            for the ticket already; what may be wrong with an approval (:func:`office.approvals.proposing.use`).
    """
    assert by.user_id is not None, "users of the office cancel"
    bet, pool, ticket = _bet(session, number)
    stage = _stage(session, pool)
    enter_ticket(session, TRADE, ticket.id)
    state = lock_state(session, ticket.id)
    _refuse_if_cancelled(session, ticket.id)
    before = fetched(session, ticket.id)
    _take_second_person(session, ticket, grounds, before, by)
    at = trade_time(session)
    settlement = _decide(session, operator, pool, ticket, before, at)
    from_stakes, from_withdrawal, from_fund = _parts(session, pool, stage, bet.stake)
    cancellation = PoolCancellation(
        ticket_id=ticket.id,
        pool_id=pool.id,
        stage=stage,
        reason=grounds.reason,
        explanation=grounds.explanation,
        from_stakes=from_stakes,
        from_withdrawal=from_withdrawal,
        from_fund=from_fund,
        cancelled_by=by.user_id,
        cancelled_at=at,
    )
    session.add(cancellation)
    session.flush()
    ending = move_money(session, operator, Cancelled(pool, ticket, cancellation, settlement, before))
    state.status, state.settlement_id = ending or Status.CANCELLED, settlement.id
    session.flush()
    _note(session, pool, ticket, cancellation, before, by)
    return cancellation


def propose_cancellation(session: Session, number: int, grounds: Grounds, by: Caller) -> Proposal:
    """Put the cancellation of a bet that was paid before a second organizer; nothing is done by it.

    Raises:
        Refusal: ``not_found``; ``already_cancelled``; ``second_person_not_needed``, nothing was paid for it.
    """
    _, _, ticket = _bet(session, number)
    _refuse_if_cancelled(session, ticket.id)
    before = fetched(session, ticket.id)
    if not before.was_paid:
        said = "По этой ставке ещё ничего не выплачено: отмените её без второго сотрудника."
        raise Refusal("second_person_not_needed", said)
    subject, content = _proposed(ticket, grounds, before)
    return propose(session, CANCELLATION, subject, content, by, grounds.explanation)


def cancellation_of(session: Session, ticket_id: int) -> PoolCancellation | None:
    """How a bet was cancelled, if it was."""
    return session.scalar(select(PoolCancellation).where(PoolCancellation.ticket_id == ticket_id))


def is_cancelled(session: Session, ticket_id: int) -> bool:
    """Whether a bet was cancelled, whatever became of its stake: it may be owed still, credited or paid."""
    return cancellation_of(session, ticket_id) is not None


def _bet(session: Session, number: int) -> tuple[PoolBet, Pool, Ticket]:
    found = session.execute(
        select(PoolBet, Pool, Ticket)
        .join(Pool, Pool.id == PoolBet.pool_id)
        .join(Ticket, Ticket.id == PoolBet.ticket_id)
        .where(PoolBet.ticket_id == number)
    ).first()
    if found is None:
        raise no_such_ticket()
    return found.PoolBet, found.Pool, found.Ticket


def _stage(session: Session, pool: Pool) -> CancellationStage:
    """How far the pool is, kept there until this transaction ends: nobody sells in it, closes, settles or pays it."""
    session.execute(select(func.shut_gate(POOL_GATE, pool.id)))
    stand_by_payouts(session, TRADE, pool.id)
    session.execute(select(func.shut_gate(SETTLEMENT_GATE, pool.id)))
    run = run_of(session, pool)
    if run is not None:
        _refuse_if_under_way(session, run)
    if run is not None:
        return CancellationStage.SETTLED
    return CancellationStage.SELLING if closing_of(session, pool.id) is None else CancellationStage.CLOSED


def _refuse_if_under_way(session: Session, run: SettlementRun) -> None:
    """A run comes to its end with its completion, one that is made again (D-14) only with what it takes back.

    That waits for a hold of the pool to end, however long: nobody is told to come back in a minute then.
    """
    complete = completion_of_run(session, run.id) is not None
    if complete and (run.version == 1 or is_credited(session, run.id)):
        return
    hold = standing_hold(session, TRADE, run.subject_id) if complete else None
    if hold is not None:
        raise held_now(hold)
    raise Refusal("settlement_under_way", "Пул сейчас рассчитывается: повторите, когда расчёт закончится.")


def _parts(session: Session, pool: Pool, stage: CancellationStage, stake: int) -> tuple[int, int, int]:
    """What comes out of the pool's stakes, of its withdrawal and of its prize fund: nothing once it is settled."""
    if stage is CancellationStage.CLOSED:
        return 0, *part_after_closing(session, pool, stake)
    return (stake if stage is CancellationStage.SELLING else 0), 0, 0


def _refuse_if_cancelled(session: Session, ticket_id: int) -> None:
    earlier = cancellation_of(session, ticket_id)
    if earlier is not None:
        raise Refusal(
            "already_cancelled",
            "Эта ставка уже отменена.",
            cancelled_at=earlier.cancelled_at.isoformat(),
            cancelled_by=earlier.cancelled_by,
            reason=earlier.reason,
        )


def _take_second_person(session: Session, ticket: Ticket, grounds: Grounds, before: Fetched, by: Caller) -> None:
    """Two organizers cancel a bet for which money has left (the rulebook asks it of none; decision 0023)."""
    if grounds.approval_id is not None:
        subject, content = _proposed(ticket, grounds, before)
        use(session, grounds.approval_id, CANCELLATION, subject, content, by)
    elif before.was_paid:
        said = "По этой ставке уже выплачено: отмену предлагает один сотрудник и подтверждает другой."
        raise Refusal("second_person_needed", said, received=_shown(ticket, before.received))


def _proposed(ticket: Ticket, grounds: Grounds, before: Fetched) -> tuple[str, dict[str, Any]]:
    """What a cancellation is done to, and all that is done."""
    return f"ticket:{ticket.id}", {
        "reason": grounds.reason.value,
        "explanation": grounds.explanation,
        "stake": _shown(ticket, ticket.stake),
        "received": _shown(ticket, before.received),
        "currency": ticket.currency,
    }


def _decide(
    session: Session, operator: Operator, pool: Pool, ticket: Ticket, before: Fetched, at: datetime
) -> Settlement:
    """The ticket's next version: its stake is due, at once and without an end, less what was received already.

    It is payable from the beginning of this day: a desk that stood before the ticket's lock meanwhile, its instant
    taken a moment sooner, is not told to come back.
    """
    zone = operator.zone_at(at)
    run = SettlementRun(
        trade=TICKET_TRADE,
        subject_id=ticket.id,
        version=1,
        cause=Cause.CANCELLATION,
        payable_account_id=pool.wins_account_id,
        started_at=at,
    )
    session.add(run)
    session.flush()
    earlier = before.settlement
    settlement = Settlement(
        ticket_id=ticket.id,
        version=1 if earlier is None else earlier.version + 1,
        run_id=run.id,
        reverses_id=None if earlier is None else earlier.id,
        decision=Decision.CANCELLED,
        win=0,
        stake_back=ticket.stake,
        received=before.received,
        payable_from=start_of_day(local_day(at, zone), zone) if ticket.stake > before.received else None,
        payable_until=None,
    )
    session.add(settlement)
    if earlier is not None and earlier.due > 0 and before.ending is None:
        session.add(Ending(settlement_id=earlier.id, end=End.REVERSED, amount=0, ended_at=at))
    session.add(SettlementCompletion(run_id=run.id, tickets=1, due=settlement.due, completed_at=at))
    session.add(SettlementCrediting(run_id=run.id, credited_at=at))
    session.flush()
    return settlement


def _note(
    session: Session, pool: Pool, ticket: Ticket, cancellation: PoolCancellation, before: Fetched, by: Caller
) -> None:
    told = {
        "pool": pool.code,
        "stage": cancellation.stage,
        "reason": cancellation.reason,
        "stake": _shown(ticket, ticket.stake),
        "received": _shown(ticket, before.received),
        "currency": ticket.currency,
    }
    note(session, BET_CANCELLED, f"ticket:{ticket.id}", by, **told)


def _shown(ticket: Ticket, amount: int) -> str:
    return format_amount(amount, currency(ticket.currency))
