"""Proposing an act for a second person's decision, and using the approval for that very act."""

from __future__ import annotations

import hashlib
import json
from datetime import timedelta
from typing import Any

from sqlalchemy.orm import Session

from db.clock import trade_time
from ledger.refusals import Refusal
from office.approvals.acts import Act
from office.approvals.models import Proposal, ProposalUse
from office.approvals.standing import Standing, State, entitled, hold
from office.callers import Caller
from office.settings.versions import value_of


def fingerprint(act: Act, subject: str, content: dict[str, Any]) -> bytes:
    """What a proposal means, in one form however it was put together."""
    text = json.dumps([act.code, subject, content], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8")).digest()


def propose(
    session: Session, act: Act, subject: str, content: dict[str, Any], by: Caller, reason: str | None
) -> Proposal:
    """Put an act before a second person; nothing is done by it.

    ``content`` is all that will be done, in JSON, money as strings: the act must later come to the same content.

    Raises:
        Refusal: ``forbidden``, the caller's role does not propose this act.
    """
    if by.role not in act.proposers or by.user_id is None:
        raise Refusal("forbidden", "Ваша роль не даёт права предложить это действие.")
    at = trade_time(session)
    proposal = Proposal(
        act=act.code,
        subject=subject,
        content=content,
        fingerprint=fingerprint(act, subject, content),
        proposed_by=by.user_id,
        terminal_id=by.terminal_id,
        reason=reason,
        proposed_at=at,
        lapses_at=at + timedelta(minutes=value_of(session, act.life, at)),
    )
    session.add(proposal)
    session.flush()
    return proposal


def use(session: Session, proposal_id: int, act: Act, subject: str, content: dict[str, Any], by: Caller) -> ProposalUse:
    """Use an approval for the act that is being done in this transaction; it serves no other.

    ``content`` is reckoned anew by whoever acts. Of two acts at once the second waits, and is refused.

    Raises:
        Refusal: ``not_found``; ``approval_waiting``, ``approval_refused``, ``approval_lapsed``, ``approval_used``;
            ``approval_differs``, something else was approved than what is being done; ``proposer_not_entitled`` and
            ``approver_not_entitled``, one of the two has lost the right.
    """
    assert by.user_id is not None, "users of the office use approvals"
    standing = hold(session, proposal_id)
    if standing.proposal.act != act.code:
        raise Refusal("not_found", "Такого предложения нет.", field="approval")
    if standing.state is not State.APPROVED:
        raise _unusable(standing.state, proposal_id)
    _refuse_without_right(session, act, standing)
    done = fingerprint(act, subject, content)
    if done != standing.proposal.fingerprint:
        raise Refusal("approval_differs", "Подтверждено другое: предложите действие заново.", approval=proposal_id)
    used = ProposalUse(
        proposal_id=proposal_id,
        decision=State.APPROVED,
        fingerprint=done,
        used_by=by.user_id,
        used_at=trade_time(session),
    )
    session.add(used)
    session.flush()
    return used


def _refuse_without_right(session: Session, act: Act, standing: Standing) -> None:
    """An approval is worth what both its persons are when it is used: one of them may have been locked for it."""
    assert standing.decision is not None, "what is approved was decided"
    if not entitled(session, standing.proposal.proposed_by, act.proposers):
        raise Refusal("proposer_not_entitled", "Предложивший заблокирован или сменил роль: предложите действие заново.")
    if not entitled(session, standing.decision.decided_by, act.approvers):
        raise Refusal(
            "approver_not_entitled", "Подтвердивший заблокирован или сменил роль: предложите действие заново."
        )


def _unusable(state: State, approval: int) -> Refusal:
    """Why an approval serves no act, by how its proposal stands."""
    if state is State.WAITING:
        return Refusal("approval_waiting", "Второй сотрудник ещё не подтвердил это действие.", approval=approval)
    if state is State.USED:
        return Refusal("approval_used", "По этому подтверждению действие уже выполнено.", approval=approval)
    if state is State.LAPSED:
        return Refusal("approval_lapsed", "Срок предложения истёк: предложите действие заново.", approval=approval)
    return Refusal("approval_refused", "Действие не подтверждено: предложите его заново.", approval=approval)
