"""Taking money from a game account and giving it back: the one balance that is an updated row."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from ledger.accounts import Balance


def taking(account: str) -> str:
    """The part of a placing statement that takes ``:stake`` from a game account, if the money is there (T-Rules 35.3).

    ``account`` is a query for the account's id. ``taken`` gives one row with ``account_id``, or none; the condition is
    judged on the row as it is under its lock.
    """
    return f"""
        taken AS (
            UPDATE balances SET balance = balance - :stake
            WHERE account_id = ({account}) AND balance >= :stake
            RETURNING account_id
        )"""


def balance_of_player(session: Session, account_id: int) -> int:
    """The money on a game account, in minor units."""
    return session.scalars(select(Balance.balance).where(Balance.account_id == account_id)).one()
