"""Cash payouts that take two persons: large ones, and those by a typed code (INDUSTRY: two persons)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from desk.models import CodeEntry
from ledger.money import currency, format_amount
from ledger.refusals import Refusal
from ledger.settlements import Settlement
from office.approvals.acts import ACCOUNT_PAYOUT, CASH_PAYOUTS, PAYOUT, Act
from office.approvals.limits import SECOND_PERSON_FROM, TYPED_FROM, TYPED_NEEDS_SECOND_PERSON
from office.approvals.models import Proposal, ProposalDecision
from office.approvals.proposing import propose, use
from office.callers import Caller
from office.persons.details import NaturalPerson
from office.persons.register import Persons
from office.settings.versions import value_of


@dataclass(frozen=True)
class Presented:
    """How a ticket was presented: the digest of its code, how the code came, and the person who is to be paid.

    ``approval_id`` is the proposal a second person has approved, if one was needed.
    """

    code_digest: bytes
    entry: CodeEntry
    person_version_id: int
    approval_id: int | None = None


@dataclass(frozen=True)
class FromAccount:
    """Money somebody wants in cash from a game account: whose, how much (minor units), to whom, by which approval."""

    player_id: int
    amount: int
    person_version_id: int
    approval_id: int | None = None


@dataclass(frozen=True)
class Approval:
    """The approval a payout rests on, and who gave it."""

    id: int
    by: int


def needs_second_person(session: Session, entry: CodeEntry | None, amount: int, at: datetime) -> str | None:
    """Why a payout (minor units) takes two persons at an instant: it is ``large`` or ``typed``; none if it does not.

    Money from a game account has no code that could be typed.
    """
    if amount >= value_of(session, SECOND_PERSON_FROM, at):
        return "large"
    if entry is not CodeEntry.TYPED or not value_of(session, TYPED_NEEDS_SECOND_PERSON, at):
        return None
    return "typed" if amount >= value_of(session, TYPED_FROM, at) else None


def approval_for(
    session: Session, settlement: Settlement, amount: int, money: str, presented: Presented, by: Caller, at: datetime
) -> Approval | None:
    """The approval a payout rests on, used up by it; none where one person pays alone.

    Raises:
        Refusal: ``second_person_needed`` with the reason and the amount; what may be wrong with an approval
            (:func:`office.approvals.proposing.use`).
    """
    if presented.approval_id is None:
        _refuse_alone(needs_second_person(session, presented.entry, amount, at), amount, money)
        return None
    return _used(session, presented.approval_id, PAYOUT, _proposed(settlement, amount, money, presented), by)


def approval_from_account(
    session: Session, asked: FromAccount, money: str, by: Caller, at: datetime
) -> Approval | None:
    """The approval a payout from a game account rests on, used up by it; none where one person pays alone.

    Raises:
        Refusal: those of :func:`approval_for`.
    """
    if asked.approval_id is None:
        _refuse_alone(needs_second_person(session, None, asked.amount, at), asked.amount, money)
        return None
    return _used(session, asked.approval_id, ACCOUNT_PAYOUT, _proposed_from_account(asked, money), by)


def put_before_second_person(
    session: Session, settlement: Settlement, amount: int, money: str, presented: Presented, by: Caller, reason: str
) -> Proposal:
    """Propose a payout: this settlement, this amount, a code that came this way, this person."""
    subject, content = _proposed(settlement, amount, money, presented)
    return propose(session, PAYOUT, subject, content, by, reason)


def put_account_payout(session: Session, asked: FromAccount, money: str, by: Caller, reason: str) -> Proposal:
    """Propose a payout from a game account: whose, how much, to this person."""
    subject, content = _proposed_from_account(asked, money)
    return propose(session, ACCOUNT_PAYOUT, subject, content, by, reason)


def recipient(session: Session, persons: Persons, details: NaturalPerson, approval_id: int | None) -> int:
    """The version of the person to be paid: the one that was approved if the details are the same, else a new one.

    Somebody else than was approved so comes to a version of their own, and the approval differs from the payout.
    """
    approved = None if approval_id is None else session.get(Proposal, approval_id)
    if approved is not None and approved.act in CASH_PAYOUTS:
        version = int(approved.content["person_version"])
        if persons.still_says(session, version, details):
            return version
    return persons.record(session, details)


def _proposed(settlement: Settlement, amount: int, money: str, presented: Presented) -> tuple[str, dict[str, Any]]:
    """What a payout is done to, and all that is done."""
    return f"ticket:{settlement.ticket_id}", {
        "settlement": settlement.id,
        "amount": format_amount(amount, currency(money)),
        "currency": money,
        "code_entry": presented.entry.value,
        "person_version": presented.person_version_id,
    }


def _proposed_from_account(asked: FromAccount, money: str) -> tuple[str, dict[str, Any]]:
    return f"player:{asked.player_id}", {
        "amount": format_amount(asked.amount, currency(money)),
        "currency": money,
        "person_version": asked.person_version_id,
    }


def _refuse_alone(why: str | None, amount: int, money: str) -> None:
    if why is not None:
        shown = format_amount(amount, currency(money))
        said = f"Выплату {shown} подтверждает второй сотрудник: предложите её и дождитесь подтверждения."
        raise Refusal("second_person_needed", said, because=why, amount=shown)


def _used(session: Session, approval_id: int, act: Act, proposed: tuple[str, dict[str, Any]], by: Caller) -> Approval:
    subject, content = proposed
    use(session, approval_id, act, subject, content, by)
    decided = select(ProposalDecision.decided_by).where(ProposalDecision.proposal_id == approval_id)
    return Approval(approval_id, session.scalars(decided).one())
