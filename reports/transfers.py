"""The journal of transfers as the accountant reads it: every movement of money with both its accounts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlalchemy import Row, Select, or_, select
from sqlalchemy.orm import Session, aliased

from db.pages import matching, newest_first
from ledger.accounts import Account
from ledger.journal import Transfer
from ledger.refusals import Refusal

DEBIT, CREDIT = aliased(Account, name="debit"), aliased(Account, name="credit")


@dataclass(frozen=True)
class Asked:
    """Which transfers are wanted; what is not said may be anything. ``account_id`` is on either side."""

    account_id: int | None = None
    kind: str | None = None
    ticket_id: int | None = None
    shift_id: int | None = None
    booked_on: date | None = None


def transfers(session: Session, asked: Asked, before: int, limit: int) -> Sequence[Row[*tuple[Any, ...]]]:
    """The transfers that were asked for, the latest written first."""
    columns = {
        Transfer.kind: asked.kind,
        Transfer.ticket_id: asked.ticket_id,
        Transfer.shift_id: asked.shift_id,
        Transfer.booked_on: asked.booked_on,
    }
    wanted = matching(_entries(), columns)
    if asked.account_id is not None:
        sides = Transfer.debit_account_id, Transfer.credit_account_id
        wanted = wanted.where(or_(*(side == asked.account_id for side in sides)))
    return session.execute(newest_first(wanted, Transfer.id, before, limit)).all()


def transfer(session: Session, transfer_id: int) -> Row[*tuple[Any, ...]]:
    """The transfer with this number.

    Raises:
        Refusal: ``not_found``.
    """
    found = session.execute(_entries().where(Transfer.id == transfer_id)).first()
    if found is None:
        raise Refusal("not_found", "Такого перевода нет.")
    return found


def accounts(
    session: Session, before: int, limit: int, *, kind: str | None = None, subject: str | None = None
) -> Sequence[Account]:
    """The accounts money ever had reason to lie on, the newest first; of a kind or a subject where asked."""
    wanted = matching(select(Account), {Account.kind: kind, Account.subject: subject})
    return session.scalars(newest_first(wanted, Account.id, before, limit)).all()


def _entries() -> Select[*tuple[Any, ...]]:
    return (
        select(
            Transfer.id,
            Transfer.kind,
            Transfer.amount,
            Transfer.debit_account_id,
            DEBIT.kind.label("debit_kind"),
            DEBIT.subject.label("debit_subject"),
            Transfer.credit_account_id,
            CREDIT.kind.label("credit_kind"),
            CREDIT.subject.label("credit_subject"),
            Transfer.ticket_id,
            Transfer.settlement_id,
            Transfer.shift_id,
            Transfer.reverses_id,
            Transfer.reason,
            Transfer.occurred_at,
            Transfer.recorded_at,
            Transfer.booked_on,
        )
        .join(DEBIT, DEBIT.id == Transfer.debit_account_id)
        .join(CREDIT, CREDIT.id == Transfer.credit_account_id)
    )
