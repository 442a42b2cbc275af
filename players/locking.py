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
from office.persons.details import NaturalPerson
from office.persons.register import Persons
from office.significant.kinds import PLAYER_LOCKED, PLAYER_PASSWORD_RESET, PLAYER_UNLOCKED
from office.significant.log import note
from office.tokens import end_sessions, held_by
from players.identity import not_proven, proven_player
from players.models import Player
from players.permission import has_ended


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
        Refusal: ``not_found``; ``registration_ended``, by the organizer, or the data of whose it was are erased.
    """
    player = _held(session, player_id)
    if player.person_id is None:
        said = "Регистрация прекращена, и данные игрока удалены: чтобы играть, нужно зарегистрироваться заново."
        raise Refusal("registration_ended", said)
    if has_ended(session, player.id):
        raise Refusal("registration_ended", "Регистрация прекращена организатором: она не возобновляется.")
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
    player = proven_player(session, persons, login, shown)
    if player.person_id is None or not isinstance(persons.read(session, player.person_version_id), NaturalPerson):
        raise not_proven()
    shown_as = persons.add_version(session, player.person_id, shown)
    return give_one_time_password(session, player, PLAYER_PASSWORD_RESET, by, person_version=shown_as)


def _held(session: Session, player_id: int) -> Player:
    player = session.get(Player, player_id, with_for_update={"key_share": True}, populate_existing=True)
    if player is None:
        raise Refusal("not_found", "Такого игрока нет.")
    return player
