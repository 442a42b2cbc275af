"""Desks registered with the tax inspectorate, their terminals and cashiers, shifts, the journal of cash payouts."""

from __future__ import annotations

from datetime import date, datetime
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


class DeskWithdrawal(Fact):
    """A desk that left the register: no bet, no payout and no shift at it from this row on (T-Prov 4)."""

    __tablename__ = "desk_withdrawals"

    desk_id: Mapped[int] = mapped_column(ForeignKey("desks.id"), unique=True)
    reason: Mapped[str]
    withdrawn_by: Mapped[int] = mapped_column(ForeignKey("users.id"))
    withdrawn_at: Mapped[datetime]


class AgentContract(Fact):
    """The contract by which an agent's point uses a desk of the organizer's (T-Rules 35.1): the last one counts.

    ``valid_until`` is its last day by the operator's calendar, ``ends_at`` the instant that day is over. The gate reads
    this row (DESIGN 3.4). A desk that never had one is worked by the organizer.
    """

    __tablename__ = "agent_contracts"
    __table_args__ = (
        Index("ix_agent_contracts_desk_id_id", "desk_id", "id"),
        CheckConstraint("valid_until >= dated", name="runs_for_a_day"),
    )

    desk_id: Mapped[int] = mapped_column(ForeignKey("desks.id"))
    agent: Mapped[str]
    number: Mapped[str]
    dated: Mapped[date]
    valid_until: Mapped[date]
    ends_at: Mapped[datetime]
    entered_by: Mapped[int] = mapped_column(ForeignKey("users.id"))
    entered_at: Mapped[datetime]


class ContractEnding(Fact):
    """A contract withdrawn before its last day; one a contract. The gate reads this row (DESIGN 3.4)."""

    __tablename__ = "contract_endings"

    contract_id: Mapped[int] = mapped_column(ForeignKey("agent_contracts.id"), unique=True)
    reason: Mapped[str]
    ended_by: Mapped[int] = mapped_column(ForeignKey("users.id"))
    ended_at: Mapped[datetime]


class Terminal(Fact):
    """A workplace at a desk, for good: one that moves is withdrawn, and installed anew where it goes.

    It proves itself by a secret that is kept as a hash: the one it was installed with, until it gets another
    (:class:`TerminalCredential`).
    """

    __tablename__ = "terminals"
    __table_args__ = (Index("ix_terminals_desk_id_id", "desk_id", "id"),)

    desk_id: Mapped[int] = mapped_column(ForeignKey("desks.id"))
    code: Mapped[str] = mapped_column(unique=True)
    secret_digest: Mapped[bytes]


class TerminalCredential(Fact):
    """Another secret of a terminal: from this row on it alone proves the terminal, and no earlier one does."""

    __tablename__ = "terminal_credentials"
    __table_args__ = (Index("ix_terminal_credentials_terminal_id_id", "terminal_id", "id"),)

    terminal_id: Mapped[int] = mapped_column(ForeignKey("terminals.id"))
    secret_digest: Mapped[bytes]
    reason: Mapped[str]
    issued_by: Mapped[int] = mapped_column(ForeignKey("users.id"))
    issued_at: Mapped[datetime]


class TerminalWithdrawal(Fact):
    """A terminal that is no more: it sells nothing and signs nobody in. The gate reads this row (DESIGN 3.4)."""

    __tablename__ = "terminal_withdrawals"

    terminal_id: Mapped[int] = mapped_column(ForeignKey("terminals.id"), unique=True)
    reason: Mapped[str]
    withdrawn_by: Mapped[int] = mapped_column(ForeignKey("users.id"))
    withdrawn_at: Mapped[datetime]


class DeskAssignment(Fact):
    """A cashier who may work at a desk, from an instant on. Whoever was ever assigned works nowhere else."""

    __tablename__ = "desk_assignments"
    __table_args__ = (
        Index("ix_desk_assignments_cashier_id_id", "cashier_id", "id"),
        Index("ix_desk_assignments_desk_id_id", "desk_id", "id"),
    )

    cashier_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    desk_id: Mapped[int] = mapped_column(ForeignKey("desks.id"))
    assigned_by: Mapped[int] = mapped_column(ForeignKey("users.id"))
    assigned_at: Mapped[datetime]


class AssignmentEnding(Fact):
    """The end of a cashier's work at a desk, with its reason."""

    __tablename__ = "assignment_endings"

    assignment_id: Mapped[int] = mapped_column(ForeignKey("desk_assignments.id"), unique=True)
    reason: Mapped[str]
    ended_by: Mapped[int] = mapped_column(ForeignKey("users.id"))
    ended_at: Mapped[datetime]


class Shift(Fact):
    """A cashier's shift at a desk, opened on counted cash (minor units). A desk has one open shift at the most.

    ``expected`` is what the books knew of when it was counted; empty in shifts from before a difference could be on
    record, which opened on just that.
    """

    __tablename__ = "shifts"
    __table_args__ = (
        CheckConstraint("counted >= 0", name="counted_not_negative"),
        Index("ix_shifts_desk_id_id", "desk_id", "id"),
    )

    desk_id: Mapped[int] = mapped_column(ForeignKey("desks.id"))
    opened_by: Mapped[int] = mapped_column(ForeignKey("users.id"))
    opened_at: Mapped[datetime]
    counted: Mapped[int]
    expected: Mapped[int | None]


class ShiftClosing(Fact):
    """The end of a shift: the cash its transfers explain, the cash counted. The gate reads this row (DESIGN 3.4).

    ``reason`` says why a supervisor closed it in a cashier's place; a cashier needs none.
    """

    __tablename__ = "shift_closings"
    __table_args__ = (CheckConstraint("counted >= 0", name="counted_not_negative"),)

    shift_id: Mapped[int] = mapped_column(ForeignKey("shifts.id"), unique=True)
    closed_by: Mapped[int] = mapped_column(ForeignKey("users.id"))
    closed_at: Mapped[datetime]
    expected: Mapped[int]
    counted: Mapped[int]
    reason: Mapped[str | None]


class CodeEntry(StrEnum):
    """How a ticket's code reached the terminal. What is typed may be copied from anywhere (INDUSTRY: two persons)."""

    SCANNED = "scanned"
    TYPED = "typed"


NO_CODE = "no_code"
"""What stands for the way of a code where none was presented: money from a game account."""


class Payout(Fact):
    """A line of the journal of cash payouts (T-Prov 23, annex): numbered through, without gaps, never reused.

    It pays one settlement of a ticket, or one withdrawal from a game account.

    ``approval_id`` is the proposal a second person approved, ``approved_by`` that person; the database compares the
    login with the cashier's. ``code_entry`` is ``unrecorded`` in lines written before it was asked for.
    """

    __tablename__ = "payouts"
    __table_args__ = (
        CheckConstraint("amount > 0", name="amount_positive"),
        Index("ix_payouts_shift_id_number", "shift_id", "number"),
        CheckConstraint("code_entry IN ('scanned', 'typed', 'unrecorded', 'no_code')", name="code_entry_known"),
        CheckConstraint("(settlement_id IS NULL) <> (withdrawal_id IS NULL)", name="of_one_thing"),
        CheckConstraint("(withdrawal_id IS NOT NULL) = (code_entry = 'no_code')", name="tickets_have_codes"),
        CheckConstraint("(approval_id IS NULL) = (approved_by IS NULL)", name="approved_by_somebody"),
        CheckConstraint("approved_by <> cashier_id", name="two_persons"),
        ForeignKeyConstraint(
            ["approval_id", "approved_by"], ["proposal_decisions.proposal_id", "proposal_decisions.decided_by"]
        ),
    )

    number: Mapped[int] = mapped_column(unique=True)
    settlement_id: Mapped[int | None] = mapped_column(ForeignKey("settlements.id"), unique=True)
    withdrawal_id: Mapped[int | None] = mapped_column(ForeignKey("account_withdrawals.id"), unique=True)
    amount: Mapped[int]
    person_version_id: Mapped[int] = mapped_column(ForeignKey("person_versions.id"))
    shift_id: Mapped[int] = mapped_column(ForeignKey("shifts.id"))
    cashier_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    paid_at: Mapped[datetime]
    code_entry: Mapped[str]
    approval_id: Mapped[int | None] = mapped_column(ForeignKey("proposal_uses.proposal_id"), unique=True)
    approved_by: Mapped[int | None]
