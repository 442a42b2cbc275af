"""A registration as its page shows it: the person masked, how it stands, the money (T-Rules 35.3)."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from sqlalchemy import exists, func, select
from sqlalchemy.orm import Session

from ledger.balances import balance_of_player
from office.persons.masking import masked_account, masked_name
from office.persons.register import Persons
from players.bank_details import details_in_force
from players.ending import ending_of
from players.flows import flows_of
from players.game_accounts import AccountWithdrawal, WithdrawalEnding
from players.means import Means, usual_means
from players.models import Player


class Standing(StrEnum):
    """How a registration stands."""

    OPEN = "open"
    LOCKED = "locked"
    ENDED = "ended"


@dataclass(frozen=True)
class PlayerCard:
    """A registration; amounts in minor units, person and bank account masked (D-16)."""

    id: int
    login: str
    person: str = field(repr=False)
    balance: int
    under_way: int
    standing: Standing
    excluded_until: datetime | None
    ended_at: datetime | None
    bank_account: str = field(repr=False)
    pay_out_by: Means
    registered_at: datetime


def player_card(session: Session, persons: Persons, player: Player) -> PlayerCard:
    """The card of a registration at this moment."""
    ending, details = ending_of(session, player.id), details_in_force(session, player.id)
    told = {player.person_version_id, *([details.person_version_id] if details else [])}
    known = persons.read_all(session, told)
    return PlayerCard(
        id=player.id,
        login=player.login,
        person=masked_name(known[player.person_version_id]),
        balance=balance_of_player(session, player.account_id),
        under_way=_under_way(session, player.id),
        standing=_standing(player, ended=ending is not None),
        excluded_until=player.excluded_until,
        ended_at=ending.ended_at if ending else None,
        bank_account=masked_account(known[details.person_version_id]) if details else "",
        pay_out_by=usual_means(flows_of(session, player.id)),
        registered_at=player.registered_at,
    )


def _standing(player: Player, *, ended: bool) -> Standing:
    if ended or player.person_id is None:
        return Standing.ENDED
    return Standing.OPEN if player.blocked_at is None else Standing.LOCKED


def _under_way(session: Session, player_id: int) -> int:
    ended = exists().where(WithdrawalEnding.withdrawal_id == AccountWithdrawal.id)
    waiting = select(func.coalesce(func.sum(AccountWithdrawal.amount), 0)).where(
        AccountWithdrawal.player_id == player_id, AccountWithdrawal.means == Means.BANK_TRANSFER, ~ended
    )
    return int(session.scalars(waiting).one())
