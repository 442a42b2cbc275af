"""Registering a player, locking the registration, a new password, and the list of registrations."""

from __future__ import annotations

from functools import partial
from operator import attrgetter
from typing import Any

from api.answers import refuses
from api.auth import allowed
from api.guessing import guarded, registry_for
from api.house import caller, house, session
from api.office.schemas import OneTimePasswordShown
from api.pages import page_of
from api.persons.telling import details_of
from api.players.blueprint import OFFICE, players
from api.players.page import shown
from api.players.schemas import IdentityShown, NewPlayer, PlayerLocked, PlayerPage, PlayerQuery, PlayerShown
from api.reasons import Reason
from db.clock import trade_time
from office.callers import Role
from office.password_changes import OneTimePassword
from office.persons.details import NaturalPerson
from players.locking import lock_player, reset_player_password, unlock_player
from players.models import Player
from players.registration import register, registrations
from reports.players import PlayerCard


@players.post("/players")
@players.doc(operationId="register_player")
@players.arguments(NewPlayer)
@players.response(201, PlayerShown)
@allowed(Role.CASHIER, Role.SUPERVISOR)
@refuses("under_age", "login_taken", "password_refused", "person_already_registered", "too_many_attempts")
def enrol(told: dict[str, Any]) -> PlayerCard:
    """Register a player, 18 or older or a legal entity, and open the game account; one registration a person."""
    with guarded(("login_taken", "person_already_registered"), registry_for(caller())):
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
    return shown(player)


@players.post("/players/password-resets")
@players.doc(operationId="reset_player_password")
@players.arguments(IdentityShown)
@players.response(201, OneTimePasswordShown)
@allowed(Role.CASHIER, Role.SUPERVISOR)
@refuses("identity_not_proven", "too_many_attempts")
def reset_password(told: dict[str, Any]) -> OneTimePassword:
    """Give a player who shows an identity document a one-time password, answered this once.

    Where a document is on record it has to be that one; record a renewed one first, as a new version of the person.
    """
    shown = details_of(told)
    assert isinstance(shown, NaturalPerson), "a name and a birth date are a human being's"
    with guarded("identity_not_proven", registry_for(caller())):
        given = reset_player_password(session(), house().persons, told["login"], shown, caller())
        session().commit()
    return given


@players.post("/players/<int:player_id>/locking")
@players.doc(operationId="lock_player")
@players.arguments(Reason)
@players.response(201, PlayerLocked)
@allowed(Role.SUPERVISOR, Role.ADMINISTRATOR)
def lock(told: dict[str, Any], player_id: int) -> Player:
    """Let the player neither in nor bet; the money on the game account stays."""
    player = lock_player(session(), player_id, told["reason"], caller())
    session().commit()
    return player


@players.post("/players/<int:player_id>/unlocking")
@players.doc(operationId="unlock_player")
@players.arguments(Reason)
@players.response(201, PlayerLocked)
@allowed(Role.SUPERVISOR, Role.ADMINISTRATOR)
@refuses("registration_ended")
def unlock(told: dict[str, Any], player_id: int) -> Player:
    """Let a locked player play again; not one whose data were erased, for that registration has ended."""
    player = unlock_player(session(), player_id, told["reason"], caller())
    session().commit()
    return player


@players.get("/players")
@players.arguments(PlayerQuery, location="query")
@players.response(200, PlayerPage)
@allowed(*OFFICE)
def list_players(asked: dict[str, Any]) -> dict[str, Any]:
    """The registrations by their logins, the newest first; who the persons are is not said here (D-16)."""
    read = partial(registrations, session(), login=asked.get("login"))
    found, following = page_of(asked, read, attrgetter("id"))
    return {"items": found, "next_cursor": following}
