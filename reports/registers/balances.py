"""The balances of accounts at a cut: the last checkpoint under the seal, and for this moment the tail behind it."""

from __future__ import annotations

from typing import Any

from sqlalchemy import BigInteger, ColumnElement, Select, Subquery, cast, func, select, union_all
from sqlalchemy.dialects.postgresql import distinct_on

from ledger.checkpoints import BalanceCheckpoint, movements
from ledger.journal import Transfer
from reports.registers.cut import Cut


def balances(cut: Cut) -> Subquery:
    """``account_id`` and ``balance``, debits less credits in minor units, of every account that ever moved.

    A seal keeps the balance of each account that its transfers moved (DESIGN 3.4), so that no history is added up.
    """
    kept = (
        select(BalanceCheckpoint.account_id, BalanceCheckpoint.balance)
        .ext(distinct_on(BalanceCheckpoint.account_id))
        .where(BalanceCheckpoint.seal_id <= cut.seal)
        .order_by(BalanceCheckpoint.account_id, BalanceCheckpoint.seal_id.desc())
        .subquery()
    )
    parts: list[Select[*tuple[Any, ...]]] = [select(kept)]
    if not cut.sealed:
        tail = movements(Transfer.id >= cut.bound(Transfer))
        parts.append(select(tail.c.account_id, tail.c.movement))
    both = union_all(*parts).subquery()
    total = cast(func.sum(both.c.balance), BigInteger).label("balance")
    return select(both.c.account_id, total).group_by(both.c.account_id).subquery()


def chart_code(chart: Any, kind: ColumnElement[str], day: ColumnElement[Any], told: str) -> ColumnElement[str]:
    """The accountant's ``code`` or ``title`` for a kind of account on a day: the latest line in force (RULES 7)."""
    lines = select(getattr(chart, told)).where(chart.kind == kind, chart.effective_from <= day)
    return lines.order_by(chart.effective_from.desc(), chart.id.desc()).limit(1).scalar_subquery()
