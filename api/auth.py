"""The gate in front of every route: who calls, and whether the route names the caller's role. Deny by default."""

from __future__ import annotations

from collections.abc import Callable

from flask import current_app, g, request
from sqlalchemy import bindparam, event
from sqlalchemy.orm import Session
from werkzeug.exceptions import Forbidden, Unauthorized

from api.house import session
from api.idempotency import KEYS, TOLD
from api.marks import View, marked
from db.session import rows
from ledger.refusals import Refusal
from office.callers import Caller, Role
from office.tokens import HOLDER, KEY_SCOPE, STANDS, caller_of, caller_told, digest_of

OPEN_ENDPOINTS = frozenset({"static", "api-docs.openapi_json", "swagger_ui.show", "front_door"})
"""What anybody may read: the description of the API and its page."""
HOLDER_AND_KEY = HOLDER.add_columns(*TOLD).outerjoin(
    KEYS, (KEYS.c.scope == KEY_SCOPE) & (KEYS.c.key == bindparam("key"))
)
READING = ("GET", "HEAD", "OPTIONS")


def allowed(*roles: Role) -> Callable[[View], View]:
    """Name the roles that may call a route; the test of all routes reads the same names."""

    def name(view: View) -> View:
        return marked(view, allowed_roles=frozenset(roles))

    return name


def anybody(view: View) -> View:
    """Let a route be called without a token: sign-in and the calculators of the public rules."""
    return marked(view, allowed_roles=None)


def before_own_password(view: View) -> View:
    """Let a route be called by whoever signed in with a one-time password and has not changed it yet."""
    return marked(view, before_own_password=True)


def once_let_in(view: View) -> View:
    """Let a route be finished by whoever was let in: bets, whose own gates say what holds, and signing out."""
    return marked(view, once_let_in=True)


def check() -> None:
    """Refuse a request whose caller the route does not name (before every request)."""
    endpoint = request.endpoint
    if endpoint is None or endpoint in OPEN_ENDPOINTS:
        return
    view = current_app.view_functions[endpoint]
    roles: frozenset[Role] | None = getattr(view, "allowed_roles", frozenset())
    if roles is None:
        return
    caller = _caller_and_key()
    if caller is None:
        raise stranger()
    if caller.role not in roles:
        raise Forbidden("Ваша роль не даёт права на это действие.")
    if caller.restricted and not getattr(view, "before_own_password", False):
        raise Refusal("password_change_needed", "Пароль одноразовый: сначала задайте свой (PUT /own-password).")
    g.caller = caller
    if request.method not in READING and not getattr(view, "once_let_in", False):
        event.listen(session(), "before_commit", look_again)


def _caller_and_key() -> Caller | None:
    """Who calls, and what is on record under the request's key: two looks of every bet in one statement."""
    kind, _, token = request.headers.get("Authorization", "").partition(" ")
    if kind.lower() != "bearer" or not token:
        return None
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return caller_of(session(), token)
    found = rows(session(), HOLDER_AND_KEY, {"digest": digest_of(token), "key": key}).first()
    if found is None:
        return None
    g.known_key = None if found.id is None else found
    return caller_told(found)


def look_again(asked: Session) -> None:
    """Whether the session this request came on still stands, asked where its work is about to be committed.

    Who was locked, demoted or signed out while the request waited or hashed finishes nothing. The session's row is held
    to the end of the transaction: whoever ends it meanwhile comes after this work.
    """
    if asked.scalar(STANDS, {"token": g.caller.token_id}) is None:
        raise stranger()


def stranger() -> Unauthorized:
    """One answer for a token that is missing, unknown or at its end."""
    return Unauthorized("Войдите: токен отсутствует, неизвестен или истёк.")
