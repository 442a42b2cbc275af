"""What an administrator changes of a login: name, role, lock, password, sessions. Somebody is always left who can."""

from __future__ import annotations

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from ledger.refusals import Refusal
from office.callers import Caller, Role
from office.password_changes import OneTimePassword, give_one_time_password
from office.sign_in import holder_of
from office.significant.kinds import (
    ADMINISTRATOR_RESCUED,
    SESSIONS_ENDED,
    USER_LOCKED,
    USER_PASSWORD_RESET,
    USER_RENAMED,
    USER_ROLE_CHANGED,
    USER_UNLOCKED,
)
from office.significant.log import note
from office.tokens import end_sessions, held_by
from office.users import User, user_of


def rename_user(session: Session, user_id: int, name: str, by: Caller) -> User:
    """Change how a user is called on papers and screens; both names stay on record.

    Raises:
        Refusal: ``not_found``.
    """
    user = user_of(session, user_id, locked=True)
    if user.name != name:
        note(session, USER_RENAMED, user.subject, by, old=user.name, new=name)
        user.name = name
    return user


def change_role(session: Session, user_id: int, role: Role, by: Caller) -> User:
    """Give a user another role; sessions begun in the old one end.

    Raises:
        Refusal: ``not_found``; ``own_login``; ``forbidden``, the caller is no administrator any more.
    """
    user = _of_another(session, user_id, by)
    if user.role == role.value:
        return user
    ended = end_sessions(session, held_by(user))
    note(session, USER_ROLE_CHANGED, user.subject, by, old=user.role, new=role.value, sessions_ended=ended)
    user.role = role.value
    return user


def lock_user(session: Session, user_id: int, reason: str, by: Caller) -> User:
    """Let nobody in by this login until it is unlocked; its sessions end. A locked one stays as it is.

    Raises:
        Refusal: ``not_found``; ``own_login``; ``forbidden``, the caller is no administrator any more.
    """
    user = _of_another(session, user_id, by)
    if user.blocked_at is not None:
        return user
    user.blocked_at = session.scalars(select(func.clock_timestamp())).one()
    note(session, USER_LOCKED, user.subject, by, reason=reason, sessions_ended=end_sessions(session, held_by(user)))
    return user


def unlock_user(session: Session, user_id: int, reason: str, by: Caller | None) -> User:
    """Let a locked login in again, with the password it had.

    Raises:
        Refusal: ``not_found``; ``own_login`` and ``forbidden`` as for :func:`lock_user`.
    """
    user = user_of(session, user_id, locked=True) if by is None else _of_another(session, user_id, by)
    if user.blocked_at is not None:
        user.blocked_at = None
        note(session, USER_UNLOCKED, user.subject, by, reason=reason)
    return user


def reset_password(session: Session, user_id: int, by: Caller) -> OneTimePassword:
    """Give a user who forgot the password a one-time password.

    Raises:
        Refusal: ``not_found``; ``own_login``: one's own is changed by who knows it, not by who holds the session.
    """
    return give_one_time_password(session, _of_another(session, user_id, by), USER_PASSWORD_RESET, by)


def rescue_administrator(session: Session, login: str) -> OneTimePassword:
    """Let an administrator in when nobody can let anybody in: unlocked, with a one-time password; an alarm tells of it.

    Raises:
        Refusal: ``not_found``, no administrator has this login.
    """
    user = holder_of(session, User, login)
    if user is None or user.role != Role.ADMINISTRATOR:
        raise Refusal("not_found", "Администратора с таким логином нет.")
    session.refresh(user, with_for_update={"key_share": True})
    was_locked, user.blocked_at = user.blocked_at is not None, None
    return give_one_time_password(session, user, ADMINISTRATOR_RESCUED, None, was_locked=was_locked)


def end_sessions_of(session: Session, user_id: int, reason: str, by: Caller) -> int:
    """End all open sessions of a user, one's own included; how many they were.

    Raises:
        Refusal: ``not_found``.
    """
    user = user_of(session, user_id, locked=True)
    ended = end_sessions(session, held_by(user))
    note(session, SESSIONS_ENDED, user.subject, by, reason=reason, sessions_ended=ended)
    return ended


def _of_another(session: Session, user_id: int, by: Caller) -> User:
    """A login that is not the caller's own, locked, while the caller is an administrator still.

    So the last administrator is never lost: it is nobody's but the caller's own.
    """
    if user_id == by.user_id:
        raise Refusal("own_login", "С собственным логином так поступить нельзя: это сделает другой администратор.")
    # All administrators at once and in one order: of two who lock one another, the second finds itself locked.
    administrators = select(User).where(User.role == Role.ADMINISTRATOR.value).order_by(User.id)
    locked = administrators.with_for_update(key_share=True).execution_options(populate_existing=True)
    if not any(user.id == by.user_id and user.blocked_at is None for user in session.scalars(locked)):
        raise Refusal("forbidden", "Вы больше не администратор: это действие не выполнено.")
    return user_of(session, user_id, locked=True)
