"""Registering a player and the player's own page."""

from __future__ import annotations

from typing import Any

from sqlalchemy.orm import Session

from api.auth import allowed
from api.house import caller, house, session
from api.persons.telling import details_of
from api.players.schemas import NewPlayer, PlayerShown
from api.requests import Blueprint
from db.clock import trade_time
from ledger.balances import balance_of_player
from office.callers import Role
from players.models import Player
from players.registration import active_player, register

players = Blueprint("players", __name__, url_prefix="/api/v1/players", description="Игроки и игровые счета")


@players.post("")
@players.arguments(NewPlayer)
@players.response(201, PlayerShown)
@allowed(Role.CASHIER, Role.SUPERVISOR)
def enrol(told: dict[str, Any]) -> dict[str, Any]:
    """Register a player, 18 or older or a legal entity, and open the game account; one registration a person."""
    player = register(
        session(),
        house().operator,
        house().persons,
        login=told["login"],
        password=told["password"],
        details=details_of(told),
        today=house().operator.day_of(trade_time(session())),
    )
    session().commit()
    return _shown(session(), player)


@players.get("/me")
@players.response(200, PlayerShown)
@allowed(Role.PLAYER)
def my_page() -> dict[str, Any]:
    """The calling player's registration and balance."""
    player_id = caller().player_id
    assert player_id is not None, "a player's token names the player"
    return _shown(session(), active_player(session(), player_id))


def _shown(session: Session, player: Player) -> dict[str, Any]:
    assert player.account_id is not None, "a registered player has a game account"
    return {
        "id": player.id,
        "login": player.login,
        "balance": balance_of_player(session, player.account_id),
        "registered_at": player.registered_at,
    }
