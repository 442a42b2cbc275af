"""Accounts of the ledger, their balances, and the accountant's chart they map to (RULES 7)."""

from __future__ import annotations

from datetime import date
from enum import StrEnum

from sqlalchemy import CheckConstraint, ForeignKey, UniqueConstraint, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Mapped, Session, mapped_column

from db.base import Base, Fact


class Kind(StrEnum):
    """What an account stands for. The subject says whose: ``desk:3``, ``player:12``, ``pool:7``, ``totolot``."""

    CASH = "cash"
    SAFE = "safe"
    CASH_IN_TRANSIT = "cash_in_transit"
    BANK = "bank"
    SPECIAL_FUND = "special_fund"
    PLAYER = "player"
    POOL = "pool"
    PRIZE_FUND = "prize_fund"
    WINS_PAYABLE = "wins_payable"
    JACKPOT = "jackpot"
    WITHDRAWAL_REVENUE = "withdrawal_revenue"
    ORGANIZER = "organizer"
    CLAIMS = "claims"
    SUSPENSE = "suspense"
    UNDER_WAY = "under_way"


OPERATOR = "operator"
"""The subject of accounts of which the operator has one (D-26)."""


class Account(Fact):
    """A place where money lies or is owed: one row a kind, subject and currency."""

    __tablename__ = "accounts"
    __table_args__ = (
        UniqueConstraint("kind", "subject", "currency"),
        # Transfers name the currency with the account, so that one row can never cross two currencies.
        UniqueConstraint("id", "currency"),
    )

    kind: Mapped[str]
    subject: Mapped[str]
    currency: Mapped[str]


class Balance(Base):
    """The money on a player's game account, in minor units: the one balance that is an updated row (DESIGN 3.4).

    The constraint is the second line of defence behind T-Rules 35.3: no bet without the money for it.
    """

    __tablename__ = "balances"
    __table_args__ = (CheckConstraint("balance >= 0", name="not_negative"),)

    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), primary_key=True, autoincrement=False)
    balance: Mapped[int]


class ChartLine(Fact):
    """Which account of the accountant's chart a kind belongs to, from a date on. A later line replaces an earlier."""

    __tablename__ = "chart_lines"
    __table_args__ = (
        UniqueConstraint("kind", "effective_from"),
        CheckConstraint("normal_side IN ('debit', 'credit')", name="normal_side"),
    )

    kind: Mapped[str]
    code: Mapped[str]
    title: Mapped[str]
    normal_side: Mapped[str]
    effective_from: Mapped[date]


def open_account(session: Session, kind: Kind, subject: str, currency: str) -> int:
    """The id of the account, opened now if nobody opened it before; two openers at once get the same one."""
    values = {"kind": kind.value, "subject": subject, "currency": currency}
    opened = insert(Account).values(values).on_conflict_do_nothing().returning(Account.id)
    account_id = session.scalar(opened)
    if account_id is None:
        account_id = session.scalar(select(Account.id).filter_by(**values))
    assert account_id is not None, "an account is never deleted"
    if kind is Kind.PLAYER:
        session.execute(insert(Balance).values(account_id=account_id, balance=0).on_conflict_do_nothing())
    return account_id
