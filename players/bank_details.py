"""The bank account a player's money is sent to: told by the player, or by the office for a registration that ended."""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import select
from sqlalchemy.orm import Session

from db.clock import trade_time
from ledger.refusals import Refusal
from office.callers import Caller
from office.persons.details import BankAccount
from office.persons.recognition import hold
from office.persons.register import Persons
from office.significant.kinds import BANK_DETAILS_TOLD
from office.significant.log import note
from players.game_accounts import BankDetails
from players.models import Player


def tell_bank_account(
    session: Session, persons: Persons, player_id: int, account: BankAccount, by: Caller
) -> BankDetails:
    """Put on record where a player's money is sent from now on; the account itself lies in a version of the person.

    Transfers already under way keep the account they were asked with.

    Raises:
        Refusal: ``not_found``, also where the person's data were erased.
    """
    player = session.get(Player, player_id)
    if player is None or player.person_id is None:
        raise Refusal("not_found", "Такого игрока нет.")
    hold(session, player.person_id)
    session.refresh(player, with_for_update={"key_share": True})
    known = persons.read(session, player.person_version_id)
    if known is None or player.person_id is None:
        raise Refusal("not_found", "Такого игрока нет.")
    version = persons.add_version(session, player.person_id, replace(known, bank_account=account))
    details = BankDetails(
        player_id=player.id,
        person_version_id=version,
        told_by_player=by.player_id,
        told_by=by.user_id,
        told_at=trade_time(session),
    )
    session.add(details)
    session.flush()
    note(session, BANK_DETAILS_TOLD, player.subject, by, person_version=version)
    return details


def details_in_force(session: Session, player_id: int) -> BankDetails | None:
    """The details that were told last, if any were."""
    mine = select(BankDetails).where(BankDetails.player_id == player_id)
    return session.scalar(mine.order_by(BankDetails.id.desc()).limit(1))


def no_bank_details() -> Refusal:
    """What whoever wants a transfer has to tell first."""
    return Refusal("bank_details_needed", "Банковский счёт игрока не указан: сначала внесите его реквизиты.")
