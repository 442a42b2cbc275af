"""The logins of the office: made, changed, locked, given new passwords."""

from __future__ import annotations

from functools import partial
from operator import attrgetter
from typing import Any

from api.answers import refuses
from api.auth import allowed
from api.guessing import guarded, registry_for
from api.house import caller, session
from api.office.schemas import NewUser, OneTimePasswordShown, SessionList, UserChange, UserPage, UserQuery, UserShown
from api.pages import page_of
from api.reasons import Reason
from api.requests import Blueprint
from api.sessions.schemas import SessionsEnded
from office.callers import Role
from office.password_changes import OneTimePassword
from office.tokens import open_sessions
from office.user_changes import (
    change_role,
    end_sessions_of,
    lock_user,
    rename_user,
    reset_password,
    unlock_user,
)
from office.users import User, create_user, user_of, users_after

office = Blueprint("office", __name__, url_prefix="/api/v1", description="Сотрудники")


@office.post("/users")
@office.doc(operationId="create_user")
@office.arguments(NewUser)
@office.response(201, UserShown)
@allowed(Role.ADMINISTRATOR)
@refuses("login_taken", "password_refused", "too_many_attempts")
def make_user(told: dict[str, Any]) -> User:
    """Make a login of the office."""
    with guarded("login_taken", registry_for(caller())):
        user = create_user(session(), told["login"], told["name"], Role(told["role"]), told["password"], caller())
        session().commit()
    return user


@office.get("/users")
@office.arguments(UserQuery, location="query")
@office.response(200, UserPage)
@allowed(Role.ADMINISTRATOR, Role.AUDITOR)
def list_users(page: dict[str, Any]) -> dict[str, Any]:
    """The logins of the office, of one role or all, locked or not or both."""
    role = Role(page["role"]) if "role" in page else None
    read = partial(users_after, session(), role=role, blocked=page.get("blocked"))
    users, following = page_of(page, read, attrgetter("id"))
    return {"items": users, "next_cursor": following}


@office.get("/users/<int:user_id>")
@office.response(200, UserShown)
@allowed(Role.ADMINISTRATOR, Role.AUDITOR)
def show_user(user_id: int) -> User:
    """A login of the office."""
    return user_of(session(), user_id)


@office.patch("/users/<int:user_id>")
@office.arguments(UserChange)
@office.response(200, UserShown)
@allowed(Role.ADMINISTRATOR)
@refuses("own_login")
def change_user(told: dict[str, Any], user_id: int) -> User:
    """Change a user's name or role; a new role ends the sessions begun in the old one."""
    user = user_of(session(), user_id)
    if "role" in told:
        user = change_role(session(), user_id, Role(told["role"]), caller())
    if "name" in told:
        user = rename_user(session(), user_id, told["name"], caller())
    session().commit()
    return user


@office.post("/users/<int:user_id>/locking")
@office.doc(operationId="lock_user")
@office.arguments(Reason)
@office.response(201, UserShown)
@allowed(Role.ADMINISTRATOR)
@refuses("own_login")
def lock(told: dict[str, Any], user_id: int) -> User:
    """Let nobody in by this login; its sessions end at once."""
    user = lock_user(session(), user_id, told["reason"], caller())
    session().commit()
    return user


@office.post("/users/<int:user_id>/unlocking")
@office.doc(operationId="unlock_user")
@office.arguments(Reason)
@office.response(201, UserShown)
@allowed(Role.ADMINISTRATOR)
@refuses("own_login")
def unlock(told: dict[str, Any], user_id: int) -> User:
    """Let a locked login in again."""
    user = unlock_user(session(), user_id, told["reason"], caller())
    session().commit()
    return user


@office.post("/users/<int:user_id>/password-reset")
@office.doc(operationId="reset_user_password")
@office.response(201, OneTimePasswordShown)
@allowed(Role.ADMINISTRATOR)
@refuses("own_login")
def reset(user_id: int) -> OneTimePassword:
    """Give a user a one-time password, answered this once; all sessions of the login end."""
    given = reset_password(session(), user_id, caller())
    session().commit()
    return given


@office.get("/users/<int:user_id>/sessions")
@office.doc(operationId="list_user_sessions")
@office.response(200, SessionList)
@allowed(Role.ADMINISTRATOR, Role.AUDITOR)
def list_sessions(user_id: int) -> dict[str, Any]:
    """The open sessions of a login."""
    return {"items": open_sessions(session(), user_of(session(), user_id))}


@office.post("/users/<int:user_id>/sessions-ending")
@office.doc(operationId="end_user_sessions")
@office.arguments(Reason)
@office.response(201, SessionsEnded)
@allowed(Role.ADMINISTRATOR)
def sign_out(told: dict[str, Any], user_id: int) -> dict[str, Any]:
    """End all open sessions of a login; it may sign in again."""
    ended = end_sessions_of(session(), user_id, told["reason"], caller())
    session().commit()
    return {"sessions_ended": ended}
