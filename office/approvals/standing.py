"""How a proposal stands at this moment: computed from its facts and the trade's clock, never stored."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy import ColumnElement, Select, and_, case, func, literal, select
from sqlalchemy.orm import Session

from db.clock import trade_time
from ledger.refusals import Refusal
from office.approvals.models import Proposal, ProposalDecision, ProposalUse
from office.callers import Role
from office.users import User


class State(StrEnum):
    """Where a proposal stands. What was approved and not used lapses as well: a yes is for now, not for ever."""

    WAITING = "waiting"
    APPROVED = "approved"
    REFUSED = "refused"
    WITHDRAWN = "withdrawn"
    LAPSED = "lapsed"
    USED = "used"


STATE: ColumnElement[str] = case(
    (ProposalUse.id.is_not(None), literal(State.USED)),
    (ProposalDecision.decision.in_((State.REFUSED, State.WITHDRAWN)), ProposalDecision.decision),
    (Proposal.lapses_at <= func.trade_clock(), literal(State.LAPSED)),
    (ProposalDecision.decision.is_not(None), ProposalDecision.decision),
    else_=literal(State.WAITING),
)
"""The state in SQL, over :func:`standing_proposals`."""
STANDING = (State.WAITING, State.APPROVED)
"""The states a proposal leaves when it lapses, if not before."""


@dataclass(frozen=True)
class Standing:
    """A proposal, what was decided on it if anything was, and how it stands."""

    proposal: Proposal
    decision: ProposalDecision | None
    state: State


def in_state(session: Session, state: State) -> ColumnElement[bool]:
    """Whether a proposal of such a query stands so.

    What stands is looked for among what has not lapsed by now: what ever was proposed is far more. The clock is asked
    beforehand, for only by a known instant can the database tell how few those are, and take their index.
    """
    stands = STATE.in_([state])
    return and_(Proposal.lapses_at > trade_time(session), stands) if state in STANDING else stands


def standing_proposals() -> Select[Proposal, ProposalDecision, str]:
    """Proposals with their decision and state."""
    return (
        select(Proposal, ProposalDecision, STATE)
        .outerjoin(ProposalDecision, ProposalDecision.proposal_id == Proposal.id)
        .outerjoin(ProposalUse, ProposalUse.proposal_id == Proposal.id)
    )


def standing_of(session: Session, proposal_id: int) -> Standing:
    """How a proposal stands at the instant of this statement.

    Raises:
        Refusal: ``not_found``.
    """
    found = session.execute(standing_proposals().where(Proposal.id == proposal_id)).first()
    if found is None:
        raise Refusal("not_found", "Такого предложения нет.", field="approval")
    proposal, decision, state = found
    return Standing(proposal, decision, State(state))


def entitled(session: Session, user_id: int, roles: frozenset[Role]) -> bool:
    """Whether a login has one of the roles and is not locked; it stays so until this transaction ends."""
    role, blocked_at = session.execute(
        select(User.role, User.blocked_at).where(User.id == user_id).with_for_update(read=True)
    ).one()
    return blocked_at is None and role in roles


def hold(session: Session, proposal_id: int) -> Standing:
    """How a proposal stands, kept so until this transaction ends: whoever decides on it or uses it waits.

    The statement that reads comes after the lock, and so sees whatever was decided and the time it is by then.

    Raises:
        Refusal: ``not_found``.
    """
    session.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(f"proposal:{proposal_id}", 0))))
    return standing_of(session, proposal_id)
