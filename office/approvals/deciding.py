"""Deciding on a proposal: another login with the right approves or refuses, the proposer may withdraw."""

from __future__ import annotations

from enum import StrEnum

from sqlalchemy.orm import Session

from db.clock import trade_time
from ledger.refusals import Refusal
from office.approvals.acts import ACTS, Act
from office.approvals.models import Proposal, ProposalDecision
from office.approvals.standing import State, entitled, hold
from office.callers import Caller
from office.significant.kinds import APPROVAL_GIVEN, APPROVAL_REFUSED, APPROVAL_WITHDRAWN
from office.significant.log import note


class Decision(StrEnum):
    """What is decided on a proposal."""

    APPROVED = "approved"
    REFUSED = "refused"
    WITHDRAWN = "withdrawn"


NOTED = {
    Decision.APPROVED: APPROVAL_GIVEN,
    Decision.REFUSED: APPROVAL_REFUSED,
    Decision.WITHDRAWN: APPROVAL_WITHDRAWN,
}


def decide(session: Session, proposal_id: int, decision: Decision, by: Caller, reason: str | None) -> ProposalDecision:
    """Decide on a proposal by a plain word.

    Raises:
        Refusal: ``approved_by_protocol``, a result is approved by its protocol (T-Rules 10); every reason of
            :func:`settle_proposal`.
    """
    proposal = session.get(Proposal, proposal_id)
    if proposal is not None and decision is Decision.APPROVED and ACTS[proposal.act].by_protocol:
        raise Refusal(
            "approved_by_protocol", "Результат подтверждают протоколом события с подписями комиссии, а не здесь."
        )
    return settle_proposal(session, proposal_id, decision, by, reason)


def settle_proposal(
    session: Session, proposal_id: int, decision: Decision, by: Caller, reason: str | None
) -> ProposalDecision:
    """Write the one decision on a proposal; of two deciders at once the second is told what was decided.

    Both logins are looked up anew and kept as they are until this transaction ends: who was blocked or given another
    role since signing in decides nothing, and no approval makes up for a proposer who has lost the right.

    Raises:
        Refusal: ``not_found``; ``approval_already_decided`` with the decision; ``approval_lapsed``;
            ``second_person_needed``, the proposer cannot decide, only withdraw; ``forbidden``, without the right;
            ``proposer_not_entitled``.
    """
    assert by.user_id is not None, "users of the office decide"
    standing = hold(session, proposal_id)
    proposal, act = standing.proposal, ACTS[standing.proposal.act]
    _refuse_unless_waiting(standing.state, standing.decision)
    _refuse_without_right(session, act, proposal, decision, by.user_id)
    decided = ProposalDecision(
        proposal_id=proposal.id,
        proposed_by=proposal.proposed_by,
        decision=decision,
        decided_by=by.user_id,
        reason=reason,
        decided_at=trade_time(session),
    )
    session.add(decided)
    session.flush()
    note(session, NOTED[decision], f"proposal:{proposal.id}", by, act=act.code, of=proposal.subject, reason=reason)
    return decided


def _refuse_unless_waiting(state: State, decided: ProposalDecision | None) -> None:
    if decided is not None:
        raise Refusal("approval_already_decided", "По предложению решение уже принято.", decision=decided.decision)
    if state is State.LAPSED:
        raise Refusal("approval_lapsed", "Срок предложения истёк: предложите действие заново.")


def _refuse_without_right(session: Session, act: Act, proposal: Proposal, decision: Decision, decider: int) -> None:
    own = decider == proposal.proposed_by
    if decision is Decision.WITHDRAWN:
        if not own:
            raise Refusal("forbidden", "Отозвать предложение может только тот, кто его внёс: можно отказать.")
        return
    if own:
        raise Refusal("second_person_needed", "Решает другой сотрудник, не тот, кто предложил; своё можно отозвать.")
    if not entitled(session, decider, act.approvers):
        raise Refusal("forbidden", "У вас нет права решать по этому предложению.")
    if decision is Decision.APPROVED and not entitled(session, proposal.proposed_by, act.proposers):
        raise Refusal("proposer_not_entitled", "Предложивший заблокирован или сменил роль: можно только отказать.")
