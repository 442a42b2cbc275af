"""What waits for a second person, and what became of what waited: whom it concerns sees it, nobody else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, or_, select
from sqlalchemy.orm import Session, aliased

from ledger.refusals import Refusal
from office.approvals.acts import ACTS, CASH_PAYOUTS
from office.approvals.models import Proposal, ProposalDecision, ProposalUse
from office.approvals.standing import STATE, State, in_state
from office.callers import Caller, Role
from office.persons.details import Details
from office.persons.masking import masked_document, masked_name
from office.persons.register import Persons
from office.users import User

Found = Row[*tuple[Any, ...]]
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
        query = query.where(in_state(session, wanted.state))
    return _shown_all(session, persons, reader, session.execute(query).all())


def approval(session: Session, persons: Persons, proposal_id: int, reader: Caller) -> Approval:
    """A proposal as its reader may see it.

    Raises:
        Refusal: ``not_found``, also where it does not concern the reader.
    """
    rows = session.execute(_concerning(reader).where(Proposal.id == proposal_id)).all()
    if not rows:
        raise Refusal("not_found", "Такого предложения нет.")
    (shown,) = _shown_all(session, persons, reader, rows)
    return shown


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


def _shown_all(
    session: Session, persons: Persons, reader: Caller, rows: Sequence[Row[*tuple[Any, ...]]]
) -> list[Approval]:
    """What rows show; the persons of all of them are read at once."""
    payouts = [row.Proposal.content for row in rows if row.Proposal.act in CASH_PAYOUTS]
    known = persons.read_all(session, [content["person_version"] for content in payouts])
    return [_shown(known, reader, row) for row in rows]


def _shown(known: Mapping[int, Details | None], reader: Caller, row: Found) -> Approval:
    proposal, state, decision, proposer, decider = row
    act = ACTS[proposal.act]
    may_decide = reader.role in act.approvers and reader.user_id != proposal.proposed_by
    return Approval(
        id=proposal.id,
        act=act.code,
        title=act.title,
        subject=proposal.subject,
        content=_content(known, proposal),
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


def _content(known: Mapping[int, Details | None], proposal: Proposal) -> dict[str, Any]:
    if proposal.act not in CASH_PAYOUTS:
        return proposal.content
    details = known[proposal.content["person_version"]]
    content = {name: value for name, value in proposal.content.items() if name != "person_version"}
    return {**content, "person": masked_name(details), "document": masked_document(details)}
