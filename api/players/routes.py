"""Registering a player and the player's own page."""

from __future__ import annotations

from typing import Any

from sqlalchemy.orm import Session

from api.answers import refuses
from api.auth import allowed
from api.house import caller, house, session
from api.players.schemas import NewPlayer, PlayerShown
from api.requests import Blueprint
from db.clock import trade_time
from ledger.balances import balance_of_player
from office.users import Role
from players.models import Player
from players.registration import active_player, register

players = Blueprint("players", __name__, url_prefix="/api/v1/players", description="Игроки и игровые счета")


@players.post("")
@players.doc(operationId="register_player")
@players.arguments(NewPlayer)
@players.response(201, PlayerShown)
@allowed(Role.CASHIER, Role.SUPERVISOR)
@refuses("under_age", "login_taken")
def enrol(told: dict[str, Any]) -> dict[str, Any]:
    """Register a player, 18 or older, and open the game account."""
    player = register(
        session(),
        house().operator,
        house().persons,
        login=told["login"],
        password=told["password"],
        details={key: told.get(key, "") for key in ("surname", "name", "patronymic")},
        birth_date=told["birth_date"],
        today=house().operator.day_of(trade_time(session())),
    )
    session().commit()
    return _shown(session(), player)


@players.get("/me")
@players.response(200, PlayerShown)
@allowed(Role.PLAYER)
@refuses("player_blocked")
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
