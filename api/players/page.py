"""A player's page: the registration, the statement of the game account, bets and their history (T-Rules 35.3)."""

from __future__ import annotations

from functools import partial
from operator import attrgetter
from typing import Any

from api.answers import refuses
from api.auth import allowed
from api.fields import PageQuery
from api.house import house, session
from api.ownership import own_only
from api.pages import page_of
from api.players.blueprint import OFFICE, own_id, players
from api.players.schemas import PlayersBetsPage, PlayersBetsQuery, PlayerShown, StatementPage
from db.clock import trade_time
from office.callers import Role
from players.history import shown_since
from players.models import Player
from players.registration import active_player, no_such_player, player_by_id
from reports.players import PlayerCard, player_card
from reports.players_bets import BetsAsked, players_bets
from reports.statements import statement


@players.get("/players/me")
@players.doc(operationId="show_own_page")
@players.response(200, PlayerShown)
@allowed(Role.PLAYER)
@refuses("player_blocked")
def my_page() -> PlayerCard:
    """The calling player's registration and balance."""
    return shown(active_player(session(), own_id()))


@players.get("/players/me/statement")
@players.doc(operationId="show_own_statement")
@players.arguments(PageQuery, location="query")
@players.response(200, StatementPage)
@allowed(Role.PLAYER)
def my_statement(page: dict[str, Any]) -> dict[str, Any]:
    """Every movement of the calling player's game account, the latest first."""
    return _statement(page, player_by_id(session(), own_id()))


@players.get("/players/me/bets")
@players.doc(operationId="list_own_bets")
@players.arguments(PlayersBetsQuery, location="query")
@players.response(200, PlayersBetsPage)
@allowed(Role.PLAYER)
def my_bets(asked: dict[str, Any]) -> dict[str, Any]:
    """The calling player's bets: those that still run, and the history of six months, the latest first."""
    since = shown_since(house().operator, trade_time(session()))
    return _bets(asked, BetsAsked(own_id(), asked.get("active"), since))


@players.get("/players/<int:player_id>")
@players.response(200, PlayerShown)
@allowed(*OFFICE, Role.PLAYER)
def show_player(player_id: int) -> PlayerCard:
    """A registration and its balance; players see their own."""
    own_only(no_such_player(), player_id=player_id)
    return shown(player_by_id(session(), player_id))


@players.get("/players/<int:player_id>/statement")
@players.doc(operationId="show_statement")
@players.arguments(PageQuery, location="query")
@players.response(200, StatementPage)
@allowed(*OFFICE)
def their_statement(page: dict[str, Any], player_id: int) -> dict[str, Any]:
    """Every movement of a game account, the latest first."""
    return _statement(page, player_by_id(session(), player_id))


@players.get("/players/<int:player_id>/bets")
@players.doc(operationId="list_players_bets")
@players.arguments(PlayersBetsQuery, location="query")
@players.response(200, PlayersBetsPage)
@allowed(*OFFICE)
def their_bets(asked: dict[str, Any], player_id: int) -> dict[str, Any]:
    """A player's bets from the archive, however old: what a dispute is decided by (T-Rules 35.3, 45)."""
    return _bets(asked, BetsAsked(player_by_id(session(), player_id).id, asked.get("active")))


def shown(player: Player) -> PlayerCard:
    """A registration as every answer shows it."""
    return player_card(session(), house().persons, player)


def _statement(page: dict[str, Any], player: Player) -> dict[str, Any]:
    lines, following = page_of(page, partial(statement, session(), player), attrgetter("id"))
    return {"items": lines, "next_cursor": following}


def _bets(page: dict[str, Any], asked: BetsAsked) -> dict[str, Any]:
    bets, following = page_of(page, partial(players_bets, session(), asked), attrgetter("number"))
    return {"items": bets, "next_cursor": following}
