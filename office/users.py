"""People who work in the office, their roles, and the bearer tokens they (and players) are known by (DESIGN 4)."""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime, timedelta

from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError
from sqlalchemy import CheckConstraint, ForeignKey, Index, bindparam, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Mapped, Session, mapped_column

from db.base import Base
from db.instants import Instant
from ledger.refusals import Refusal
from office.callers import Caller, Role

TOKEN_LIFE = timedelta(hours=12)
_hasher = PasswordHasher()
# Checked against when a login is unknown, so that the answer takes as long as for a known one.
_NOBODY = _hasher.hash(secrets.token_hex(16))


class User(Base):
    """A login of the office. Two persons for an act means two different rows here (INDUSTRY: two persons)."""

    __tablename__ = "users"

    id: Mapped[int] = mapped_column(primary_key=True)
    login: Mapped[str] = mapped_column(unique=True)
    name: Mapped[str]
    role: Mapped[str]
    password_hash: Mapped[str]
    blocked_at: Mapped[datetime | None]
    created_at: Mapped[datetime] = mapped_column(Instant, server_default=func.clock_timestamp())


class AccessToken(Base):
    """A session of a user or a player: the token itself is shown once and kept as a hash."""

    __tablename__ = "access_tokens"
    __table_args__ = (
        CheckConstraint("(user_id IS NULL) <> (player_id IS NULL)", name="one_holder"),
        Index("ix_access_tokens_terminal_id", "terminal_id", postgresql_where="terminal_id IS NOT NULL"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    digest: Mapped[bytes] = mapped_column(unique=True)
    role: Mapped[str]
    user_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    player_id: Mapped[int | None] = mapped_column(ForeignKey("players.id"))
    terminal_id: Mapped[int | None] = mapped_column(ForeignKey("terminals.id"))
    issued_at: Mapped[datetime] = mapped_column(Instant, server_default=func.clock_timestamp())
    expires_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]


def hash_password(password: str) -> str:
    """The argon2 hash of a password."""
    return _hasher.hash(password)


def password_matches(password_hash: str | None, password: str) -> bool:
    """Whether a password fits; without a hash it takes as long and never does."""
    try:
        return _hasher.verify(password_hash or _NOBODY, password) and password_hash is not None
    except VerifyMismatchError:
        return False


def create_user(session: Session, login: str, name: str, role: Role, password: str) -> User:
    """Make a login; letter case does not tell two logins apart.

    Raises:
        Refusal: ``login_taken``.
    """
    values = {"login": login.lower(), "name": name, "role": role.value, "password_hash": hash_password(password)}
    made = insert(User).values(values).on_conflict_do_nothing(index_elements=["login"]).returning(User.id)
    user_id = session.scalar(made)
    if user_id is None:
        raise Refusal("login_taken", "Этот логин уже занят: выберите другой.", field="login")
    return session.get_one(User, user_id)


def sign_in(session: Session, login: str, password: str) -> User:
    """The user with this login and password.

    Raises:
        Refusal: ``wrong_login_or_password``, the same for an unknown login, a wrong password and a blocked user.
    """
    user = session.scalar(select(User).where(User.login == login.lower()))
    if not password_matches(user.password_hash if user else None, password) or user is None or user.blocked_at:
        raise wrong_login_or_password()
    return user


def wrong_login_or_password() -> Refusal:
    """One refusal for all reasons: the answer must not tell which logins exist."""
    return Refusal("wrong_login_or_password", "Неверный логин или пароль.")


def issue_token(session: Session, caller: Caller, now: datetime) -> tuple[str, datetime]:
    """A fresh bearer token for the caller and the instant it expires at."""
    token = secrets.token_urlsafe(32)
    expires_at = now + TOKEN_LIFE
    session.add(
        AccessToken(
            digest=_digest(token),
            role=caller.role.value,
            user_id=caller.user_id,
            player_id=caller.player_id,
            terminal_id=caller.terminal_id,
            expires_at=expires_at,
        )
    )
    session.flush()
    return token, expires_at


def caller_of(session: Session, token: str) -> Caller | None:
    """Who a bearer token stands for, or nobody when it is unknown, ended or out of date, or its user is blocked."""
    found = session.execute(HOLDER, {"digest": _digest(token)}).first()
    return None if found is None else Caller(Role(found.role), found.user_id, found.player_id, found.terminal_id)


# Built once: every request asks it.
HOLDER = (
    select(AccessToken.role, AccessToken.user_id, AccessToken.player_id, AccessToken.terminal_id)
    .outerjoin(User, User.id == AccessToken.user_id)
    .where(
        AccessToken.digest == bindparam("digest"),
        AccessToken.ended_at.is_(None),
        AccessToken.expires_at > func.clock_timestamp(),
        User.blocked_at.is_(None),
    )
)


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8")).digest()
