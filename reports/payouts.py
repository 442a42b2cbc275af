"""The journal of cash payouts as it is read (annex to T-Prov): personal data masked unless the reader may see it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from desk.models import Desk, Payout, Shift
from ledger.settlements import Settlement
from office.persons import Persons
from office.users import User


@dataclass(frozen=True)
class JournalLine:
    """A line of the journal; ``person`` and ``document`` are masked."""

    number: int
    ticket: int
    amount: int
    paid_at: datetime
    desk: str
    cash_register: str
    cashier: str
    person: str
    document: str


def journal(session: Session, persons: Persons, after: int, limit: int) -> list[JournalLine]:
    """The lines behind a running number, in the order of the numbers."""
    return _lines(session, persons, _joined().where(Payout.number > after).order_by(Payout.number).limit(limit))


def line(session: Session, persons: Persons, payout_id: int) -> JournalLine:
    """The line a payout wrote."""
    (found,) = _lines(session, persons, _joined().where(Payout.id == payout_id))
    return found


def _joined() -> Select[Payout, int, str, str, str]:
    return (
        select(Payout, Settlement.ticket_id, Desk.code, Desk.cash_register, User.name)
        .join(Settlement, Settlement.id == Payout.settlement_id)
        .join(Shift, Shift.id == Payout.shift_id)
        .join(Desk, Desk.id == Shift.desk_id)
        .join(User, User.id == Payout.cashier_id)
    )


def _lines(session: Session, persons: Persons, query: Select[Payout, int, str, str, str]) -> list[JournalLine]:
    lines = []
    for payout, ticket, desk, cash_register, cashier in session.execute(query):
        details = persons.read(session, payout.person_version_id)
        lines.append(
            JournalLine(
                number=payout.number,
                ticket=ticket,
                amount=payout.amount,
                paid_at=payout.paid_at,
                desk=desk,
                cash_register=cash_register,
                cashier=cashier,
                person=f"{_masked(details['surname'])} {details['name'][:1]}.",
                document=f"{details['document_kind']} {_masked(details['document_number'])}",
            )
        )
    return lines


def _masked(text: str) -> str:
    return text[:1] + "*" * (len(text) - 1)
