"""Disputes about tickets: considered until thirty days after the term of payment, decided by another (T-Rules 45)."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from db.clock import trade_time
from ledger.holds import HoldCause, PayoutHold, shut_payouts
from ledger.refusals import Refusal
from ledger.settlements import ending_of, valid_settlement
from ledger.terms import deadline_of, term_of
from ledger.tickets import lock_state
from office.callers import Caller
from office.operator import Operator
from office.significant.kinds import DISPUTE_DECIDED, DISPUTE_ENTERED
from office.significant.log import note
from tote.claims.models import Dispute, DisputeDecision, Ruling
from tote.holds import end_hold, hold_for
from tote.models import Pool, PoolBet
from tote.pools import TICKET_TRADE, TRADE, completion_of
from tote.receipts import no_such_ticket

HELD_FOR = "спор о билете"


def enter_dispute(session: Session, operator: Operator, ticket_id: int, statement: str, by: Caller) -> Dispute:
    """Take a dispute about a ticket, and hold its payment if there is still one to be made.

    Raises:
        Refusal: ``not_found``; ``dispute_too_late`` with the instant the thirty days ended at.
    """
    assert by.user_id is not None, "users of the office enter disputes"
    pool = _pool_of(session, ticket_id)
    shut_payouts(session, TRADE, pool.id)
    # The ticket's own gate as well before its state: a desk that pays a cancelled stake takes the two in this order.
    shut_payouts(session, TICKET_TRADE, ticket_id)
    lock_state(session, ticket_id)
    at = trade_time(session)
    _refuse_if_late(session, operator, pool, ticket_id, at)
    payable = _is_payable(session, ticket_id, at)
    hold = hold_for(session, pool, ticket_id, HoldCause.DISPUTE, by, HELD_FOR) if payable else None
    dispute = Dispute(
        ticket_id=ticket_id,
        statement=statement,
        hold_id=None if hold is None else hold.id,
        entered_by=by.user_id,
        entered_at=at,
    )
    session.add(dispute)
    session.flush()
    note(session, DISPUTE_ENTERED, f"dispute:{dispute.id}", by, ticket=ticket_id, held=payable)
    return dispute


def decide_dispute(
    session: Session, operator: Operator, dispute_id: int, ruling: Ruling, explanation: str, by: Caller
) -> DisputeDecision:
    """Put the decision on a dispute on record; what it held is paid again, and the days it took are given back.

    What an upheld dispute asks for, a cancellation or a corrected protocol, is done by an act of its own.

    Raises:
        Refusal: ``not_found``; ``dispute_already_decided``; ``second_person_needed``, the caller entered it.
    """
    assert by.user_id is not None, "users of the office decide disputes"
    dispute = session.get(Dispute, dispute_id)
    if dispute is None:
        raise Refusal("not_found", "Такого спора нет.")
    shut_payouts(session, TRADE, _pool_of(session, dispute.ticket_id).id)
    decided = session.scalar(select(DisputeDecision).where(DisputeDecision.dispute_id == dispute_id))
    if decided is not None:
        at = decided.decided_at.isoformat()
        raise Refusal(
            "dispute_already_decided", "По спору решение уже принято.", decision=decided.decision, decided_at=at
        )
    if dispute.entered_by == by.user_id:
        raise Refusal("second_person_needed", "Решает другой сотрудник, не тот, кто внёс спор.")
    decision = DisputeDecision(
        dispute_id=dispute_id,
        entered_by=dispute.entered_by,
        decision=ruling,
        explanation=explanation,
        decided_by=by.user_id,
        decided_at=trade_time(session),
    )
    session.add(decision)
    session.flush()
    if dispute.hold_id is not None:
        end_hold(session, operator, session.get_one(PayoutHold, dispute.hold_id), by, explanation)
    note(session, DISPUTE_DECIDED, f"dispute:{dispute_id}", by, decision=ruling.value)
    return decision


def _pool_of(session: Session, ticket_id: int) -> Pool:
    of_bet = select(Pool).join(PoolBet, PoolBet.pool_id == Pool.id).where(PoolBet.ticket_id == ticket_id)
    pool = session.scalar(of_bet)
    if pool is None:
        raise no_such_ticket()
    return pool


def _refuse_if_late(session: Session, operator: Operator, pool: Pool, ticket_id: int, at: datetime) -> None:
    """The thirty days begin when the wins of the pool are paid no more; before it is settled nothing is late.

    Nor is anything where stakes are returned without an end.
    """
    completion = completion_of(session, pool.id)
    term = None if completion is None else term_of(session, completion.run_id, ticket_id)
    until = None if term is None else term.disputes_until
    if until is not None and at >= until:
        said = f"Споры об этом пуле рассматривались до {operator.day_of(until):%d.%m.%Y} 00:00."
        raise Refusal("dispute_too_late", said, disputes_until=until.isoformat())


def _is_payable(session: Session, ticket_id: int, at: datetime) -> bool:
    """Whether something may still be paid: the bet is not decided yet, or what it is due has not ended or lapsed."""
    settlement = valid_settlement(session, ticket_id)
    if settlement is None:
        return True
    if settlement.due == 0 or ending_of(session, settlement.id) is not None:
        return False
    deadline = deadline_of(session, settlement)
    return deadline is None or at < deadline or settlement.stake_back > settlement.received
