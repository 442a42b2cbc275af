"""Registering a player: 18 or older, one login, one game account a person (B-Rules 2, T-Rules 35.3)."""

from __future__ import annotations

from datetime import date

from dateutil.relativedelta import relativedelta
from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from ledger.accounts import Kind, open_account
from ledger.refusals import Refusal
from office.operator import Operator
from office.persons.details import Details, NaturalPerson
from office.persons.models import PersonVersion
from office.persons.register import Persons
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
    details: Details,
    today: date,
) -> Player:
    """Open a registration and its game account; ``today`` is the date in the operator's zone.

    A person has one registration: whoever brings the document, or without one the name and birth date, of another
    player is refused (T-Rules 35.3). A legal entity has no age.

    Raises:
        Refusal: ``under_age``; ``login_taken``; ``person_already_registered``.
    """
    if isinstance(details, NaturalPerson):
        _check_age(details, today)
    password_hash = hash_password(password)
    version = session.get_one(PersonVersion, persons.record(session, details))
    # The number comes first: the game account is named by it, and belongs to the registration from its first moment.
    player_id = session.scalars(select(func.nextval("players_id_seq"))).one()
    values = {
        "id": player_id,
        "login": login.lower(),
        "password_hash": password_hash,
        "person_id": version.person_id,
        "person_version_id": version.id,
        "account_id": open_account(session, Kind.PLAYER, f"player:{player_id}", operator.currency),
    }
    made = insert(Player).values(values).on_conflict_do_nothing().returning(Player.id)
    if session.scalar(made) is None:
        raise _taken(session, login.lower())
    return session.get_one(Player, player_id)


def _check_age(details: NaturalPerson, today: date) -> None:
    # Counted back from today: whoever was born on 29 February is of age on 1 March of a common year, not a day before.
    if details.birth_date is None or details.birth_date > today - ADULT:
        raise Refusal("under_age", "Игрок должен быть не моложе 18 лет.", field="birth_date")


def _taken(session: Session, login: str) -> Refusal:
    """Why no registration was opened; of the person's other one nothing is told."""
    if session.scalar(select(Player.id).where(Player.login == login)) is not None:
        return Refusal("login_taken", "Этот логин уже занят: выберите другой.", field="login")
    said = "Это лицо уже зарегистрировано. Если перед вами однофамилец, родившийся в тот же день, укажите документ."
    return Refusal("person_already_registered", said)


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
        raise Refusal("not_found", "Такого игрока нет.")
    if player.blocked_at is not None:
        raise Refusal("player_blocked", "Регистрация игрока прекращена или заблокирована.")
    return player
