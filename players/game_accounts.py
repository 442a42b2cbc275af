"""What came onto game accounts and by which means, and what is taken off them (T-Rules 35, 41, 42)."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from sqlalchemy import CheckConstraint, ForeignKey, Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Fact
from players.means import Means


class Deposit(Fact):
    """Money put onto a game account, with the means it came by: what is paid out goes back the same way (T-Rules 41).

    A payment that came from outside has its provider's number, under which it is credited once however often it is
    told. ``transfer_id`` is the movement, ``entered_by`` who of the office told of it.
    """

    __tablename__ = "deposits"
    __table_args__ = (
        CheckConstraint("amount > 0", name="amount_positive"),
        CheckConstraint("means IN ('cash_desk', 'bank_transfer', 'payment_system', 'card')", name="means_known"),
        CheckConstraint("(means = 'cash_desk') = (provider IS NULL)", name="cash_has_no_provider"),
        CheckConstraint("(provider IS NULL) = (payment_id IS NULL)", name="provider_numbers_it"),
        UniqueConstraint("provider", "payment_id"),
        Index("ix_deposits_player_id_id", "player_id", "id"),
    )

    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"))
    means: Mapped[str]
    provider: Mapped[str | None]
    payment_id: Mapped[str | None]
    amount: Mapped[int]
    transfer_id: Mapped[int] = mapped_column(ForeignKey("transfers.id"), unique=True)
    entered_by: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    deposited_at: Mapped[datetime]


class BankDetails(Fact):
    """Which version of the person tells the bank account a player's money is sent to; the last row counts."""

    __tablename__ = "bank_details"
    __table_args__ = (
        CheckConstraint("(player_id = told_by_player) OR told_by_player IS NULL", name="own_account_only"),
        CheckConstraint("(told_by_player IS NULL) <> (told_by IS NULL)", name="told_by_somebody"),
        Index("ix_bank_details_player_id_id", "player_id", "id"),
        Index("ix_bank_details_person_version_id", "person_version_id"),
    )

    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"))
    person_version_id: Mapped[int] = mapped_column(ForeignKey("person_versions.id"))
    told_by_player: Mapped[int | None] = mapped_column(ForeignKey("players.id"))
    told_by: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    told_at: Mapped[datetime]


class Cause(StrEnum):
    """Why money leaves a game account: the player asked for it, or the registration has ended."""

    ASKED = "asked"
    REGISTRATION_ENDED = "registration_ended"


class AccountWithdrawal(Fact):
    """Money taken off a game account: in cash at once, or reserved for a bank transfer (T-Rules 41, 42).

    ``usual_means`` is what the rule of T-Rules 41 proposed when ``means`` was chosen. ``transfer_id`` is the movement
    off the game account; ``person_version_id`` says who is paid, and for a transfer to which bank account.
    """

    __tablename__ = "account_withdrawals"
    __table_args__ = (
        CheckConstraint("amount > 0", name="amount_positive"),
        CheckConstraint("means IN ('cash_desk', 'bank_transfer')", name="means_known"),
        CheckConstraint(
            "usual_means IN ('cash_desk', 'bank_transfer', 'payment_system', 'card')", name="usual_means_known"
        ),
        CheckConstraint("cause IN ('asked', 'registration_ended')", name="cause_known"),
        CheckConstraint("(means = 'bank_transfer') = (bank_details_id IS NOT NULL)", name="transfers_have_an_account"),
        Index("ix_account_withdrawals_player_id_id", "player_id", "id"),
        Index("ix_account_withdrawals_person_version_id", "person_version_id"),
        Index("ix_account_withdrawals_bank_details_id", "bank_details_id"),
    )

    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"))
    means: Mapped[str]
    usual_means: Mapped[str]
    cause: Mapped[str]
    amount: Mapped[int]
    person_version_id: Mapped[int] = mapped_column(ForeignKey("person_versions.id"))
    bank_details_id: Mapped[int | None] = mapped_column(ForeignKey("bank_details.id"))
    transfer_id: Mapped[int] = mapped_column(ForeignKey("transfers.id"), unique=True)
    withdrawn_at: Mapped[datetime]


class End(StrEnum):
    """What became of a bank transfer: the bank was ordered to send it, or the money went back onto the account."""

    SENT = "sent"
    RETURNED = "returned"


class WithdrawalEnding(Fact):
    """The accountant's word on a bank transfer, one each: sent by a payment order, or returned for a reason."""

    __tablename__ = "withdrawal_endings"
    __table_args__ = (
        CheckConstraint("\"end\" IN ('sent', 'returned')", name="end_known"),
        CheckConstraint("(\"end\" = 'sent') = (payment_order IS NOT NULL)", name="sent_by_an_order"),
        CheckConstraint("(\"end\" = 'returned') = (reason IS NOT NULL)", name="returned_for_a_reason"),
    )

    withdrawal_id: Mapped[int] = mapped_column(ForeignKey("account_withdrawals.id"), unique=True)
    end: Mapped[str]
    payment_order: Mapped[str | None]
    reason: Mapped[str | None]
    transfer_id: Mapped[int] = mapped_column(ForeignKey("transfers.id"), unique=True)
    decided_by: Mapped[int] = mapped_column(ForeignKey("users.id"))
    decided_at: Mapped[datetime]


__all__ = ["AccountWithdrawal", "BankDetails", "Cause", "Deposit", "End", "Means", "WithdrawalEnding"]
