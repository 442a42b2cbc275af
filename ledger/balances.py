"""Taking money from a game account and giving it back: the one balance that is an updated row."""

from __future__ import annotations

from sqlalchemy import CTE, select, update
from sqlalchemy.orm import Session

from ledger.accounts import Balance


def taking(account_id: object, amount: int) -> CTE:
    """The part of a placing statement that takes a stake from a game account, if the money is there (T-Rules 35.3).

    It gives one row with ``account_id``, or none; the condition is judged on the row as it is under its lock.
    """
    return (
        update(Balance)
        .where(Balance.account_id == account_id, Balance.balance >= amount)
        .values(balance=Balance.balance - amount)
        .returning(Balance.account_id)
        .cte("taken")
    )


def balance_of_player(session: Session, account_id: int) -> int:
    """The money on a game account, in minor units."""
    return session.scalars(select(Balance.balance).where(Balance.account_id == account_id)).one()
