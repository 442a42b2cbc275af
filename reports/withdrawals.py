"""What left game accounts and how it stands, with who is paid, masked (T-Rules 41, 42; D-16)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from db.pages import matching, newest_first
from desk.models import Payout
from ledger.refusals import Refusal
from office.persons.masking import masked_account, masked_name
from office.persons.models import PersonVersion
from office.persons.register import Persons
from players.game_accounts import AccountWithdrawal, WithdrawalEnding
from players.means import Means


class Stage(StrEnum):
    """How money that left a game account stands."""

    PAID = "paid"
    UNDER_WAY = "under_way"
    SENT = "sent"
    RETURNED = "returned"


@dataclass(frozen=True)
class WithdrawalShown:
    """A withdrawal: minor units, by which means it goes and would go as a rule, and what became of it.

    ``person`` and ``account`` are masked; whoever orders the transfer looks at version ``person_version`` of the
    person, which is put on record. ``payout`` is the number of the journal's line of one paid in cash.
    """

    id: int
    player_id: int
    amount: int
    means: str
    usual_means: str
    cause: str
    withdrawn_at: datetime
    stage: Stage
    payment_order: str | None
    reason: str | None
    ended_at: datetime | None
    payout: int | None
    person_id: int
    person_version: int
    person: str = field(repr=False)
    account: str = field(repr=False)


def withdrawals(
    session: Session,
    persons: Persons,
    before: int,
    limit: int,
    *,
    player_id: int | None = None,
    stage: Stage | None = None,
) -> Sequence[WithdrawalShown]:
    """The withdrawals of a player or of all, in a stage or all, the latest first."""
    wanted = matching(_joined(), {AccountWithdrawal.player_id: player_id})
    if stage is not None:
        wanted = _in_stage(wanted, stage)
    return _shown(session, persons, newest_first(wanted, AccountWithdrawal.id, before, limit))


def withdrawal(session: Session, persons: Persons, withdrawal_id: int) -> WithdrawalShown:
    """The withdrawal with this number.

    Raises:
        Refusal: ``not_found``.
    """
    found = _shown(session, persons, _joined().where(AccountWithdrawal.id == withdrawal_id))
    if not found:
        raise Refusal("not_found", "Такого вывода денег нет.")
    return found[0]


def _joined() -> Select[*tuple[Any, ...]]:
    return (
        select(AccountWithdrawal, WithdrawalEnding, Payout.number, PersonVersion.person_id)
        .join(PersonVersion, PersonVersion.id == AccountWithdrawal.person_version_id)
        .outerjoin(WithdrawalEnding, WithdrawalEnding.withdrawal_id == AccountWithdrawal.id)
        .outerjoin(Payout, Payout.withdrawal_id == AccountWithdrawal.id)
    )


def _in_stage(wanted: Select[*tuple[Any, ...]], stage: Stage) -> Select[*tuple[Any, ...]]:
    if stage is Stage.PAID:
        return wanted.where(AccountWithdrawal.means == Means.CASH_DESK)
    transfers = wanted.where(AccountWithdrawal.means != Means.CASH_DESK)
    if stage is Stage.UNDER_WAY:
        return transfers.where(WithdrawalEnding.id.is_(None))
    return transfers.where(WithdrawalEnding.end == stage.value)


def _shown(session: Session, persons: Persons, query: Select[*tuple[Any, ...]]) -> list[WithdrawalShown]:
    rows = session.execute(query).all()
    known = persons.read_all(session, [made.person_version_id for made, *_ in rows])
    return [
        WithdrawalShown(
            id=made.id,
            player_id=made.player_id,
            amount=made.amount,
            means=made.means,
            usual_means=made.usual_means,
            cause=made.cause,
            withdrawn_at=made.withdrawn_at,
            stage=_stage(made, ending),
            payment_order=ending.payment_order if ending else None,
            reason=ending.reason if ending else None,
            ended_at=ending.decided_at if ending else None,
            payout=payout,
            person_id=person_id,
            person_version=made.person_version_id,
            person=masked_name(known[made.person_version_id]),
            account=masked_account(known[made.person_version_id]) if made.bank_details_id else "",
        )
        for made, ending, payout, person_id in rows
    ]


def _stage(made: AccountWithdrawal, ending: WithdrawalEnding | None) -> Stage:
    if made.means == Means.CASH_DESK:
        return Stage.PAID
    return Stage.UNDER_WAY if ending is None else Stage(ending.end)
