"""Sessions and users."""

from __future__ import annotations

from typing import Any

from api.answers import refuses
from api.auth import allowed, anybody
from api.house import session
from api.office.schemas import NewUser, PlayerSignIn, SignIn, Token, UserShown
from api.requests import Blueprint
from db.instants import now
from desk.shifts import prove_terminal
from ledger.refusals import Refusal
from office.users import Caller, Role, User, create_user, issue_token, sign_in
from players.registration import sign_in as player_sign_in

office = Blueprint("office", __name__, url_prefix="/api/v1", description="Вход и сотрудники")


@office.post("/sessions")
@office.arguments(SignIn)
@office.response(201, Token)
@office.doc(security=[])
@anybody
@refuses("wrong_login_or_password", "unknown_terminal")
def start_session(told: dict[str, Any]) -> dict[str, Any]:
    """Sign a user of the office in. A cashier names the terminal as well and is bound to it."""
    user = sign_in(session(), told["login"], told["password"])
    proof = told.get("terminal")
    terminal_id = prove_terminal(session(), proof["code"], proof["secret"]) if proof else None
    if user.role == Role.CASHIER and terminal_id is None:
        raise Refusal("unknown_terminal", "Кассир входит с терминала: передайте его код и ключ.")
    return _token(Caller(Role(user.role), user_id=user.id, terminal_id=terminal_id))


@office.post("/player-sessions")
@office.arguments(PlayerSignIn)
@office.response(201, Token)
@office.doc(security=[])
@anybody
@refuses("wrong_login_or_password")
def start_player_session(told: dict[str, Any]) -> dict[str, Any]:
    """Sign a player in."""
    player = player_sign_in(session(), told["login"], told["password"])
    return _token(Caller(Role.PLAYER, player_id=player.id))


@office.post("/users")
@office.doc(operationId="create_user")
@office.arguments(NewUser)
@office.response(201, UserShown)
@allowed(Role.ADMINISTRATOR)
@refuses("login_taken")
def make_user(told: dict[str, Any]) -> User:
    """Make a login of the office."""
    user = create_user(session(), told["login"], told["name"], Role(told["role"]), told["password"])
    session().commit()
    return user


def _token(caller: Caller) -> dict[str, Any]:
    token, expires_at = issue_token(session(), caller, now())
    session().commit()
    return {"token": token, "role": caller.role.value, "expires_at": expires_at}
