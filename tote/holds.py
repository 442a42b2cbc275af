"""Holding a pool's payouts and letting them go on: who, when and why is a significant event (FIELD-FAULTS 006)."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from ledger.holds import HoldCause, PayoutHold, PayoutRelease, hold_payouts, release_payouts, shut_payouts
from ledger.refusals import Refusal
from office.callers import Caller
from office.operator import Operator
from office.significant.kinds import PAYOUTS_HELD, PAYOUTS_RELEASED
from office.significant.log import note
from tote.models import Pool, PoolBet
from tote.pools import TICKET_TRADE, TRADE
from tote.terms import prolong_terms


def hold_pool(session: Session, pool: Pool, by: Caller, reason: str) -> PayoutHold:
    """Hold the payouts of a pool, in cash and onto game accounts, before or after it is settled.

    What was paid or credited before stays so.

    Raises:
        Refusal: ``payouts_already_held``.
    """
    assert by.user_id is not None, "users of the office hold payouts"
    hold = hold_payouts(session, TRADE, pool.id, by=by.user_id, reason=reason)
    note(session, PAYOUTS_HELD, f"pool:{pool.id}", by, pool=pool.code, reason=reason)
    return hold


def hold_for(
    session: Session, pool: Pool, ticket_id: int | None, cause: HoldCause, by: Caller, reason: str
) -> PayoutHold:
    """Hold the payouts of a pool, or of one ticket of it, for a claim or a dispute; other tickets go on.

    Payouts enter by the pool's gate, so it is shut for a single ticket as well: those under way are waited for.
    """
    assert by.user_id is not None, "users of the office enter claims"
    shut_payouts(session, TRADE, pool.id)
    trade, subject_id = (TRADE, pool.id) if ticket_id is None else (TICKET_TRADE, ticket_id)
    return hold_payouts(session, trade, subject_id, by=by.user_id, reason=reason, cause=cause)


def release_pool(session: Session, operator: Operator, hold_id: int, by: Caller, reason: str) -> PayoutRelease:
    """Let the payouts of a pool go on; what was to be credited meanwhile, the sweep of settlements credits.

    Raises:
        Refusal: ``not_found``; ``payouts_not_held``; ``held_by_claim``, the hold ends with the decision it waits for.
    """
    hold = session.get(PayoutHold, hold_id)
    if hold is None or hold.trade not in (TRADE, TICKET_TRADE):
        raise Refusal("not_found", "Такой приостановки выплат нет.")
    if hold.cause != HoldCause.DECISION:
        raise Refusal("held_by_claim", "Выплаты ждут решения по претензии или спору: примите его.", cause=hold.cause)
    return end_hold(session, operator, hold, by, reason)


def end_hold(session: Session, operator: Operator, hold: PayoutHold, by: Caller, reason: str) -> PayoutRelease:
    """End a hold and give back the days of payment that it took, in one transaction (T-Rules 40).

    Raises:
        Refusal: ``payouts_not_held``, it was ended before.
    """
    assert by.user_id is not None, "users of the office release payouts"
    pool = pool_held(session, hold)
    shut_payouts(session, TRADE, pool.id)
    release = release_payouts(session, hold, by=by.user_id, reason=reason)
    prolong_terms(session, operator, pool, hold)
    subject = f"pool:{pool.id}" if hold.trade == TRADE else f"ticket:{hold.subject_id}"
    # What a claim or a dispute was decided with is told by its decision alone: it may speak of persons.
    told = {"reason": reason} if hold.cause == HoldCause.DECISION else {"cause": hold.cause}
    note(session, PAYOUTS_RELEASED, subject, by, pool=pool.code, **told)
    return release


def pool_held(session: Session, hold: PayoutHold) -> Pool:
    """The pool whose payouts are held, or a ticket of which is."""
    if hold.trade == TRADE:
        return session.get_one(Pool, hold.subject_id)
    of_bet = select(Pool).join(PoolBet, PoolBet.pool_id == Pool.id).where(PoolBet.ticket_id == hold.subject_id)
    return session.scalars(of_bet).one()
