"""Registering a player and the player's own page."""

from __future__ import annotations

from functools import partial
from operator import attrgetter
from typing import Any

from sqlalchemy.orm import Session

from api.auth import allowed
from api.house import caller, house, session
from api.ownership import own_only
from api.pages import page_of
from api.players.schemas import NewPlayer, PlayerPage, PlayerQuery, PlayerShown
from api.requests import Blueprint
from db.clock import trade_time
from ledger.balances import balance_of_player
from office.callers import Role
from players.models import Player
from players.registration import active_player, no_such_player, player_by_id, register, registrations

OFFICE = (Role.SUPERVISOR, Role.ACCOUNTANT, Role.AUDITOR)
players = Blueprint("players", __name__, url_prefix="/api/v1/players", description="Игроки и игровые счета")


@players.post("")
@players.arguments(NewPlayer)
@players.response(201, PlayerShown)
@allowed(Role.CASHIER, Role.SUPERVISOR)
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
def my_page() -> dict[str, Any]:
    """The calling player's registration and balance."""
    player_id = caller().player_id
    assert player_id is not None, "a player's token names the player"
    return _shown(session(), active_player(session(), player_id))


@players.get("")
@players.arguments(PlayerQuery, location="query")
@players.response(200, PlayerPage)
@allowed(*OFFICE, Role.CASHIER)
def list_players(asked: dict[str, Any]) -> dict[str, Any]:
    """The registrations by their logins, the newest first; who the persons are is not said here (D-16)."""
    read = partial(registrations, session(), login=asked.get("login"))
    found, following = page_of(asked, read, attrgetter("id"))
    return {"items": found, "next_cursor": following}


@players.get("/<int:player_id>")
@players.response(200, PlayerShown)
@allowed(*OFFICE, Role.PLAYER)
def show_player(player_id: int) -> dict[str, Any]:
    """A registration and its balance; players see their own."""
    own_only(no_such_player(), player_id=player_id)
    return _shown(session(), player_by_id(session(), player_id))


def _shown(session: Session, player: Player) -> dict[str, Any]:
    assert player.account_id is not None, "a registered player has a game account"
    return {
        "id": player.id,
        "login": player.login,
        "balance": balance_of_player(session, player.account_id),
        "registered_at": player.registered_at,
    }
