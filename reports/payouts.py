"""The journal of cash payouts as it is read (annex to T-Prov): masked, or in full for a view that is on record."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from desk.models import Desk, Payout, Shift
from ledger.settlements import Settlement
from office.persons.details import Details
from office.persons.masking import full_document, full_name, masked_document, masked_name
from office.persons.register import Persons
from office.users import User


@dataclass(frozen=True)
class JournalLine:
    """A line of the journal; ``person`` and ``document`` are masked unless the lines were read in full."""

    number: int
    ticket: int
    amount: int
    paid_at: datetime
    desk: str
    cash_register: str
    cashier: str
    person: str = field(repr=False)
    document: str = field(repr=False)
    person_version: int


Shown = Callable[[Details | None], str]
MASKED: tuple[Shown, Shown] = (masked_name, masked_document)
IN_FULL: tuple[Shown, Shown] = (full_name, full_document)


def journal(session: Session, persons: Persons, after: int, limit: int) -> list[JournalLine]:
    """The lines behind a running number, in the order of the numbers, masked."""
    return _lines(session, persons, _behind(after, limit), MASKED)


def journal_in_full(session: Session, persons: Persons, after: int, limit: int) -> list[JournalLine]:
    """The lines as the annex wants them printed; whoever reads them has put that on record (D-16)."""
    return _lines(session, persons, _behind(after, limit), IN_FULL)


def line(session: Session, persons: Persons, payout_id: int) -> JournalLine:
    """The line a payout wrote, masked."""
    (found,) = _lines(session, persons, _joined().where(Payout.id == payout_id), MASKED)
    return found


def _behind(after: int, limit: int) -> Select[Payout, int, str, str, str]:
    return _joined().where(Payout.number > after).order_by(Payout.number).limit(limit)


def _joined() -> Select[Payout, int, str, str, str]:
    return (
        select(Payout, Settlement.ticket_id, Desk.code, Desk.cash_register, User.name)
        .join(Settlement, Settlement.id == Payout.settlement_id)
        .join(Shift, Shift.id == Payout.shift_id)
        .join(Desk, Desk.id == Shift.desk_id)
        .join(User, User.id == Payout.cashier_id)
    )


def _lines(
    session: Session, persons: Persons, query: Select[Payout, int, str, str, str], shown: tuple[Shown, Shown]
) -> list[JournalLine]:
    rows = session.execute(query).all()
    known = persons.read_all(session, [payout.person_version_id for payout, *_ in rows])
    name, document = shown
    return [
        JournalLine(
            number=payout.number,
            ticket=ticket,
            amount=payout.amount,
            paid_at=payout.paid_at,
            desk=desk,
            cash_register=cash_register,
            cashier=cashier,
            person=name(known[payout.person_version_id]),
            document=document(known[payout.person_version_id]),
            person_version=payout.person_version_id,
        )
        for payout, ticket, desk, cash_register, cashier in rows
    ]
