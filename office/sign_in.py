"""Signing in, for users and players alike: one no to every reason, and nobody slips in beside a lock (DESIGN 4)."""

from __future__ import annotations

from typing import TypeVar

from sqlalchemy import select
from sqlalchemy.orm import Session

from db.instants import now
from ledger.refusals import Refusal
from office.logins import LoginHolder, normal_login
from office.passwords import hash_password, is_outdated, password_matches

Holder = TypeVar("Holder", bound=LoginHolder)
AT_THE_OFFICE = "Кассир входит со своего терминала."
"""The advice at the office's door; a player is not concerned."""


def holder_of(session: Session, kind: type[Holder], login: str) -> Holder | None:
    """Whose login this is; nobody's is an answer like any other, until the password was checked."""
    return session.scalar(select(kind).where(kind.login == normal_login(login)))


def prove(session: Session, holder: Holder | None, password: str, advice: str = "") -> Holder:
    """Whoever knows the password of the login; the row stays locked, so that a change of it comes after the session.

    ``advice`` is what everybody at this door is told who is not let in, whatever the reason.
    A password kept at another cost than today's is hashed anew here, where it is known for once.

    Raises:
        Refusal: ``wrong_login_or_password``, the same and after the same work for an unknown login, a wrong password, a
            locked login and a one-time password that lapsed; ``too_busy``.
    """
    fits = password_matches(holder.password_hash if holder else None, password)
    if holder is None or not fits or not _may_enter(holder):
        raise wrong_login_or_password(advice)
    proven = holder.password_hash
    # What was read may be old by now: a lock, a reset or a new role that came meanwhile must not be outlived.
    session.refresh(holder, with_for_update={"key_share": True})
    # The hash alone may be another: somebody signed in with the same password and had it hashed anew.
    changed = holder.password_hash != proven
    if not _may_enter(holder) or (changed and not password_matches(holder.password_hash, password)):
        raise wrong_login_or_password(advice)
    if is_outdated(holder.password_hash):
        holder.password_hash = hash_password(password)
    return holder


def wrong_login_or_password(advice: str = "") -> Refusal:
    """One refusal for all reasons: the answer must not tell which logins exist, nor which of them are cashiers'."""
    return Refusal("wrong_login_or_password", f"Неверный логин или пароль. {advice}".rstrip())


def _may_enter(holder: LoginHolder) -> bool:
    lapsed = holder.password_until is not None and holder.password_until <= now()
    return holder.blocked_at is None and not lapsed
