"""A ticket looked at before it is paid: its terms, what it is due now, and what hinders the payout (T-Rules 13)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.orm import Session

from desk.models import CodeEntry
from desk.payouts import due_now
from desk.second_person import needs_second_person
from ledger.refusals import Refusal
from ledger.settlements import Settlement, valid_settlement
from ledger.terms import deadline_of
from ledger.tickets import find
from office.operator import Operator
from tote.receipts import Receipt, receipt

SINCE = ("since", "ended_at", "payable_from", "payable_until")
"""The instant a hindrance tells: held since, paid at, payable from, payable until."""


@dataclass(frozen=True)
class Hindrance:
    """Why nothing is paid on a ticket at this moment, by the code a payout would be refused with, and its instant."""

    code: str
    detail: str
    at: datetime | None


@dataclass(frozen=True)
class TicketCheck:
    """A ticket as the desk finds it, amounts in minor units. ``second_person`` says why a payout takes two, if so."""

    terms: Receipt
    win: int | None
    stake_back: int | None
    due: int
    payable_from: datetime | None
    payable_until: datetime | None
    second_person: str | None
    hindrance: Hindrance | None


def check_ticket(
    session: Session, operator: Operator, code_digest: bytes, entry: CodeEntry, at: datetime
) -> TicketCheck:
    """What a payout of the ticket with this code would come to at an instant; nothing is moved or held for it.

    The payout's own judgement is asked, so that the two never differ: behind its locks, which end with the question.

    Raises:
        Refusal: ``ticket_not_found``.
    """
    due, hindrance = 0, None
    try:
        due = due_now(session, operator, code_digest, at).amount
    except Refusal as refusal:
        hindrance = _hindrance(refusal)
    ticket = find(session, code_digest)
    assert ticket is not None, "what is not found is refused before"
    decided = valid_settlement(session, ticket.id)
    return TicketCheck(
        terms=receipt(session, ticket.id),
        win=_of(decided, "win"),
        stake_back=_of(decided, "stake_back"),
        due=due,
        payable_from=None if decided is None else decided.payable_from,
        payable_until=None if decided is None else deadline_of(session, decided),
        second_person=needs_second_person(session, entry, due, at) if due else None,
        hindrance=hindrance,
    )


def _hindrance(refusal: Refusal) -> Hindrance:
    if refusal.code == "ticket_not_found":
        raise refusal
    told = next((refusal.facts[name] for name in SINCE if name in refusal.facts), None)
    return Hindrance(refusal.code, refusal.detail, None if told is None else datetime.fromisoformat(str(told)))


def _of(decided: Settlement | None, part: str) -> int | None:
    return None if decided is None else int(getattr(decided, part))
