"""Proposals, what was decided on them, and the one act each approval served. How one stands is never stored."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, ForeignKeyConstraint, Index, UniqueConstraint
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Fact


class Proposal(Fact):
    """Exactly what one login wants done, until when it may be: the content and its fingerprint (INDUSTRY: two persons).

    ``subject`` names what it is done to as ``<sort>:<number>``. Never a ticket's code or a person's data (D-16): a
    recipient is named by the number of a version in ``person_versions``.
    """

    __tablename__ = "proposals"
    __table_args__ = (
        UniqueConstraint("id", "proposed_by"),
        UniqueConstraint("id", "fingerprint"),
        CheckConstraint("proposed_at < lapses_at", name="lapses_later"),
        Index("ix_proposals_subject_id", "subject", "id"),
        Index("ix_proposals_lapses_at_id", "lapses_at", "id"),
        Index("ix_proposals_proposed_by_id", "proposed_by", "id"),
        Index("ix_proposals_terminal_id_id", "terminal_id", "id"),
    )

    act: Mapped[str]
    subject: Mapped[str]
    content: Mapped[dict[str, Any]] = mapped_column(JSONB)
    fingerprint: Mapped[bytes]
    proposed_by: Mapped[int] = mapped_column(ForeignKey("users.id"))
    terminal_id: Mapped[int | None] = mapped_column(ForeignKey("terminals.id"))
    reason: Mapped[str | None]
    proposed_at: Mapped[datetime]
    lapses_at: Mapped[datetime]


class ProposalDecision(Fact):
    """What became of a proposal; one a proposal.

    Approved and refused are another's words, withdrawn is the proposer's own. The composite key carries the proposer
    here, so that the database itself compares the two logins.
    """

    __tablename__ = "proposal_decisions"
    __table_args__ = (
        UniqueConstraint("proposal_id", "decision"),
        UniqueConstraint("proposal_id", "decided_by"),
        ForeignKeyConstraint(["proposal_id", "proposed_by"], ["proposals.id", "proposals.proposed_by"]),
        CheckConstraint("decision IN ('approved', 'refused', 'withdrawn')", name="decision_known"),
        CheckConstraint("(decision = 'withdrawn') = (proposed_by = decided_by)", name="two_persons"),
    )

    proposal_id: Mapped[int] = mapped_column(unique=True)
    proposed_by: Mapped[int]
    decision: Mapped[str]
    decided_by: Mapped[int] = mapped_column(ForeignKey("users.id"))
    reason: Mapped[str | None]
    decided_at: Mapped[datetime]


class ProposalUse(Fact):
    """The one act an approval served, written in that act's own transaction.

    The keys let nothing be used that was not approved, nor anything be done but what was: ``fingerprint`` is that of
    what was done, and has to be the proposal's.
    """

    __tablename__ = "proposal_uses"
    __table_args__ = (
        ForeignKeyConstraint(
            ["proposal_id", "decision"], ["proposal_decisions.proposal_id", "proposal_decisions.decision"]
        ),
        ForeignKeyConstraint(["proposal_id", "fingerprint"], ["proposals.id", "proposals.fingerprint"]),
        CheckConstraint("decision = 'approved'", name="approved"),
    )

    proposal_id: Mapped[int] = mapped_column(unique=True)
    decision: Mapped[str]
    fingerprint: Mapped[bytes]
    used_by: Mapped[int] = mapped_column(ForeignKey("users.id"))
    used_at: Mapped[datetime]
