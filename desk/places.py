"""Places where the operator's money lies: nobody takes more from one than is there."""

from __future__ import annotations

from sqlalchemy import Integer, cast, func, select
from sqlalchemy.orm import Session

from ledger.checkpoints import balance_of
from ledger.money import currency, format_amount
from ledger.refusals import Refusal

PLACE_GATE = 4


def hold_enough(session: Session, account_id: int, amount: int, money: str) -> None:
    """Keep a desk, the bank or the special account from paying out what the ledger says it does not hold.

    Whoever takes from the same place waits until this transaction ends; whoever puts money in waits for nobody.

    Raises:
        Refusal: ``not_enough_money`` with what lies there: enter the money that came in first.
    """
    session.execute(select(func.pg_advisory_xact_lock(PLACE_GATE, cast(account_id, Integer))))
    held = balance_of(session, account_id)
    if held < amount:
        shown = format_amount(held, currency(money))
        raise Refusal("not_enough_money", f"По учёту здесь только {shown}: сначала внесите недостающее.", held=shown)
