"""New passwords: one's own, and the one-time password that somebody else gives out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy.orm import Session

from db.instants import now
from ledger.refusals import Refusal
from office.callers import Caller
from office.logins import LoginHolder
from office.password_rules import check_password
from office.passwords import hash_password, one_time_password, password_matches
from office.settings.kinds import Setting, WholeNumber
from office.settings.versions import value_of
from office.significant.kinds import PASSWORD_CHANGED, Kind
from office.significant.log import note
from office.tokens import AccessToken, end_sessions, held_by, lift_restriction

ONE_TIME_HOURS = Setting("one_time_password_hours", WholeNumber(1, 24 * 7), 24, "Срок одноразового пароля, часов")


@dataclass(frozen=True)
class OneTimePassword:
    """A password told once; who signs in with it may only change it, and nobody can after ``until``."""

    password: str
    until: datetime


def change_password(
    session: Session, holder: LoginHolder, old: str, new: str, least: Setting[int], names: Iterable[str], by: Caller
) -> int:
    """Put a password of one's own choice in place of the old one; all other sessions end, and how many they were.

    Raises:
        Refusal: ``wrong_password``, the old one is not this, or was a one-time password and has lapsed;
            ``password_refused``.
    """
    assert by.token_id is not None, "who changes a password is signed in"
    lapsed = holder.password_until is not None and holder.password_until <= now()
    if not password_matches(holder.password_hash, old) or lapsed:
        raise Refusal("wrong_password", "Прежний пароль неверен.", field="old_password")
    if old == new:
        raise Refusal("password_refused", "Новый пароль совпадает с прежним: придумайте другой.", field="password")
    check_password(session, new, least, holder.login, names)
    holder.password_hash, holder.password_until = hash_password(new), None
    # The others first: whoever else ends sessions takes them by number, and ours may be the highest.
    ended = end_sessions(session, held_by(holder), AccessToken.id != by.token_id)
    lift_restriction(session, by.token_id)
    note(session, PASSWORD_CHANGED, holder.subject, by, sessions_ended=ended)
    return ended


def give_one_time_password(
    session: Session, holder: LoginHolder, kind: Kind, by: Caller | None, **facts: object
) -> OneTimePassword:
    """Put a one-time password in place of whatever held; every session of the login ends.

    ``kind`` is the significant event it is noted as; the password itself is told here and nowhere else.
    """
    given = OneTimePassword(one_time_password(), now() + timedelta(hours=value_of(session, ONE_TIME_HOURS)))
    holder.password_hash, holder.password_until = hash_password(given.password), given.until
    ended = end_sessions(session, held_by(holder))
    note(session, kind, holder.subject, by, sessions_ended=ended, **facts)
    return given
