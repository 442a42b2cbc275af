"""Cash that no bet moves: the operator's own, and what a player pays onto the game account."""

from __future__ import annotations

from typing import Any

from api.answers import refuses
from api.auth import allowed
from api.desk.blueprint import desk
from api.desk.schemas import NewDeposit, NewTreasuryMovement, TransferShown
from api.fields import IdempotencyKey
from api.guessing import guarded, registry_for
from api.house import caller, house, session
from api.requests import keyed
from desk.cash import deposit, move
from ledger.journal import Transfer
from ledger.refusals import Refusal
from office.callers import Role
from players.registration import player_with_login


@desk.post("/treasury-movements")
@desk.arguments(IdempotencyKey, location="headers")
@desk.arguments(NewTreasuryMovement)
@desk.response(201, TransferShown)
@allowed(Role.ACCOUNTANT)
@refuses("not_enough_money")
def move_treasury(headers: dict[str, Any], told: dict[str, Any]) -> Any:
    """Move the operator's own money between bank, special account and safe."""
    number, replay = keyed(headers["key"], told, lambda: move(session(), house().operator, told["act"], told["amount"]))
    return session().get_one(Transfer, number), replay


@desk.post("/deposits")
@desk.arguments(IdempotencyKey, location="headers")
@desk.arguments(NewDeposit)
@desk.response(201, TransferShown)
@allowed(Role.CASHIER)
@refuses(
    "not_found",
    "player_blocked",
    "self_excluded",
    "no_open_shift",
    "terminal_withdrawn",
    "desk_withdrawn",
    "too_many_attempts",
)
def take_deposit(headers: dict[str, Any], told: dict[str, Any]) -> Any:
    """Take cash onto a player's game account."""
    with guarded("not_found", registry_for(caller())):
        number, replay = keyed(headers["key"], told, lambda: _deposit(told))
    return session().get_one(Transfer, number), replay


def _deposit(told: dict[str, Any]) -> int:
    player = player_with_login(session(), told["player"])
    if player is None:
        raise Refusal("not_found", "Игрока с таким логином нет.", field="player")
    return deposit(session(), house().operator, player, told["amount"], caller())
