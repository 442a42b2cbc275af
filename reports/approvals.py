"""What waits for a second person, and what became of what waited: whom it concerns sees it, nobody else."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, or_, select
from sqlalchemy.orm import Session, aliased

from ledger.refusals import Refusal
from office.approvals.acts import ACTS, PAYOUT
from office.approvals.models import Proposal, ProposalDecision, ProposalUse
from office.approvals.standing import STATE, State
from office.callers import Caller, Role
from office.persons.masking import masked_document, masked_name
from office.persons.register import Persons
from office.users import User

Proposer, Decider = aliased(User), aliased(User)


@dataclass(frozen=True)
class Approval:
    """A proposal as it is shown: what exactly is to be done, by whom, how it stands, and whether the reader decides.

    ``content`` is the proposal's, a recipient's version replaced by the masked name and document (D-16).
    """

    id: int
    act: str
    title: str
    subject: str
    content: dict[str, Any]
    reason: str | None
    state: State
    proposed_by: str
    proposed_at: datetime
    lapses_at: datetime
    approvers: list[str]
    may_decide: bool
    decided_by: str | None
    decided_at: datetime | None
    decision_reason: str | None


@dataclass(frozen=True)
class Wanted:
    """Which proposals are looked for: of one act, in one state, or all."""

    act: str | None = None
    state: State | None = None


def approvals(
    session: Session, persons: Persons, reader: Caller, wanted: Wanted, after: int, limit: int
) -> list[Approval]:
    """The wanted proposals behind an id, the oldest first."""
    query = _concerning(reader).where(Proposal.id > after).order_by(Proposal.id).limit(limit)
    if wanted.act is not None:
        query = query.where(Proposal.act == wanted.act)
    if wanted.state is not None:
        query = query.where(STATE.in_([wanted.state]))
    return [_shown(session, persons, reader, row) for row in session.execute(query)]


def approval(session: Session, persons: Persons, proposal_id: int, reader: Caller) -> Approval:
    """A proposal as its reader may see it.

    Raises:
        Refusal: ``not_found``, also where it does not concern the reader.
    """
    row = session.execute(_concerning(reader).where(Proposal.id == proposal_id)).first()
    if row is None:
        raise Refusal("not_found", "Такого предложения нет.")
    return _shown(session, persons, reader, row)


def _concerning(reader: Caller) -> Select[*tuple[Any, ...]]:
    return (
        select(Proposal, STATE, ProposalDecision, Proposer.name, Decider.name)
        .join(Proposer, Proposer.id == Proposal.proposed_by)
        .outerjoin(ProposalDecision, ProposalDecision.proposal_id == Proposal.id)
        .outerjoin(ProposalUse, ProposalUse.proposal_id == Proposal.id)
        .outerjoin(Decider, Decider.id == ProposalDecision.decided_by)
        .where(_concerns(reader))
    )


def _concerns(reader: Caller) -> ColumnElement[bool]:
    """Auditors see all; others what their role proposes or approves; a cashier what came from the own hands."""
    if reader.role is Role.AUDITOR:
        return Proposal.id.is_not(None)
    if reader.role is Role.CASHIER:
        return or_(Proposal.proposed_by == reader.user_id, Proposal.terminal_id == reader.terminal_id)
    return Proposal.act.in_([act.code for act in ACTS.values() if reader.role in act.approvers | act.proposers])


def _shown(session: Session, persons: Persons, reader: Caller, row: Any) -> Approval:
    proposal, state, decision, proposer, decider = row
    act = ACTS[proposal.act]
    may_decide = reader.role in act.approvers and reader.user_id != proposal.proposed_by
    return Approval(
        id=proposal.id,
        act=act.code,
        title=act.title,
        subject=proposal.subject,
        content=_content(session, persons, proposal),
        reason=proposal.reason,
        state=State(state),
        proposed_by=proposer,
        proposed_at=proposal.proposed_at,
        lapses_at=proposal.lapses_at,
        approvers=sorted(act.approvers),
        may_decide=may_decide and state == State.WAITING,
        decided_by=decider,
        decided_at=decision.decided_at if decision else None,
        decision_reason=decision.reason if decision else None,
    )


def _content(session: Session, persons: Persons, proposal: Proposal) -> dict[str, Any]:
    if proposal.act != PAYOUT.code:
        return proposal.content
    details = persons.read(session, proposal.content["person_version"])
    content = {name: value for name, value in proposal.content.items() if name != "person_version"}
    return {**content, "person": masked_name(details), "document": masked_document(details)}
