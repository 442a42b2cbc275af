"""Ending registrations, and the bank accounts players' money is sent to."""

from __future__ import annotations

from typing import Any

from api.answers import refuses
from api.auth import allowed
from api.house import caller, house, session
from api.players.blueprint import own_id, players
from api.players.money_schemas import BankAccountTold, NewBankAccount
from api.players.page import shown
from api.players.schemas import NewEnding, PlayerShown
from office.callers import Role
from office.persons.details import BankAccount
from office.persons.masking import masked_account
from players.bank_details import tell_bank_account
from players.ending import Wish, end_registration
from players.registration import player_by_id
from reports.players import PlayerCard


@players.post("/players/<int:player_id>/ending")
@players.doc(operationId="end_registration")
@players.arguments(NewEnding)
@players.response(201, PlayerShown)
@allowed(Role.ORGANIZER, Role.ADMINISTRATOR)
@refuses("registration_ended")
def end(told: dict[str, Any], player_id: int) -> PlayerCard:
    """End a registration for good: no bet, no deposit, no session; its money goes to the player's bank account."""
    account = told.get("bank_account")
    wish = Wish(told.get("reason"), None if account is None else BankAccount(**account))
    end_registration(session(), house().operator, house().persons, player_id, wish, caller())
    session().commit()
    return shown(player_by_id(session(), player_id))


@players.put("/players/me/bank-account")
@players.doc(operationId="tell_own_bank_account")
@players.arguments(NewBankAccount)
@players.response(200, BankAccountTold)
@allowed(Role.PLAYER)
@refuses("not_found")
def my_bank_account(told: dict[str, Any]) -> dict[str, Any]:
    """Say where the calling player's money is sent from now on."""
    return _tell(own_id(), told)


@players.put("/players/<int:player_id>/bank-account")
@players.doc(operationId="tell_bank_account")
@players.arguments(NewBankAccount)
@players.response(200, BankAccountTold)
@allowed(Role.SUPERVISOR, Role.ORGANIZER)
def their_bank_account(told: dict[str, Any], player_id: int) -> dict[str, Any]:
    """Say where a player's money is sent from now on, by what the player told in writing."""
    return _tell(player_id, told)


def _tell(player_id: int, told: dict[str, Any]) -> dict[str, Any]:
    details = tell_bank_account(session(), house().persons, player_id, BankAccount(**told), caller())
    session().commit()
    known = house().persons.read(session(), details.person_version_id)
    return {"bank_account": masked_account(known), "told_at": details.told_at}
