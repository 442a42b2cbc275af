"""The journal: every movement of money is one transfer from one account to another (DESIGN 3.3)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, cast

from sqlalchemy import CheckConstraint, CursorResult, ForeignKey, ForeignKeyConstraint, Index, insert, select, update
from sqlalchemy.orm import Mapped, Session, mapped_column

from db.base import Fact
from ledger.accounts import Account, Balance, Kind
from ledger.refusals import Refusal


class Transfer(Fact):
    """Money from the credit account to the debit account, in minor units; balanced by construction.

    ``occurred_at`` is when it happened, ``recorded_at`` when it was written, ``booked_on`` the accountant's day in the
    operator's zone (D-1). A mistake is undone by the opposite transfer that names it in ``reverses_id``.
    """

    __tablename__ = "transfers"
    __table_args__ = (
        CheckConstraint("amount > 0", name="amount_positive"),
        CheckConstraint("debit_account_id <> credit_account_id", name="two_accounts"),
        ForeignKeyConstraint(["debit_account_id", "currency"], ["accounts.id", "accounts.currency"]),
        ForeignKeyConstraint(["credit_account_id", "currency"], ["accounts.id", "accounts.currency"]),
        Index("ix_transfers_ticket_id", "ticket_id", postgresql_where="ticket_id IS NOT NULL"),
        Index("ix_transfers_settlement_id", "settlement_id", postgresql_where="settlement_id IS NOT NULL"),
        Index("ix_transfers_debit_account_id_id", "debit_account_id", "id"),
        Index("ix_transfers_credit_account_id_id", "credit_account_id", "id"),
        Index("ix_transfers_shift_id", "shift_id", postgresql_where="shift_id IS NOT NULL"),
        Index("ix_transfers_booked_on_id", "booked_on", "id"),
        Index("ix_transfers_kind_id", "kind", "id"),
    )

    debit_account_id: Mapped[int]
    credit_account_id: Mapped[int]
    amount: Mapped[int]
    currency: Mapped[str]
    kind: Mapped[str]
    ticket_id: Mapped[int | None] = mapped_column(ForeignKey("tickets.id"))
    settlement_id: Mapped[int | None] = mapped_column(ForeignKey("settlements.id"))
    shift_id: Mapped[int | None] = mapped_column(ForeignKey("shifts.id"))
    reverses_id: Mapped[int | None] = mapped_column(ForeignKey("transfers.id"), unique=True)
    reason: Mapped[str | None]
    occurred_at: Mapped[datetime]
    booked_on: Mapped[date]


@dataclass(frozen=True)
class Movement:
    """One transfer about to be posted: debit and credit account ids, amount in minor units, what it is for."""

    debit: int
    credit: int
    amount: int
    kind: str
    ticket_id: int | None = None
    settlement_id: int | None = None
    shift_id: int | None = None
    reverses_id: int | None = None
    reason: str | None = None


def post(
    session: Session, movements: Iterable[Movement], *, currency: str, occurred_at: datetime, booked_on: date
) -> list[int]:
    """Write the movements and move the players' balances they touch; movements of nothing are left out.

    Returns the ids of the transfers.

    Raises:
        Refusal: ``insufficient_funds``, a player's balance would fall below zero.
    """
    written = [movement for movement in movements if movement.amount != 0]
    if not written:
        return []
    _move_balances(session, written)
    rows = [
        {
            "debit_account_id": movement.debit,
            "credit_account_id": movement.credit,
            "amount": movement.amount,
            "currency": currency,
            "kind": movement.kind,
            "ticket_id": movement.ticket_id,
            "settlement_id": movement.settlement_id,
            "shift_id": movement.shift_id,
            "reverses_id": movement.reverses_id,
            "reason": movement.reason,
            "occurred_at": occurred_at,
            "booked_on": booked_on,
        }
        for movement in written
    ]
    return list(session.scalars(insert(Transfer).returning(Transfer.id), rows))


def reverse(
    session: Session, transfer_ids: Iterable[int], *, reason: str, occurred_at: datetime, booked_on: date
) -> list[int]:
    """Undo transfers by their opposites, each naming what it undoes; a second reversal breaks a unique key.

    The opposite belongs to no shift: the totals of a closed one do not change.

    Raises:
        Refusal: ``insufficient_funds``, the money to take back is no longer on the player's account.
    """
    undone = session.scalars(select(Transfer).where(Transfer.id.in_(list(transfer_ids))).order_by(Transfer.id)).all()
    ids: list[int] = []
    for transfer in undone:
        opposite = Movement(
            debit=transfer.credit_account_id,
            credit=transfer.debit_account_id,
            amount=transfer.amount,
            kind=f"{transfer.kind}_reversed",
            ticket_id=transfer.ticket_id,
            settlement_id=transfer.settlement_id,
            reverses_id=transfer.id,
            reason=reason,
        )
        ids += post(session, [opposite], currency=transfer.currency, occurred_at=occurred_at, booked_on=booked_on)
    return ids


def _move_balances(session: Session, movements: list[Movement]) -> None:
    """Players' balances are updated in the order of account ids, so that two posts never wait on one another."""
    changes: dict[int, int] = {}
    for movement in movements:
        changes[movement.debit] = changes.get(movement.debit, 0) - movement.amount
        changes[movement.credit] = changes.get(movement.credit, 0) + movement.amount
    players = select(Account.id).where(Account.id.in_(changes), Account.kind == Kind.PLAYER).order_by(Account.id)
    for account_id in session.scalars(players):
        change = changes[account_id]
        moved = session.execute(
            update(Balance)
            .where(Balance.account_id == account_id, Balance.balance + change >= 0)
            .values(balance=Balance.balance + change)
            .execution_options(synchronize_session=False)
        )
        if cast(CursorResult[Any], moved).rowcount != 1:
            raise insufficient_funds()


def insufficient_funds(advice: str = "уменьшите сумму") -> Refusal:
    """The refusal of T-Rules 35.3: bets and withdrawals only within the money on the game account.

    ``advice`` says what to do: whoever takes money out is not told to pay some in.
    """
    return Refusal("insufficient_funds", f"На игровом счёте недостаточно денег: {advice}.")
