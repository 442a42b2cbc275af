"""The trial balance: every account's turnover and balance, summed to zero, under the accountant's codes (RULES 7)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlalchemy import BigInteger, Select, func, literal, select, union_all
from sqlalchemy.orm import Session

from ledger.accounts import Account, ChartLine
from ledger.journal import Transfer


@dataclass(frozen=True)
class AccountLine:
    """An account's turnover in minor units; the balance stands on the side where it is positive."""

    code: str
    title: str
    kind: str
    subject: str
    currency: str
    debits: int
    credits: int

    @property
    def debit_balance(self) -> int:
        """What lies on the account's debit side."""
        return max(self.debits - self.credits, 0)

    @property
    def credit_balance(self) -> int:
        """What lies on the account's credit side."""
        return max(self.credits - self.debits, 0)


@dataclass(frozen=True)
class TrialBalance:
    """All accounts with a turnover, and their sums; ``difference`` is zero or the ledger is broken."""

    lines: list[AccountLine]

    @property
    def debits(self) -> int:
        """The sum of all debit turnovers."""
        return sum(line.debits for line in self.lines)

    @property
    def credits(self) -> int:
        """The sum of all credit turnovers."""
        return sum(line.credits for line in self.lines)

    @property
    def difference(self) -> int:
        """Debit balances less credit balances."""
        return sum(line.debit_balance - line.credit_balance for line in self.lines)


def trial_balance(session: Session, currency: str, day: date) -> TrialBalance:
    """The trial balance of one currency at this moment, under the chart in force on a day."""
    chart = chart_on(session, day)
    lines = [
        AccountLine(
            code=chart[row.kind].code,
            title=chart[row.kind].title,
            kind=row.kind,
            subject=row.subject,
            currency=currency,
            debits=int(row.debits),
            credits=int(row.credits),
        )
        for row in session.execute(_turnovers(currency))
    ]
    return TrialBalance(sorted(lines, key=lambda line: (line.code, line.subject)))


def chart_on(session: Session, day: date) -> dict[str, ChartLine]:
    """The accountant's map in force on a day: of each kind the latest line that has taken effect."""
    lines = session.scalars(
        select(ChartLine).where(ChartLine.effective_from <= day).order_by(ChartLine.effective_from, ChartLine.id)
    )
    return {line.kind: line for line in lines}


def _turnovers(currency: str) -> Select[str, str, Any, Any]:
    """Both sides in one statement: a bet that commits between two would show as a break in the books."""
    none = literal(0, BigInteger)
    sides = union_all(
        select(Transfer.debit_account_id.label("account_id"), Transfer.amount.label("debit"), none.label("credit")),
        select(Transfer.credit_account_id, none, Transfer.amount),
    ).subquery("sides")
    return (
        select(
            Account.kind,
            Account.subject,
            func.sum(sides.c.debit).label("debits"),
            func.sum(sides.c.credit).label("credits"),
        )
        .join(sides, sides.c.account_id == Account.id)
        .where(Account.currency == currency)
        .group_by(Account.id)
        .order_by(Account.kind, Account.subject)
    )
