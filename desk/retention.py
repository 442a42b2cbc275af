"""What must be kept of persons, and erasing the rest (B-Prov 17, D-16).

Kept is what a line of the journal of cash payouts shows, for as long as the journal is kept; whom a payout is proposed
to, while a second person may approve it; where money from a game account was sent, for as long as the journal; who
excluded themselves, till that ends; and the details of a registration while it stands, while there is money on its game
account or on its way from it, or while a bet of it is not at its end.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from dateutil.relativedelta import relativedelta
from sqlalchemy import exists, func, or_, select, update
from sqlalchemy.orm import Session

from db.clock import trade_time
from desk.models import Payout
from ledger.accounts import Balance
from ledger.refusals import Refusal
from ledger.tickets import OPEN, Ticket, TicketState
from office.approvals.acts import CASH_PAYOUTS
from office.approvals.models import Proposal
from office.callers import Caller
from office.operator import Operator
from office.persons.erasure import close_to_others, erase
from office.persons.models import PersonVersion
from office.persons.register import Persons
from office.persons.settings import JOURNAL_YEARS
from office.settings.versions import value_of
from players.game_accounts import AccountWithdrawal, BankDetails, WithdrawalEnding
from players.means import Means
from players.models import Player, SelfExclusion

TERM_OVER = "Срок хранения истёк."
BATCH = 200


@dataclass(frozen=True)
class Erased:
    """What an erasure did: the versions that are gone, and those that something must keep."""

    person_id: int
    versions: list[int]
    kept: list[int]


def erase_on_request(
    session: Session, operator: Operator, persons: Persons, person_id: int, reason: str, by: Caller
) -> Erased:
    """Erase everything of a person that nothing must keep; whose registration has ended may register anew afterwards.

    Raises:
        Refusal: ``not_found``; ``registration_stands``; ``nothing_to_erase``.
    """
    versions = close_to_others(session, person_id)
    if _registration_stands(session, person_id):
        said = "Регистрация игрока не прекращена, на его счёте есть деньги или его пари не окончено."
        raise Refusal("registration_stands", said)
    kept = _needed(session, versions, journal_begins(session, operator))
    gone = sorted(set(versions) - kept)
    if not gone:
        raise Refusal("nothing_to_erase", "Удалять нечего: остальное хранится по закону или уже удалено.")
    _end_registration(session, person_id)
    erase(session, persons, person_id, gone, reason, by)
    return Erased(person_id, gone, sorted(kept))


def over_the_term(session: Session, operator: Operator, after: int = 0, limit: int = BATCH) -> list[int]:
    """Persons behind a number of whom something was recorded before the term began, in the order of their numbers.

    Most of them have a version nothing needs any more; which, :func:`erase_over_the_term` says.
    """
    old = select(PersonVersion.person_id).where(
        PersonVersion.recorded_at < journal_begins(session, operator),
        PersonVersion.erased_at.is_(None),
        PersonVersion.person_id > after,
    )
    return list(session.scalars(old.distinct().order_by(PersonVersion.person_id).limit(limit)))


def erase_over_the_term(session: Session, operator: Operator, persons: Persons, person_id: int) -> Erased:
    """Erase the versions of a person that are older than the journal is kept for and that nothing needs any more.

    Raises:
        VersionsBrokenError: a version that is kept does not open; nothing is erased of this person.
    """
    versions = close_to_others(session, person_id)
    begins = journal_begins(session, operator)
    kept = _needed(session, versions, begins) | _recorded_since(session, versions, begins)
    stands = _registration_stands(session, person_id)
    registered = set(session.scalars(select(Player.person_version_id).where(Player.person_id == person_id)))
    if stands:
        kept |= registered | _sent_to(session, person_id)
    gone = sorted(set(versions) - kept)
    if gone:
        if registered & set(gone):
            _end_registration(session, person_id)
        erase(session, persons, person_id, gone, TERM_OVER)
    return Erased(person_id, gone, sorted(kept))


def persons_over_the_term(session: Session, operator: Operator) -> Iterator[int]:
    """All of :func:`over_the_term`, batch by batch."""
    after = 0
    while batch := over_the_term(session, operator, after):
        yield from batch
        after = batch[-1]


def journal_begins(session: Session, operator: Operator) -> datetime:
    """The instant before which the journal need not be kept: so many years ago by the operator's calendar (D-1)."""
    now = trade_time(session)
    local = now.astimezone(operator.zone_at(now))
    return local - relativedelta(years=value_of(session, JOURNAL_YEARS))


def _needed(session: Session, versions: list[int], begins: datetime) -> set[int]:
    """The versions that something must keep, whatever becomes of the registration."""
    needed = _for_the_journal(session, versions, begins) | _to_be_paid(session, versions)
    return needed | _of_withdrawals(session, versions, begins) | _of_exclusions(session, versions)


def _of_withdrawals(session: Session, versions: list[int], begins: datetime) -> set[int]:
    """Who was paid from a game account, as long as the journal is kept, and who is still being paid."""
    ended = exists().where(WithdrawalEnding.withdrawal_id == AccountWithdrawal.id)
    lasting = or_(AccountWithdrawal.withdrawn_at >= begins, (AccountWithdrawal.means != Means.CASH_DESK) & ~ended)
    mine = select(AccountWithdrawal.person_version_id).where(AccountWithdrawal.person_version_id.in_(versions), lasting)
    return set(session.scalars(mine))


def _of_exclusions(session: Session, versions: list[int]) -> set[int]:
    standing = SelfExclusion.ends_at > func.trade_clock()
    return set(
        session.scalars(
            select(SelfExclusion.person_version_id).where(SelfExclusion.person_version_id.in_(versions), standing)
        )
    )


def _sent_to(session: Session, person_id: int) -> set[int]:
    """The versions that tell bank accounts of the person's registration."""
    mine = select(BankDetails.person_version_id).join(Player, Player.id == BankDetails.player_id)
    return set(session.scalars(mine.where(Player.person_id == person_id)))


def _for_the_journal(session: Session, versions: list[int], begins: datetime) -> set[int]:
    lines = select(Payout.person_version_id).where(Payout.person_version_id.in_(versions), Payout.paid_at >= begins)
    return set(session.scalars(lines))


def _to_be_paid(session: Session, versions: list[int]) -> set[int]:
    recipient = Proposal.content["person_version"].as_integer()
    standing = Proposal.lapses_at > func.trade_clock()
    return set(
        session.scalars(select(recipient).where(Proposal.act.in_(CASH_PAYOUTS), standing, recipient.in_(versions)))
    )


def _recorded_since(session: Session, versions: list[int], begins: datetime) -> set[int]:
    young = select(PersonVersion.id).where(PersonVersion.id.in_(versions), PersonVersion.recorded_at >= begins)
    return set(session.scalars(young))


def _registration_stands(session: Session, person_id: int) -> bool:
    """Whether the person's registration is open, or something is still owed on it; its row stays locked.

    Whoever is unlocking it is waited for and seen, and whoever comes later finds what was done here.
    """
    session.execute(select(Player.id).where(Player.person_id == person_id).with_for_update())
    money = exists().where(Balance.account_id == Player.account_id, Balance.balance > 0)
    bets = exists().where(
        Ticket.player_id == Player.id, TicketState.ticket_id == Ticket.id, TicketState.status.in_(OPEN)
    )
    under_way = exists().where(
        AccountWithdrawal.player_id == Player.id,
        AccountWithdrawal.means == Means.BANK_TRANSFER,
        ~exists().where(WithdrawalEnding.withdrawal_id == AccountWithdrawal.id),
    )
    standing = or_(Player.blocked_at.is_(None), money, bets, under_way)
    return session.scalar(select(Player.id).where(Player.person_id == person_id, standing)) is not None


def _end_registration(session: Session, person_id: int) -> None:
    """End the registration for good: it is nobody's from now on, and cannot be unlocked."""
    session.execute(update(Player).where(Player.person_id == person_id).values(person_id=None))
