"""The journal of cash payouts as it is read (annex to T-Prov): personal data masked unless the reader may see it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Interval, Select, func, literal, select
from sqlalchemy.orm import Session, aliased

from db.pages import matching
from desk.fiscal_papers import PayoutReceipt
from desk.models import CodeEntry, Desk, Payout, Shift
from ledger.refusals import Refusal
from ledger.settlements import Settlement
from ledger.terms import DEADLINE
from office.approvals.limits import NEAR_EXPIRY_DAYS
from office.persons.details import Details
from office.persons.masking import full_document, full_login, full_name, masked_document, masked_login, masked_name
from office.persons.register import Persons
from office.settings.versions import value_of
from office.users import User
from players.game_accounts import AccountWithdrawal
from players.models import Player

Approver = aliased(User)


@dataclass(frozen=True)
class Receipt:
    """A fiscal receipt as it was entered: its number, the register that printed it, and why it corrects another."""

    version: int
    number: str
    cash_register: str
    reason: str | None
    entered_by: str
    entered_at: datetime


@dataclass(frozen=True)
class JournalLine:
    """A line of the journal; ``person``, ``document`` and ``player`` are masked unless the lines were read in full.

    It pays a ``ticket``, or an ``account_withdrawal`` from the game account of the ``player`` with this login.
    ``approved_by`` is the second person's name. Of ``fiscal_receipts`` the last holds, the others are what it corrects.
    """

    number: int
    ticket: int | None
    account_withdrawal: int | None
    player: str | None
    amount: int
    paid_at: datetime
    payable_until: datetime | None
    desk: str
    desk_id: int
    cash_register: str
    cashier: str
    person: str = field(repr=False)
    document: str = field(repr=False)
    person_version: int
    code_entry: str
    approval: int | None
    approved_by: str | None
    fiscal_receipts: list[Receipt]


@dataclass(frozen=True)
class Wanted:
    """Which lines are looked for: of a desk or shift, whose code came one way, paid in the last days of the term.

    ``paid``: from an instant until before another.
    """

    desk_id: int | None = None
    shift_id: int | None = None
    entry: CodeEntry | None = None
    near_expiry: bool = False
    paid: tuple[datetime, datetime] | None = None


Told = Callable[[Details | None], str]
Shown = tuple[Told, Told, Callable[[str], str]]
"""How a person's name and document and a player's login are shown."""
MASKED: Shown = (masked_name, masked_document, masked_login)
IN_FULL: Shown = (full_name, full_document, full_login)


def journal(
    session: Session, persons: Persons, wanted: Wanted, after: int, limit: int, shown: Shown = MASKED
) -> list[JournalLine]:
    """The wanted lines behind a running number, in the order of the numbers; masked unless it is said otherwise."""
    return _lines(session, persons, _wanted(session, wanted, _behind(after, limit)), shown)


def journal_in_full(session: Session, persons: Persons, after: int, limit: int) -> list[JournalLine]:
    """The lines as the annex wants them printed; whoever reads them has put that on record (D-16)."""
    return journal(session, persons, Wanted(), after, limit, IN_FULL)


def last_number(session: Session) -> int:
    """The number of the journal's last line, 0 while there is none."""
    return session.scalar(select(func.max(Payout.number))) or 0


def persons_in(session: Session, wanted: Wanted, last: int) -> list[int]:
    """The versions of the persons in the wanted lines up to a number, for a view to be put on record."""
    lines = _wanted(session, wanted, _joined()).where(Payout.number <= last)
    return sorted(set(session.scalars(lines.with_only_columns(Payout.person_version_id))))


def line(session: Session, persons: Persons, payout_id: int) -> JournalLine:
    """The line a payout wrote."""
    (found,) = _lines(session, persons, _joined().where(Payout.id == payout_id), MASKED)
    return found


def line_numbered(session: Session, persons: Persons, number: int, shown: Shown = MASKED) -> JournalLine:
    """The line with this running number; masked unless it is said otherwise.

    Raises:
        Refusal: ``not_found``.
    """
    found = _lines(session, persons, _joined().where(Payout.number == number), shown)
    if not found:
        raise no_such_line()
    return found[0]


def no_such_line() -> Refusal:
    """One refusal for a line that is not there and one of another desk."""
    return Refusal("not_found", "Строки журнала с таким номером нет.")


def _wanted(session: Session, wanted: Wanted, lines: Select[*tuple[Any, ...]]) -> Select[*tuple[Any, ...]]:
    asked = {Shift.desk_id: wanted.desk_id, Payout.shift_id: wanted.shift_id, Payout.code_entry: wanted.entry}
    query = matching(lines, asked)
    if wanted.near_expiry:
        days = literal(timedelta(days=value_of(session, NEAR_EXPIRY_DAYS)), Interval)
        query = query.where(DEADLINE - days <= Payout.paid_at)
    if wanted.paid is not None:
        query = query.where(Payout.paid_at >= wanted.paid[0], Payout.paid_at < wanted.paid[1])
    return query


def _behind(after: int, limit: int) -> Select[*tuple[Any, ...]]:
    return _joined().where(Payout.number > after).order_by(Payout.number).limit(limit)


def _joined() -> Select[*tuple[Any, ...]]:
    return (
        select(Payout, Settlement, DEADLINE, Desk, User.name, Approver.name, Player.login)
        .outerjoin(Settlement, Settlement.id == Payout.settlement_id)
        .join(Shift, Shift.id == Payout.shift_id)
        .join(Desk, Desk.id == Shift.desk_id)
        .join(User, User.id == Payout.cashier_id)
        .outerjoin(Approver, Approver.id == Payout.approved_by)
        .outerjoin(AccountWithdrawal, AccountWithdrawal.id == Payout.withdrawal_id)
        .outerjoin(Player, Player.id == AccountWithdrawal.player_id)
    )


def _lines(session: Session, persons: Persons, query: Select[*tuple[Any, ...]], shown: Shown) -> list[JournalLine]:
    rows = session.execute(query).all()
    known = persons.read_all(session, [payout.person_version_id for payout, *_ in rows])
    receipts = _receipts(session, [payout.id for payout, *_ in rows])
    name, document, login = shown
    return [
        JournalLine(
            number=payout.number,
            ticket=settlement.ticket_id if settlement else None,
            account_withdrawal=payout.withdrawal_id,
            player=None if player is None else login(player),
            amount=payout.amount,
            paid_at=payout.paid_at,
            payable_until=deadline,
            desk=desk.code,
            desk_id=desk.id,
            cash_register=desk.cash_register,
            cashier=cashier,
            person=name(known[payout.person_version_id]),
            document=document(known[payout.person_version_id]),
            person_version=payout.person_version_id,
            code_entry=payout.code_entry,
            approval=payout.approval_id,
            approved_by=approver,
            fiscal_receipts=receipts[payout.id],
        )
        for payout, settlement, deadline, desk, cashier, approver, player in rows
    ]


def _receipts(session: Session, payout_ids: list[int]) -> dict[int, list[Receipt]]:
    """The fiscal receipts of payouts, all of them, the one that holds last."""
    found: dict[int, list[Receipt]] = {payout_id: [] for payout_id in payout_ids}
    entered = (
        select(PayoutReceipt, User.name)
        .join(User, User.id == PayoutReceipt.entered_by)
        .where(PayoutReceipt.payout_id.in_(payout_ids))
        .order_by(PayoutReceipt.payout_id, PayoutReceipt.version)
    )
    for row, name in session.execute(entered):
        told = (row.version, row.number, row.cash_register, row.reason, name, row.entered_at)
        found[row.payout_id].append(Receipt(*told))
    return found
