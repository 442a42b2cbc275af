"""The cash limit of a desk, set by the servicing bank: it warns and never refuses a bet (T-Prov 18, T-Rules 9.6)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, func, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from db.base import Fact
from db.clock import trade_time
from desk.gates import desk_by_id
from desk.models import Desk
from ledger.accounts import Account
from ledger.checkpoints import balance_of, balances
from ledger.money import currency, format_amount
from office.callers import Caller
from office.significant.kinds import CASH_LIMIT_SET, CASH_OVER_LIMIT, CASH_WITHIN_LIMIT
from office.significant.log import note
from office.significant.watch import Watch, note_turn

LIMIT = Watch(bad=CASH_OVER_LIMIT, well=CASH_WITHIN_LIMIT)


class CashLimit(Fact):
    """How much cash (minor units) may stay at a desk from ``set_at`` on, by which paper of the bank; the last holds."""

    __tablename__ = "cash_limits"
    __table_args__ = (
        CheckConstraint("amount >= 0", name="amount_not_negative"),
        Index("ix_cash_limits_desk_id_id", "desk_id", "id"),
    )

    desk_id: Mapped[int] = mapped_column(ForeignKey("desks.id"))
    amount: Mapped[int]
    basis: Mapped[str]
    set_by: Mapped[int] = mapped_column(ForeignKey("users.id"))
    set_at: Mapped[datetime]


@dataclass(frozen=True)
class DeskCash:
    """The cash at a desk by the books at this moment, against its limit, in minor units; no limit: None."""

    desk_id: int
    code: str
    currency: str
    cash: int
    limit: int | None

    @property
    def over_by(self) -> int:
        """How much is to be handed over (T-Rules 9.5, 9.6)."""
        return 0 if self.limit is None else max(self.cash - self.limit, 0)


def set_cash_limit(session: Session, desk_id: int, amount: int, basis: str, by: Caller) -> CashLimit:
    """Put the bank's limit for a desk on record, in force from now on; every earlier one stays readable.

    Raises:
        Refusal: ``not_found``.
    """
    assert by.user_id is not None, "a user of the office enters what the bank has set"
    desk = desk_by_id(session, desk_id)
    limit = CashLimit(desk_id=desk_id, amount=amount, basis=basis, set_by=by.user_id, set_at=trade_time(session))
    session.add(limit)
    session.flush()
    money = currency(_currency_of(session, desk))
    note(session, CASH_LIMIT_SET, f"desk:{desk_id}", by, limit=format_amount(amount, money), basis=basis)
    return limit


def desk_cash(session: Session, desk_id: int) -> DeskCash:
    """How a desk's cash stands now; what is on its way to or from it lies in no desk.

    Raises:
        Refusal: ``not_found``.
    """
    desk = desk_by_id(session, desk_id)
    cash = balance_of(session, desk.cash_account_id)
    return DeskCash(desk.id, desk.code, _currency_of(session, desk), cash, limits(session).get(desk.id))


def limits(session: Session) -> dict[int, int]:
    """The limit in force of each desk that has one."""
    last = select(func.max(CashLimit.id)).group_by(CashLimit.desk_id)
    found = session.execute(select(CashLimit.desk_id, CashLimit.amount).where(CashLimit.id.in_(last)))
    return {desk_id: amount for desk_id, amount in found}


def watch_cash_limits(session: Session) -> list[DeskCash]:
    """Note each desk whose cash crossed its limit since the last look, either way; those that are over it now.

    By state and not by movement: no bet asks for the limit, and a look that was missed is made up for by the next.
    """
    held = limits(session)
    counted = select(Desk, Account.currency).join(Account, Account.id == Desk.cash_account_id)
    desks = session.execute(counted.where(Desk.id.in_(held)).order_by(Desk.id)).all()
    cash = balances(session, [desk.cash_account_id for desk, _ in desks])
    standing = [
        DeskCash(desk.id, desk.code, money, cash.get(desk.cash_account_id, 0), held[desk.id]) for desk, money in desks
    ]
    for each in standing:
        _note_turn(session, each)
    return [each for each in standing if each.over_by > 0]


def _note_turn(session: Session, standing: DeskCash) -> None:
    money = currency(standing.currency)
    amounts = {"cash": standing.cash, "limit": standing.limit or 0, "over_by": standing.over_by}
    told = {name: format_amount(amount, money) for name, amount in amounts.items()}
    note_turn(session, LIMIT, f"desk:{standing.desk_id}", standing.over_by > 0, desk=standing.code, **told)


def _currency_of(session: Session, desk: Desk) -> str:
    return session.get_one(Account, desk.cash_account_id).currency
