"""Balances of accounts no row is updated for: the last sealed checkpoint and the tail of transfers (DESIGN 3.4).

A balance is debits less credits, in minor units: a till that holds money has a positive one, a pool that owes its
bettors a negative one. What an account of the credit side owes is the balance with the opposite sign.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    CompoundSelect,
    ForeignKey,
    ScalarSelect,
    Select,
    UniqueConstraint,
    cast,
    func,
    insert,
    literal,
    select,
    union_all,
)
from sqlalchemy.dialects.postgresql import distinct_on
from sqlalchemy.orm import Mapped, Session, mapped_column

from db.base import Fact
from db.instants import Instant
from ledger.journal import Transfer
from ledger.seals.models import SealContent


class BalanceCheckpoint(Fact):
    """The balance of an account after all transfers sealed so far, where the seal's own transfers moved it."""

    __tablename__ = "balance_checkpoints"
    __table_args__ = (UniqueConstraint("account_id", "seal_id"),)

    seal_id: Mapped[int] = mapped_column(ForeignKey("seals.id", deferrable=True, initially="DEFERRED"), index=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"))
    balance: Mapped[int]


def balance_of(session: Session, account_id: int) -> int:
    """Debits less credits of an account up to this moment, in minor units."""
    return balances(session, [account_id]).get(account_id, 0)


def balances(session: Session, account_ids: Iterable[int] | None = None) -> dict[int, int]:
    """The balances of the accounts named, or of all; an account nothing ever moved is left out.

    One statement, so that a seal written meanwhile cannot be counted with its checkpoint and its transfers both.
    """
    wanted = None if account_ids is None else list(account_ids)
    tail = movements(Transfer.id >= _unsealed_from(), wanted)
    both = union_all(_last_checkpoints(wanted), select(tail.c.account_id, tail.c.movement)).subquery()
    total = cast(func.sum(both.c.balance), BigInteger)
    found = session.execute(select(both.c.account_id, total).group_by(both.c.account_id))
    return {account: balance for account, balance in found}


def write_checkpoints(session: Session, seal_id: int, span: tuple[int, int], recorded_at: datetime) -> None:
    """The new balance of every account that the transfers of a span of ids (the end exclusive) moved."""
    moved = movements((Transfer.id >= span[0]) & (Transfer.id < span[1]))
    rows = select(
        literal(recorded_at, Instant),
        literal(seal_id, BigInteger),
        moved.c.account_id,
        balance_before(moved.c.account_id, seal_id) + moved.c.movement,
    ).order_by(moved.c.account_id)
    session.execute(
        insert(BalanceCheckpoint).from_select(["recorded_at", "seal_id", "account_id", "balance"], rows),
        execution_options={"synchronize_session": False},
    )


def balance_before(account_id: ColumnElement[int], seal_id: ColumnElement[int] | int) -> ColumnElement[int]:
    """The last checkpoint of an account before a seal, or nothing."""
    last = (
        select(BalanceCheckpoint.balance)
        .where(BalanceCheckpoint.account_id == account_id, BalanceCheckpoint.seal_id < seal_id)
        .order_by(BalanceCheckpoint.seal_id.desc())
        .limit(1)
    )
    return func.coalesce(last.scalar_subquery(), literal(0, BigInteger))


def movements(which: ColumnElement[bool], account_ids: list[int] | None = None) -> Any:
    """What the transfers ``which`` names did to each account: ``account_id`` and ``movement``, debits less credits."""
    legs = _legs(which, account_ids).subquery("legs")
    moved = cast(func.sum(legs.c.amount), BigInteger).label("movement")
    return select(legs.c.account_id, moved).group_by(legs.c.account_id).subquery("moved")


def _legs(which: ColumnElement[bool], account_ids: list[int] | None) -> CompoundSelect[Any]:
    debits = select(Transfer.debit_account_id.label("account_id"), Transfer.amount).where(which)
    credits_ = select(Transfer.credit_account_id.label("account_id"), (-Transfer.amount).label("amount")).where(which)
    if account_ids is not None:
        debits = debits.where(Transfer.debit_account_id.in_(account_ids))
        credits_ = credits_.where(Transfer.credit_account_id.in_(account_ids))
    return union_all(debits, credits_)


def _last_checkpoints(account_ids: list[int] | None) -> Select[Any]:
    last = (
        select(BalanceCheckpoint.account_id, BalanceCheckpoint.balance)
        .ext(distinct_on(BalanceCheckpoint.account_id))
        .order_by(BalanceCheckpoint.account_id, BalanceCheckpoint.seal_id.desc())
    )
    if account_ids is not None:
        last = last.where(BalanceCheckpoint.account_id.in_(account_ids))
    return select(last.subquery("last"))


def _unsealed_from() -> ScalarSelect[Any]:
    last = func.max(SealContent.closed_below)
    return select(func.coalesce(last, 0)).where(SealContent.table_name == Transfer.__tablename__).scalar_subquery()
