"""People who work in the office, with their roles; they are hired, found and listed here (DESIGN 4)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Mapped, Session, mapped_column

from db.base import Base
from db.instants import Instant
from ledger.refusals import Refusal
from office.callers import Caller, Role
from office.logins import LoginHolder, normal_login
from office.password_rules import OFFICE_LENGTH, check_password
from office.passwords import hash_password
from office.significant.kinds import USER_CREATED
from office.significant.log import note


class User(LoginHolder, Base):
    """A login of the office. Two persons for an act means two different rows here (INDUSTRY: two persons)."""

    __tablename__ = "users"
    sort = "user"

    name: Mapped[str]
    role: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(Instant, server_default=func.clock_timestamp())


def create_user(session: Session, login: str, name: str, role: Role, password: str, by: Caller | None = None) -> User:
    """Make a login; how it is written does not tell two logins apart.

    Raises:
        Refusal: ``password_refused``; ``login_taken``.
    """
    check_password(session, password, OFFICE_LENGTH, login, [name])
    values = {"login": normal_login(login), "name": name, "role": role.value, "password_hash": hash_password(password)}
    made = insert(User).values(values).on_conflict_do_nothing(index_elements=["login"]).returning(User.id)
    user_id = session.scalar(made)
    if user_id is None:
        raise Refusal("login_taken", "Этот логин уже занят: выберите другой.", field="login")
    user = session.get_one(User, user_id)
    note(session, USER_CREATED, user.subject, by, role=user.role)
    return user


def user_of(session: Session, user_id: int, *, locked: bool = False) -> User:
    """A login of the office; ``locked`` keeps anybody else from changing it until the transaction ends.

    Raises:
        Refusal: ``not_found``.
    """
    user = session.get(User, user_id, with_for_update={"key_share": True} if locked else None, populate_existing=locked)
    if user is None:
        raise Refusal("not_found", "Такого сотрудника нет.")
    return user


def users_after(
    session: Session, cursor: int, limit: int, *, role: Role | None = None, blocked: bool | None = None
) -> Sequence[User]:
    """Logins of the office in the order in which they were made, behind the one numbered ``cursor``."""
    query = select(User).where(User.id > cursor).order_by(User.id).limit(limit)
    if role is not None:
        query = query.where(User.role == role.value)
    if blocked is not None:
        query = query.where(User.blocked_at.is_not(None) if blocked else User.blocked_at.is_(None))
    return session.scalars(query).all()
