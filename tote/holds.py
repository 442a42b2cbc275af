"""Holding a pool's payouts and letting them go on: who, when and why is a significant event (FIELD-FAULTS 006)."""

from __future__ import annotations

from sqlalchemy.orm import Session

from ledger.holds import PayoutHold, PayoutRelease, hold_payouts, release_payouts
from ledger.refusals import Refusal
from office.callers import Caller
from office.significant.kinds import PAYOUTS_HELD, PAYOUTS_RELEASED
from office.significant.log import note
from tote.models import Pool
from tote.pools import TRADE


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


def release_pool(session: Session, hold_id: int, by: Caller, reason: str) -> PayoutRelease:
    """Let the payouts of a pool go on; what was to be credited meanwhile, the sweep of settlements credits.

    Raises:
        Refusal: ``not_found``; ``payouts_not_held``.
    """
    assert by.user_id is not None, "users of the office release payouts"
    hold = session.get(PayoutHold, hold_id)
    if hold is None or hold.trade != TRADE:
        raise Refusal("not_found", "Такой приостановки выплат нет.")
    release = release_payouts(session, hold, by=by.user_id, reason=reason)
    pool = session.get_one(Pool, hold.subject_id)
    note(session, PAYOUTS_RELEASED, f"pool:{pool.id}", by, pool=pool.code, reason=reason)
    return release
