"""The documents of cash between a desk and the safe or the bank: sent by one person, received by another.

A document has two legs, and a third row where not all of it arrived (T-Rules 9.5; FIELD-FAULTS 107).
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from sqlalchemy import CheckConstraint, ForeignKey, ForeignKeyConstraint, Index, UniqueConstraint, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from db.base import Fact
from ledger.refusals import Refusal


class Direction(StrEnum):
    """Which way the cash goes: change to a desk, collection from it."""

    TO_DESK = "to_desk"
    FROM_DESK = "from_desk"


class Place(StrEnum):
    """Where a desk's cash comes from and goes to: the operator's safe, or the bank's collectors."""

    BANK = "bank"
    SAFE = "safe"


class Outcome(StrEnum):
    """What became of cash that did not arrive: it is back where it was sent from, or it is missing."""

    RETURNED = "returned"
    MISSING = "missing"


class CashDelivery(Fact):
    """The first leg of the document: who sent how much (minor units), and the transfer that put it in transit."""

    __tablename__ = "cash_deliveries"
    __table_args__ = (
        UniqueConstraint("id", "sent_by"),
        CheckConstraint("amount > 0", name="amount_positive"),
        CheckConstraint("direction IN ('to_desk', 'from_desk')", name="direction_known"),
        CheckConstraint("place IN ('bank', 'safe')", name="place_known"),
        Index("ix_cash_deliveries_desk_id_id", "desk_id", "id"),
    )

    direction: Mapped[str]
    place: Mapped[str]
    desk_id: Mapped[int] = mapped_column(ForeignKey("desks.id"))
    amount: Mapped[int]
    transfer_id: Mapped[int] = mapped_column(ForeignKey("transfers.id"), unique=True)
    sent_by: Mapped[int] = mapped_column(ForeignKey("users.id"))
    sent_at: Mapped[datetime]


class CashReception(Fact):
    """The second leg: what was counted at the other side, once, by somebody else than the sender."""

    __tablename__ = "cash_receptions"
    __table_args__ = (
        ForeignKeyConstraint(["delivery_id", "sent_by"], ["cash_deliveries.id", "cash_deliveries.sent_by"]),
        CheckConstraint("amount > 0", name="amount_positive"),
        CheckConstraint("received_by <> sent_by", name="two_persons"),
    )

    delivery_id: Mapped[int] = mapped_column(unique=True)
    sent_by: Mapped[int]
    amount: Mapped[int]
    transfer_id: Mapped[int] = mapped_column(ForeignKey("transfers.id"), unique=True)
    received_by: Mapped[int] = mapped_column(ForeignKey("users.id"))
    received_at: Mapped[datetime]


class DeliveryClearing(Fact):
    """The end of what stayed in transit: returned to its sender, or missing and claimed; with who says so and why."""

    __tablename__ = "delivery_clearings"
    __table_args__ = (
        CheckConstraint("amount > 0", name="amount_positive"),
        CheckConstraint("outcome IN ('returned', 'missing')", name="outcome_known"),
    )

    delivery_id: Mapped[int] = mapped_column(ForeignKey("cash_deliveries.id"), unique=True)
    outcome: Mapped[str]
    amount: Mapped[int]
    reason: Mapped[str]
    transfer_id: Mapped[int] = mapped_column(ForeignKey("transfers.id"), unique=True)
    cleared_by: Mapped[int] = mapped_column(ForeignKey("users.id"))
    cleared_at: Mapped[datetime]


def received(session: Session, delivery_id: int) -> int:
    """What of a delivery was received, in minor units."""
    amount = session.scalar(select(CashReception.amount).where(CashReception.delivery_id == delivery_id))
    return amount or 0


def no_such_delivery() -> Refusal:
    """One refusal for a document that is not there and one of another desk."""
    return Refusal("not_found", "Такой передачи наличных нет.")
