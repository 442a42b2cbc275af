"""Registering a player: 18 or older, one login, one game account (B-Rules 2, T-Rules 35.3)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from dateutil.relativedelta import relativedelta
from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from db.pages import newest_first
from ledger.accounts import Kind, open_account
from ledger.refusals import Refusal
from office.operator import Operator
from office.persons import Persons
from office.users import hash_password, password_matches, wrong_login_or_password
from players.models import Player

ADULT = relativedelta(years=18)


def register(
    session: Session,
    operator: Operator,
    persons: Persons,
    *,
    login: str,
    password: str,
    details: dict[str, str],
    birth_date: date,
    today: date,
) -> Player:
    """Open a registration and its game account; ``today`` is the date in the operator's zone.

    Raises:
        Refusal: ``under_age``; ``login_taken``.
    """
    # Counted back from today: whoever was born on 29 February is of age on 1 March of a common year, not a day before.
    if birth_date > today - ADULT:
        raise Refusal("under_age", "Игрок должен быть не моложе 18 лет.", field="birth_date")
    # The number comes first: the game account is named by it, and belongs to the registration from its first moment.
    player_id = session.scalars(select(func.nextval("players_id_seq"))).one()
    values = {
        "id": player_id,
        "login": login.lower(),
        "password_hash": hash_password(password),
        "person_version_id": persons.record(session, {**details, "birth_date": birth_date.isoformat()}),
        "account_id": open_account(session, Kind.PLAYER, f"player:{player_id}", operator.currency),
    }
    made = insert(Player).values(values).on_conflict_do_nothing(index_elements=["login"]).returning(Player.id)
    if session.scalar(made) is None:
        raise Refusal("login_taken", "Этот логин уже занят: выберите другой.", field="login")
    return session.get_one(Player, player_id)


def sign_in(session: Session, login: str, password: str) -> Player:
    """The player with this login and password.

    Raises:
        Refusal: ``wrong_login_or_password``, the same for every reason.
    """
    player = session.scalar(select(Player).where(Player.login == login.lower()))
    if not password_matches(player.password_hash if player else None, password) or player is None or player.blocked_at:
        raise wrong_login_or_password()
    return player


def active_player(session: Session, player_id: int) -> Player:
    """A player whose registration stands.

    Raises:
        Refusal: ``not_found``; ``player_blocked``.
    """
    player = session.get(Player, player_id)
    if player is None:
        raise no_such_player()
    if player.blocked_at is not None:
        raise Refusal("player_blocked", "Регистрация игрока прекращена или заблокирована.")
    return player


def player_by_id(session: Session, player_id: int) -> Player:
    """The registration with this number.

    Raises:
        Refusal: ``not_found``.
    """
    player = session.get(Player, player_id)
    if player is None:
        raise no_such_player()
    return player


def registrations(session: Session, before: int, limit: int, *, login: str | None = None) -> Sequence[Player]:
    """The registrations whose login begins like this, or all, the newest first."""
    wanted = select(Player)
    if login is not None:
        wanted = wanted.where(Player.login.startswith(login.lower(), autoescape=True))
    return session.scalars(newest_first(wanted, Player.id, before, limit)).all()


def no_such_player() -> Refusal:
    """One refusal for a player that is not there and one that is another."""
    return Refusal("not_found", "Такого игрока нет.")
