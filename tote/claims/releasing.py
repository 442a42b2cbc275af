"""The end of what an upheld claim holds: the corrected run that it led to is complete (D-14, D-23)."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from ledger.holds import RELEASED, PayoutHold, write_release
from ledger.settlements import SettlementRun
from office.operator import Operator
from office.significant.kinds import PAYOUTS_RELEASED
from office.significant.log import note
from tote.claims.models import Claim, ClaimDecision, Ruling
from tote.models import Pool
from tote.terms import prolong_terms

CORRECTED = "результат исправлен, пул рассчитан заново"


def end_upheld_claims(session: Session, operator: Operator, pool: Pool, run: SettlementRun) -> None:
    """Release what upheld claims of a pool hold, if the run in force goes by a later protocol than they met.

    Whichever comes last ends the hold: the run's completion, or the decision that upholds a claim. The caller has the
    settling gate, so that neither misses the other. The days that the hold took of the run's own term are given back.
    """
    upheld = (
        select(PayoutHold, ClaimDecision)
        .join(Claim, Claim.hold_id == PayoutHold.id)
        .join(ClaimDecision, ClaimDecision.claim_id == Claim.id)
        .where(
            Claim.pool_id == pool.id,
            Claim.protocol_id < run.protocol_id,
            ClaimDecision.decision == Ruling.UPHELD,
            ~RELEASED,
        )
        .order_by(PayoutHold.id)
    )
    for hold, decision in session.execute(upheld).all():
        write_release(session, hold, by=decision.decided_by, reason=CORRECTED)
        prolong_terms(session, operator, pool, hold)
        note(session, PAYOUTS_RELEASED, f"pool:{pool.id}", pool=pool.code, reason=CORRECTED, claim=decision.claim_id)
