"""Claims against announced results, disputes about tickets, and what another login decided on each."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, ForeignKeyConstraint, Index, UniqueConstraint
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Fact


class Ruling(StrEnum):
    """What is decided on a claim or a dispute."""

    UPHELD = "upheld"
    REJECTED = "rejected"


class Claim(Fact):
    """A claim against an announced result, with its official documents (T-Rules 33): of a pool, or of one ticket of it.

    Each document has ``kind``, ``number``, ``issued_on`` and ``issued_by``; they are papers of sports bodies, never a
    person's (D-16). ``hold_id`` is the hold of payouts that stands for it until it is decided (D-23).
    """

    __tablename__ = "claims"
    __table_args__ = (
        ForeignKeyConstraint(["pool_id", "ticket_id"], ["pool_bets.pool_id", "pool_bets.ticket_id"]),
        UniqueConstraint("id", "entered_by"),
        CheckConstraint("jsonb_array_length(documents) > 0", name="with_documents"),
        Index("ix_claims_pool_id_id", "pool_id", "id"),
    )

    pool_id: Mapped[int] = mapped_column(ForeignKey("pools.id"))
    ticket_id: Mapped[int | None]
    protocol_id: Mapped[int] = mapped_column(ForeignKey("protocols.id"))
    statement: Mapped[str]
    documents: Mapped[list[dict[str, Any]]] = mapped_column(JSONB)
    hold_id: Mapped[int] = mapped_column(ForeignKey("payout_holds.id"), unique=True)
    entered_by: Mapped[int] = mapped_column(ForeignKey("users.id"))
    entered_at: Mapped[datetime]


class ClaimDecision(Fact):
    """The one decision on a claim, of another login than entered it; the database compares the two."""

    __tablename__ = "claim_decisions"
    __table_args__ = (
        ForeignKeyConstraint(["claim_id", "entered_by"], ["claims.id", "claims.entered_by"]),
        CheckConstraint("decision IN ('upheld', 'rejected')", name="decision_known"),
        CheckConstraint("entered_by <> decided_by", name="two_persons"),
    )

    claim_id: Mapped[int] = mapped_column(unique=True)
    entered_by: Mapped[int]
    decision: Mapped[str]
    explanation: Mapped[str]
    decided_by: Mapped[int] = mapped_column(ForeignKey("users.id"))
    decided_at: Mapped[datetime]


class Dispute(Fact):
    """A dispute about a ticket (T-Rules 45). ``hold_id`` is the hold of its payment, none where it was paid before."""

    __tablename__ = "disputes"
    __table_args__ = (
        UniqueConstraint("id", "entered_by"),
        Index("ix_disputes_ticket_id_id", "ticket_id", "id"),
    )

    ticket_id: Mapped[int] = mapped_column(ForeignKey("tickets.id"))
    statement: Mapped[str]
    hold_id: Mapped[int | None] = mapped_column(ForeignKey("payout_holds.id"), unique=True)
    entered_by: Mapped[int] = mapped_column(ForeignKey("users.id"))
    entered_at: Mapped[datetime]


class DisputeDecision(Fact):
    """The one decision on a dispute, of another login than entered it."""

    __tablename__ = "dispute_decisions"
    __table_args__ = (
        ForeignKeyConstraint(["dispute_id", "entered_by"], ["disputes.id", "disputes.entered_by"]),
        CheckConstraint("decision IN ('upheld', 'rejected')", name="decision_known"),
        CheckConstraint("entered_by <> decided_by", name="two_persons"),
    )

    dispute_id: Mapped[int] = mapped_column(unique=True)
    entered_by: Mapped[int]
    decision: Mapped[str]
    explanation: Mapped[str]
    decided_by: Mapped[int] = mapped_column(ForeignKey("users.id"))
    decided_at: Mapped[datetime]
