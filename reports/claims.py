"""Claims and disputes as they are read: by whom, on what, whether they hold payments, how each was decided."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, select
from sqlalchemy.orm import Session, aliased

from db.pages import matching, newest_first
from events.models import Protocol
from ledger.holds import RELEASED, PayoutHold
from ledger.refusals import Refusal
from office.users import User
from tote.claims.models import Claim, ClaimDecision, Dispute, DisputeDecision
from tote.models import Pool, PoolBet

Enterer, Decider = aliased(User), aliased(User)


@dataclass(frozen=True)
class ClaimLine:
    """A claim; the decision is empty while there is none. ``holds``: payments are held for it now."""

    id: int
    pool: str
    ticket: int | None
    protocol: int
    statement: str
    documents: list[dict[str, Any]]
    entered_by: str
    entered_at: datetime
    holds: bool
    decision: str | None
    explanation: str | None
    decided_by: str | None
    decided_at: datetime | None


@dataclass(frozen=True)
class DisputeLine:
    """A dispute; the decision is empty while there is none. ``holds``: the ticket's payment is held for it now."""

    id: int
    pool: str
    ticket: int
    statement: str
    entered_by: str
    entered_at: datetime
    holds: bool
    decision: str | None
    explanation: str | None
    decided_by: str | None
    decided_at: datetime | None


def claim_lines(
    session: Session, before: int, limit: int, *, pool_id: int | None = None, decided: bool | None = None
) -> list[ClaimLine]:
    """The claims under an id (0: from the newest), the newest first; of one pool, only the decided or the open ones."""
    wanted = matching(_claims(), {Claim.pool_id: pool_id, ClaimDecision.id.is_not(None): decided})
    return [_claim(row) for row in session.execute(newest_first(wanted, Claim.id, before, limit))]


def claim_line(session: Session, claim_id: int) -> ClaimLine:
    """A claim.

    Raises:
        Refusal: ``not_found``.
    """
    row = session.execute(_claims().where(Claim.id == claim_id)).first()
    if row is None:
        raise Refusal("not_found", "Такой претензии нет.")
    return _claim(row)


def dispute_lines(
    session: Session, before: int, limit: int, *, ticket_id: int | None = None, decided: bool | None = None
) -> list[DisputeLine]:
    """The disputes under an id (0: from the newest), the newest first; about one ticket, only the decided or open."""
    wanted = matching(_disputes(), {Dispute.ticket_id: ticket_id, DisputeDecision.id.is_not(None): decided})
    return [DisputeLine(*row) for row in session.execute(newest_first(wanted, Dispute.id, before, limit))]


def dispute_line(session: Session, dispute_id: int) -> DisputeLine:
    """A dispute.

    Raises:
        Refusal: ``not_found``.
    """
    row = session.execute(_disputes().where(Dispute.id == dispute_id)).first()
    if row is None:
        raise Refusal("not_found", "Такого спора нет.")
    return DisputeLine(*row)


def _claims() -> Select[*tuple[Any, ...]]:
    return (
        select(
            Claim,
            Pool.code,
            Protocol.number,
            Enterer.name.label("entered_by"),
            _holds(Claim.hold_id).label("holds"),
            ClaimDecision,
            Decider.name.label("decided_by"),
        )
        .join(Pool, Pool.id == Claim.pool_id)
        .join(Protocol, Protocol.id == Claim.protocol_id)
        .join(Enterer, Enterer.id == Claim.entered_by)
        .outerjoin(ClaimDecision, ClaimDecision.claim_id == Claim.id)
        .outerjoin(Decider, Decider.id == ClaimDecision.decided_by)
    )


def _claim(row: Row[*tuple[Any, ...]]) -> ClaimLine:
    claim, decision = row.Claim, row.ClaimDecision
    return ClaimLine(
        id=claim.id,
        pool=row.code,
        ticket=claim.ticket_id,
        protocol=row.number,
        statement=claim.statement,
        documents=[{**one, "issued_on": date.fromisoformat(one["issued_on"])} for one in claim.documents],
        entered_by=row.entered_by,
        entered_at=claim.entered_at,
        holds=row.holds,
        decision=decision.decision if decision else None,
        explanation=decision.explanation if decision else None,
        decided_by=row.decided_by,
        decided_at=decision.decided_at if decision else None,
    )


def _disputes() -> Select[*tuple[Any, ...]]:
    return (
        select(
            Dispute.id,
            Pool.code,
            Dispute.ticket_id,
            Dispute.statement,
            Enterer.name,
            Dispute.entered_at,
            _holds(Dispute.hold_id),
            DisputeDecision.decision,
            DisputeDecision.explanation,
            Decider.name,
            DisputeDecision.decided_at,
        )
        .join(PoolBet, PoolBet.ticket_id == Dispute.ticket_id)
        .join(Pool, Pool.id == PoolBet.pool_id)
        .join(Enterer, Enterer.id == Dispute.entered_by)
        .outerjoin(DisputeDecision, DisputeDecision.dispute_id == Dispute.id)
        .outerjoin(Decider, Decider.id == DisputeDecision.decided_by)
    )


def _holds(hold_id: Any) -> ColumnElement[bool]:
    """Whether the hold of a claim or dispute still stands."""
    return select(PayoutHold.id).where(PayoutHold.id == hold_id, ~RELEASED).exists()
