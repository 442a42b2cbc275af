"""Signing in and out, and one's own password."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from api.answers import refuses
from api.auth import allowed, anybody, before_own_password, once_let_in
from api.guessing import attempt, from_address, guarded, start_afresh
from api.house import caller, house, session
from api.requests import Blueprint
from api.sessions.schemas import OwnPassword, PlayerSignIn, SessionsEnded, SignIn, Token
from desk.cashiers import refuse_elsewhere
from desk.terminals import prove_terminal
from ledger.refusals import Refusal
from office.callers import Caller, Role
from office.logins import LoginHolder, normal_login
from office.password_changes import change_password
from office.password_rules import OFFICE_LENGTH, PLAYER_LENGTH
from office.settings.kinds import Setting
from office.sign_in import AT_THE_OFFICE, holder_of, prove, wrong_login_or_password
from office.throttling.doors import OWN_PASSWORD, PLAYER_LOGIN, TERMINAL, USER_LOGIN, Knock
from office.tokens import end_session, issue_token
from office.users import User
from players.models import Player
from players.registration import names_in

WRONG = "wrong_login_or_password"

sessions = Blueprint("sessions", __name__, url_prefix="/api/v1", description="Вход, выход и собственный пароль")


@sessions.post("/sessions")
@sessions.arguments(SignIn)
@sessions.response(201, Token)
@sessions.doc(security=[])
@anybody
@refuses("too_many_attempts", "wrong_login_or_password", "unknown_terminal", "terminal_withdrawn", "not_assigned")
def start_session(told: dict[str, Any]) -> dict[str, Any]:
    """Sign a user of the office in. A cashier names the terminal as well and is bound to it.

    Whoever stands at a terminal of ours is counted there, whatever others try from the same address or on the same
    login from outside.
    """
    proof = told.get("terminal")
    terminal_id = _terminal(proof)
    user = _known_at(holder_of(session(), User, told["login"]), terminal_id)
    whence = from_address() if terminal_id is None else _at(terminal_id)
    place = "outside" if terminal_id is None else f"terminal:{terminal_id}"
    whom = Knock(USER_LOGIN, f"{normal_login(told['login'])}@{place}", about=user.subject if user else None)
    with guarded(WRONG, whence, whom):
        user = _known_at(prove(session(), user, told["password"], AT_THE_OFFICE), terminal_id)
        if user is None:
            raise wrong_login_or_password(AT_THE_OFFICE)
        # Once more, in the transaction that begins the session: the first proof was committed with the count.
        _proven(proof)
        start_afresh(whom)
        if user.role == Role.CASHIER and terminal_id is not None:
            refuse_elsewhere(session(), user.id, terminal_id)
        return _token(user, Caller(Role(user.role), user_id=user.id, terminal_id=terminal_id))


@sessions.post("/player-sessions")
@sessions.arguments(PlayerSignIn)
@sessions.response(201, Token)
@sessions.doc(security=[])
@anybody
@refuses("too_many_attempts", "wrong_login_or_password")
def start_player_session(told: dict[str, Any]) -> dict[str, Any]:
    """Sign a player in."""
    player = holder_of(session(), Player, told["login"])
    whence = from_address()
    whom = Knock(PLAYER_LOGIN, normal_login(told["login"]), about=player.subject if player else None)
    with guarded(WRONG, whence, whom):
        player = prove(session(), player, told["password"])
        start_afresh(whom)
        return _token(player, Caller(Role.PLAYER, player_id=player.id))


@sessions.delete("/sessions/current")
@sessions.doc(operationId="end_own_session")
@sessions.response(200, SessionsEnded)
@allowed(*Role)
@before_own_password
@once_let_in
def leave() -> dict[str, Any]:
    """Sign out: the token of this request is nobody's any more."""
    token_id = caller().token_id
    assert token_id is not None, "a caller came with a token"
    end_session(session(), token_id)
    session().commit()
    return {"sessions_ended": 1}


@sessions.put("/own-password")
@sessions.arguments(OwnPassword)
@sessions.response(200, SessionsEnded)
@allowed(*Role)
@before_own_password
@refuses("too_many_attempts", "wrong_password", "password_refused")
def change_own_password(told: dict[str, Any]) -> dict[str, Any]:
    """Change one's own password; all other sessions of the login end. A one-time password is changed here as well."""
    holder, least, names = _myself(caller())
    with guarded("wrong_password", Knock(OWN_PASSWORD, holder.subject, about=holder.subject)):
        session().refresh(holder, with_for_update={"key_share": True})
        ended = change_password(session(), holder, told["old_password"], told["password"], least, names, by=caller())
        session().commit()
    return {"sessions_ended": ended}


def _terminal(proof: dict[str, str] | None) -> int | None:
    """The terminal somebody proves to stand at, if they say so; asked before anything is looked at of the login.

    A wrong secret counts against the address. It is tried first, for who has the right one is not stopped by what
    others do from there; and 192 random bits are not guessed, however often.
    """
    try:
        return _proven(proof)
    except Refusal:
        attempt(from_address())
        raise


def _proven(proof: dict[str, str] | None) -> int | None:
    return None if proof is None else prove_terminal(session(), proof["code"], proof["secret"])


def _at(terminal_id: int) -> Knock:
    return Knock(TERMINAL, str(terminal_id), about=f"terminal:{terminal_id}")


def _known_at(user: User | None, terminal_id: int | None) -> User | None:
    """A cashier's login is nobody's away from a terminal: the answer must not tell that the password was right."""
    return None if user is not None and user.role == Role.CASHIER and terminal_id is None else user


def _myself(me: Caller) -> tuple[LoginHolder, Setting[int], list[str]]:
    """The caller's login, with what its password must be: the length, and the names it may not be."""
    if me.player_id is None:
        user = session().get_one(User, me.user_id)
        return user, OFFICE_LENGTH, [user.name]
    player = session().get_one(Player, me.player_id)
    known = house().persons.read(session(), player.person_version_id)
    return player, PLAYER_LENGTH, [] if known is None else names_in(known)


def _token(holder: LoginHolder, known_as: Caller) -> dict[str, Any]:
    me = replace(known_as, restricted=holder.password_until is not None)
    token, expires_at = issue_token(session(), me)
    session().commit()
    return {
        "token": token,
        "role": me.role.value,
        "expires_at": expires_at,
        "password_change_needed": me.restricted,
    }
