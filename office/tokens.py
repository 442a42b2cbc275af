"""Bearer tokens: the sessions of users and players. A token is shown once, kept as a hash, and ends (DESIGN 4)."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    CheckConstraint,
    ColumnElement,
    ForeignKey,
    Index,
    Row,
    Update,
    bindparam,
    case,
    false,
    func,
    select,
    text,
    update,
)
from sqlalchemy.orm import Mapped, Session, mapped_column

from db.base import Base
from db.instants import Instant
from db.session import rows
from office.callers import Caller, Role
from office.logins import LoginHolder
from office.settings.kinds import Setting, WholeNumber
from office.settings.versions import value_of
from office.users import User

LIVES = WholeNumber(1, 24 * 30)
CASHIER_HOURS = Setting("cashier_session_hours", LIVES, 12, "Срок входа кассира, часов")
PLAYER_HOURS = Setting("player_session_hours", LIVES, 24, "Срок входа игрока, часов")
OFFICE_HOURS = Setting("office_session_hours", LIVES, 8, "Срок входа остальных сотрудников, часов")


class AccessToken(Base):
    """A session of a user or a player: the token itself is shown once and kept as a hash.

    A ``restricted`` session was begun with a one-time password, and may only change it.
    """

    __tablename__ = "access_tokens"
    __table_args__ = (
        CheckConstraint("(user_id IS NULL) <> (player_id IS NULL)", name="one_holder"),
        Index("ix_access_tokens_user_id", "user_id", postgresql_where=text("ended_at IS NULL")),
        Index("ix_access_tokens_player_id", "player_id", postgresql_where=text("ended_at IS NULL")),
        Index("ix_access_tokens_terminal_id", "terminal_id", postgresql_where=text("terminal_id IS NOT NULL")),
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
    restricted: Mapped[bool] = mapped_column(server_default=false())


def issue_token(session: Session, caller: Caller) -> tuple[str, datetime]:
    """A fresh bearer token for the caller and the instant it expires at, by the setting for the role."""
    token = secrets.token_urlsafe(32)
    life = timedelta(hours=value_of(session, _hours(caller.role)))
    issued = AccessToken(
        digest=digest_of(token),
        role=caller.role.value,
        user_id=caller.user_id,
        player_id=caller.player_id,
        terminal_id=caller.terminal_id,
        expires_at=func.clock_timestamp() + life,
        restricted=caller.restricted,
    )
    session.add(issued)
    session.flush()
    return token, issued.expires_at


def caller_of(session: Session, token: str) -> Caller | None:
    """Who a bearer token stands for, or nobody when it is unknown, ended or out of date, or its user is locked."""
    found = rows(session, HOLDER, {"digest": digest_of(token)}).first()
    return None if found is None else caller_told(found)


def caller_told(found: Row[*tuple[Any, ...]]) -> Caller:
    """The caller that a row of `HOLDER` tells of."""
    return Caller(Role(found.role), found.user_id, found.player_id, found.terminal_id, found.token_id, found.restricted)


KEY_SCOPE = case(
    (AccessToken.player_id.is_not(None), func.concat("player:", AccessToken.player_id)),
    (AccessToken.role == Role.CASHIER.value, func.concat("terminal:", AccessToken.terminal_id)),
    else_=func.concat("user:", AccessToken.user_id),
)
"""The caller's ``key_scope``, for a query."""
# Built once: every request asks it.
HOLDER = (
    select(
        AccessToken.role,
        AccessToken.user_id,
        AccessToken.player_id,
        AccessToken.terminal_id,
        AccessToken.id.label("token_id"),
        AccessToken.restricted,
    )
    .outerjoin(User, User.id == AccessToken.user_id)
    .where(
        AccessToken.digest == bindparam("digest"),
        AccessToken.ended_at.is_(None),
        AccessToken.expires_at > func.clock_timestamp(),
        User.blocked_at.is_(None),
    )
)


# Built once: whatever changes something asks it at its end.
STANDS = (
    select(AccessToken.id)
    .outerjoin(User, User.id == AccessToken.user_id)
    .where(
        AccessToken.id == bindparam("token"),
        AccessToken.ended_at.is_(None),
        AccessToken.expires_at > func.clock_timestamp(),
        User.blocked_at.is_(None),
    )
    .with_for_update(read=True, of=AccessToken)
)


def standing(session: Session, token_ids: Collection[int]) -> set[int]:
    """Which of these sessions still stand: for what was let in once and lasts, such as a stream."""
    return set(
        session.scalars(
            select(AccessToken.id)
            .outerjoin(User, User.id == AccessToken.user_id)
            .where(
                AccessToken.id.in_(token_ids),
                AccessToken.ended_at.is_(None),
                AccessToken.expires_at > func.clock_timestamp(),
                User.blocked_at.is_(None),
            )
        )
    )


def end_session(session: Session, token_id: int) -> None:
    """Sign out: the token is nobody's from the end of the transaction on."""
    session.execute(_end().where(AccessToken.id == token_id))


def end_sessions(session: Session, *which: ColumnElement[bool]) -> int:
    """End the open sessions these conditions name, all of a login (:func:`held_by`) or of a terminal; their number.

    They are locked by number first: two who end the same sessions at once do not wait for one another in a circle.
    """
    going_on = select(AccessToken.id).where(AccessToken.expires_at > func.clock_timestamp(), *which)
    locked = going_on.where(AccessToken.ended_at.is_(None)).order_by(AccessToken.id).with_for_update()
    ended = session.scalars(locked).all()
    session.execute(_end().where(AccessToken.id.in_(ended)).execution_options(synchronize_session=False))
    return len(ended)


def open_sessions(session: Session, holder: LoginHolder) -> Sequence[AccessToken]:
    """The sessions of a login that a request could still come on, the oldest first."""
    return session.scalars(
        select(AccessToken)
        .where(held_by(holder), AccessToken.ended_at.is_(None), AccessToken.expires_at > func.clock_timestamp())
        .order_by(AccessToken.id)
    ).all()


def held_by(holder: LoginHolder) -> ColumnElement[bool]:
    """That a session is one of this login's."""
    column = AccessToken.user_id if isinstance(holder, User) else AccessToken.player_id
    return column == holder.id


def lift_restriction(session: Session, token_id: int) -> None:
    """The one-time password was changed: the session may do what its role may."""
    session.execute(update(AccessToken).where(AccessToken.id == token_id).values(restricted=False))


def _end() -> Update:
    return update(AccessToken).where(AccessToken.ended_at.is_(None)).values(ended_at=func.clock_timestamp())


def _hours(role: Role) -> Setting[int]:
    return {Role.CASHIER: CASHIER_HOURS, Role.PLAYER: PLAYER_HOURS}.get(role, OFFICE_HOURS)


def digest_of(token: str) -> bytes:
    """What a token is found by."""
    return hashlib.sha256(token.encode("utf-8")).digest()
