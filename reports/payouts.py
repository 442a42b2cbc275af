"""The journal of cash payouts as it is read (annex to T-Prov): personal data masked unless the reader may see it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from db.pages import matching
from desk.models import Desk, Payout, Shift
from ledger.refusals import Refusal
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
    desk_id: int
    cash_register: str
    cashier: str
    person: str
    document: str


def journal(
    session: Session,
    persons: Persons,
    after: int,
    limit: int,
    *,
    desk_id: int | None = None,
    shift_id: int | None = None,
) -> list[JournalLine]:
    """The lines behind a running number, in the order of the numbers; of one desk or shift where asked."""
    wanted = matching(_joined(), {Shift.desk_id: desk_id, Payout.shift_id: shift_id})
    return _lines(session, persons, wanted.where(Payout.number > after).order_by(Payout.number).limit(limit))


def line(session: Session, persons: Persons, payout_id: int) -> JournalLine:
    """The line a payout wrote."""
    (found,) = _lines(session, persons, _joined().where(Payout.id == payout_id))
    return found


def line_numbered(session: Session, persons: Persons, number: int) -> JournalLine:
    """The line with this running number.

    Raises:
        Refusal: ``not_found``.
    """
    found = _lines(session, persons, _joined().where(Payout.number == number))
    if not found:
        raise no_such_line()
    return found[0]


def no_such_line() -> Refusal:
    """One refusal for a line that is not there and one of another desk."""
    return Refusal("not_found", "Строки журнала с таким номером нет.")


def _joined() -> Select[Payout, int, str, int, str, str]:
    return (
        select(Payout, Settlement.ticket_id, Desk.code, Desk.id, Desk.cash_register, User.name)
        .join(Settlement, Settlement.id == Payout.settlement_id)
        .join(Shift, Shift.id == Payout.shift_id)
        .join(Desk, Desk.id == Shift.desk_id)
        .join(User, User.id == Payout.cashier_id)
    )


def _lines(session: Session, persons: Persons, query: Select[Payout, int, str, int, str, str]) -> list[JournalLine]:
    lines = []
    for payout, ticket, desk, desk_id, cash_register, cashier in session.execute(query):
        details = persons.read(session, payout.person_version_id)
        lines.append(
            JournalLine(
                number=payout.number,
                ticket=ticket,
                amount=payout.amount,
                paid_at=payout.paid_at,
                desk=desk,
                desk_id=desk_id,
                cash_register=cash_register,
                cashier=cashier,
                person=f"{_masked(details['surname'])} {details['name'][:1]}.",
                document=f"{details['document_kind']} {_masked(details['document_number'])}",
            )
        )
    return lines


def _masked(text: str) -> str:
    return text[:1] + "*" * (len(text) - 1)
