"""Locking a registration, unlocking it, and a new password for a player who shows who they are (T-Rules 35.3).

The money on the game account stays where it is, and bets that were taken are settled onto it. Ending a registration
for good, with the money sent to the player's bank account, is another act.
"""

from __future__ import annotations

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from ledger.refusals import Refusal
from office.callers import Caller
from office.password_changes import OneTimePassword, give_one_time_password
from office.persons.details import Details, NaturalPerson
from office.persons.identities import strong_mark, weak_mark
from office.persons.register import Persons
from office.persons.words import names_in
from office.significant.kinds import PLAYER_LOCKED, PLAYER_PASSWORD_RESET, PLAYER_UNLOCKED
from office.significant.log import note
from office.tokens import end_sessions, held_by
from players.models import Player
from players.registration import player_with_login


def lock_player(session: Session, player_id: int, reason: str, by: Caller) -> Player:
    """Let the player neither in nor bet nor pay in, until unlocked; a locked one stays as it is.

    Raises:
        Refusal: ``not_found``.
    """
    player = _held(session, player_id)
    if player.blocked_at is None:
        player.blocked_at = session.scalars(select(func.clock_timestamp())).one()
        note(
            session,
            PLAYER_LOCKED,
            player.subject,
            by,
            reason=reason,
            sessions_ended=end_sessions(session, held_by(player)),
        )
    return player


def unlock_player(session: Session, player_id: int, reason: str, by: Caller) -> Player:
    """Let a locked player play again, with the password and the money there were.

    Raises:
        Refusal: ``not_found``; ``registration_ended``, the data of whose it was are erased.
    """
    player = _held(session, player_id)
    if player.person_id is None:
        said = "Регистрация прекращена, и данные игрока удалены: чтобы играть, нужно зарегистрироваться заново."
        raise Refusal("registration_ended", said)
    if player.blocked_at is not None:
        player.blocked_at = None
        note(session, PLAYER_UNLOCKED, player.subject, by, reason=reason)
    return player


def reset_player_password(
    session: Session, persons: Persons, login: str, shown: NaturalPerson, by: Caller
) -> OneTimePassword:
    """Give a one-time password to a player who shows the document of whoever registered.

    Name and birth date are compared, and the document where any is on record of the person; where none is, the shown
    one becomes theirs unless it is somebody else's. A renewed document is recorded first, by
    :func:`players.amending.amend`. What was shown is kept as a version of the person, encrypted, and the event names
    the version. A legal entity shows nothing that is compared: its password is not given out at a desk.

    Raises:
        Refusal: ``identity_not_proven``, the same for an unknown login, an ended registration, somebody else's document
            and a document that is not on record; what was written till then is to be rolled back.
    """
    player = player_with_login(session, login)
    shown_as = None if player is None else _proof(session, persons, player, shown)
    if player is None or shown_as is None:
        said = "Логин и документ не относятся к одной регистрации: проверьте их. Новый документ игрока сначала вносит"
        raise Refusal("identity_not_proven", f"{said} старший кассир.")
    return give_one_time_password(session, player, PLAYER_PASSWORD_RESET, by, person_version=shown_as)


def _proof(session: Session, persons: Persons, player: Player, shown: NaturalPerson) -> int | None:
    """The version that says what was shown, the player's row locked; none where the player is somebody else."""
    person_id = player.person_id
    # The person before the registration: the order of office/persons/recognition.py. What differs is rolled back.
    if person_id is None or persons.take_marks(session, person_id, shown) != person_id:
        return None
    documents = persons.documents_of(session, person_id)
    session.refresh(player, with_for_update={"key_share": True})
    if player.person_id is None or not _is_same(persons.read(session, player.person_version_id), shown):
        return None
    if documents and strong_mark(shown) not in documents:
        return None
    return persons.add_version(session, person_id, shown)


def _is_same(known: Details | None, shown: NaturalPerson) -> bool:
    """Whether registration and document name one person; a patronymic that either lacks is not compared."""
    if not isinstance(known, NaturalPerson) or weak_mark(known) is None:
        return False
    both = bool(known.patronymic and shown.patronymic)
    same_patronymic = not both or names_in(known.patronymic) == names_in(shown.patronymic)
    return weak_mark(known) == weak_mark(shown) and same_patronymic


def _held(session: Session, player_id: int) -> Player:
    player = session.get(Player, player_id, with_for_update={"key_share": True}, populate_existing=True)
    if player is None:
        raise Refusal("not_found", "Такого игрока нет.")
    return player
