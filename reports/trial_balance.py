"""The trial balance: every account's turnover and balance, summed to zero, under the accountant's codes (RULES 7)."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import InstrumentedAttribute, Session

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


def trial_balance(session: Session, currency: str) -> TrialBalance:
    """The trial balance of one currency at this moment."""
    debits = _turnover(session, Transfer.debit_account_id, currency)
    credits = _turnover(session, Transfer.credit_account_id, currency)
    chart = chart_now(session)
    accounts = session.scalars(
        select(Account).where(Account.currency == currency).order_by(Account.kind, Account.subject)
    )
    lines = [
        AccountLine(
            code=chart[account.kind].code,
            title=chart[account.kind].title,
            kind=account.kind,
            subject=account.subject,
            currency=currency,
            debits=debits.get(account.id, 0),
            credits=credits.get(account.id, 0),
        )
        for account in accounts
        if account.id in debits or account.id in credits
    ]
    return TrialBalance(sorted(lines, key=lambda line: (line.code, line.subject)))


def chart_now(session: Session) -> dict[str, ChartLine]:
    """The accountant's map in force: of each kind the latest line."""
    lines = session.scalars(select(ChartLine).order_by(ChartLine.effective_from, ChartLine.id))
    return {line.kind: line for line in lines}


def _turnover(session: Session, side: InstrumentedAttribute[int], currency: str) -> dict[int, int]:
    sums = select(side, func.sum(Transfer.amount)).where(Transfer.currency == currency).group_by(side)
    return {account_id: int(amount) for account_id, amount in session.execute(sums)}
