"""Registering a player: 18 or older, one login, one game account (B-Rules 2, T-Rules 35.3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date

from dateutil.relativedelta import relativedelta
from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from db.clock import trade_time
from db.pages import newest_first
from ledger.accounts import Kind, open_account
from ledger.refusals import Refusal
from office.logins import normal_login
from office.operator import Operator
from office.password_rules import PLAYER_LENGTH, check_password
from office.passwords import hash_password
from office.persons.details import Details, LegalEntity
from office.persons.models import PersonVersion
from office.persons.register import Persons
from players.exclusion import excluded_until
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
    player is refused (T-Rules 35.3), and so is, in the very same words, who excluded themselves. A legal entity bets by
    its representative: it has no age of its own, the representative's counts where it is told.

    Raises:
        Refusal: ``under_age``; ``password_refused``; ``login_taken``; ``person_already_registered``.
    """
    _check_age(details, today)
    check_password(session, password, PLAYER_LENGTH, login, names_in(details))
    password_hash = hash_password(password)
    version = session.get_one(PersonVersion, persons.record(session, details))
    until = excluded_until(session, version.person_id)
    if until is not None and trade_time(session) < until:
        raise _not_this_person()
    # The number comes first: the game account is named by it, and belongs to the registration from its first moment.
    player_id = session.scalars(select(func.nextval("players_id_seq"))).one()
    values = {
        "id": player_id,
        "login": normal_login(login),
        "password_hash": password_hash,
        "person_id": version.person_id,
        "person_version_id": version.id,
        "account_id": open_account(session, Kind.PLAYER, f"player:{player_id}", operator.currency),
        "excluded_until": until,
    }
    made = insert(Player).values(values).on_conflict_do_nothing().returning(Player.id)
    if session.scalar(made) is None:
        raise _taken(session, login)
    return session.get_one(Player, player_id)


def _check_age(details: Details, today: date) -> None:
    # Counted back from today: whoever was born on 29 February is of age on 1 March of a common year, not a day before.
    last_born = today - ADULT
    if isinstance(details, LegalEntity):
        born = details.representative.birth_date
        if born is not None and born > last_born:
            raise Refusal("under_age", "Представитель должен быть не моложе 18 лет.", field="representative")
    elif details.birth_date is None or details.birth_date > last_born:
        raise Refusal("under_age", "Игрок должен быть не моложе 18 лет.", field="birth_date")


def _taken(session: Session, login: str) -> Refusal:
    """Why no registration was opened; of the person's other one nothing is told."""
    if player_with_login(session, login) is not None:
        return Refusal("login_taken", "Этот логин уже занят: выберите другой.", field="login")
    return _not_this_person()


def _not_this_person() -> Refusal:
    """One refusal whether somebody is a player already, was one till the organizer ended it, or excluded themselves."""
    said = "Зарегистрировать это лицо нельзя. Если перед вами однофамилец, родившийся в тот же день, укажите документ."
    return Refusal("person_already_registered", said)


def names_in(details: Details) -> list[str]:
    """The names among a person's details, an entity's title among them: no password may be one of them."""
    if isinstance(details, LegalEntity):
        return [details.title, *names_in(details.representative)]
    return [name for name in (details.surname, details.name, details.patronymic) if name]


def player_with_login(session: Session, login: str) -> Player | None:
    """The registration with this login, however it is written."""
    return session.scalar(select(Player).where(Player.login == normal_login(login)))


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
        wanted = wanted.where(Player.login.startswith(normal_login(login), autoescape=True))
    return session.scalars(newest_first(wanted, Player.id, before, limit)).all()


def registrations_of(session: Session, persons: Iterable[int]) -> dict[int, Player]:
    """The registrations of these persons, by the person's number; a person has one at the most (T-Rules 35.3)."""
    found = session.scalars(select(Player).where(Player.person_id.in_(persons)))
    return {player.person_id: player for player in found if player.person_id is not None}


def no_such_player() -> Refusal:
    """One refusal for a player that is not there and one that is another."""
    return Refusal("not_found", "Такого игрока нет.")
