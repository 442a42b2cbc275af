"""Desks registered with the tax inspectorate, their terminals, shifts, and the journal of cash payouts."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from sqlalchemy import CheckConstraint, ForeignKey, ForeignKeyConstraint, Index
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Fact


class Desk(Fact):
    """A desk bets may be taken at: registered, owned by the organizer (T-Prov 4). Its cash is one account."""

    __tablename__ = "desks"

    code: Mapped[str] = mapped_column(unique=True)
    place: Mapped[str]
    certificate: Mapped[str]
    cash_register: Mapped[str]
    cash_account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"))
    registered_by: Mapped[int] = mapped_column(ForeignKey("users.id"))


class Terminal(Fact):
    """A workplace at a desk. It proves itself by a secret that is kept as a hash."""

    __tablename__ = "terminals"

    desk_id: Mapped[int] = mapped_column(ForeignKey("desks.id"))
    code: Mapped[str] = mapped_column(unique=True)
    secret_digest: Mapped[bytes]


class Shift(Fact):
    """A cashier's shift at a desk, opened on counted cash (minor units). A desk has one open shift at the most."""

    __tablename__ = "shifts"
    __table_args__ = (
        CheckConstraint("counted >= 0", name="counted_not_negative"),
        Index("ix_shifts_desk_id_id", "desk_id", "id"),
    )

    desk_id: Mapped[int] = mapped_column(ForeignKey("desks.id"))
    opened_by: Mapped[int] = mapped_column(ForeignKey("users.id"))
    opened_at: Mapped[datetime]
    counted: Mapped[int]


class ShiftClosing(Fact):
    """The end of a shift: the cash its transfers explain, the cash counted. The gate reads this row (DESIGN 3.4)."""

    __tablename__ = "shift_closings"
    __table_args__ = (CheckConstraint("counted >= 0", name="counted_not_negative"),)

    shift_id: Mapped[int] = mapped_column(ForeignKey("shifts.id"), unique=True)
    closed_by: Mapped[int] = mapped_column(ForeignKey("users.id"))
    closed_at: Mapped[datetime]
    expected: Mapped[int]
    counted: Mapped[int]


class CodeEntry(StrEnum):
    """How a ticket's code reached the terminal. What is typed may be copied from anywhere (INDUSTRY: two persons)."""

    SCANNED = "scanned"
    TYPED = "typed"


class Payout(Fact):
    """A line of the journal of cash payouts (T-Prov 23, annex): numbered through, without gaps, never reused.

    ``approval_id`` is the proposal a second person approved, ``approved_by`` that person; the database compares the
    login with the cashier's. ``code_entry`` is ``unrecorded`` in lines written before it was asked for.
    """

    __tablename__ = "payouts"
    __table_args__ = (
        CheckConstraint("amount > 0", name="amount_positive"),
        CheckConstraint("code_entry IN ('scanned', 'typed', 'unrecorded')", name="code_entry_known"),
        CheckConstraint("(approval_id IS NULL) = (approved_by IS NULL)", name="approved_by_somebody"),
        CheckConstraint("approved_by <> cashier_id", name="two_persons"),
        ForeignKeyConstraint(
            ["approval_id", "approved_by"], ["proposal_decisions.proposal_id", "proposal_decisions.decided_by"]
        ),
    )

    number: Mapped[int] = mapped_column(unique=True)
    settlement_id: Mapped[int] = mapped_column(ForeignKey("settlements.id"), unique=True)
    amount: Mapped[int]
    person_version_id: Mapped[int] = mapped_column(ForeignKey("person_versions.id"))
    shift_id: Mapped[int] = mapped_column(ForeignKey("shifts.id"))
    cashier_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    paid_at: Mapped[datetime]
    code_entry: Mapped[str]
    approval_id: Mapped[int | None] = mapped_column(ForeignKey("proposal_uses.proposal_id"), unique=True)
    approved_by: Mapped[int | None]
