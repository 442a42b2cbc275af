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
from office.persons.identities import weak_mark
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
        Refusal: ``not_found``.
    """
    player = _held(session, player_id)
    if player.blocked_at is not None:
        player.blocked_at = None
        note(session, PLAYER_UNLOCKED, player.subject, by, reason=reason)
    return player


def reset_player_password(
    session: Session, persons: Persons, login: str, shown: NaturalPerson, by: Caller
) -> OneTimePassword:
    """Give a one-time password to a player who shows the document of whoever registered.

    What was shown is kept as a version of the person, encrypted, and the event names the version. A legal entity shows
    nothing that is compared: its password is not given out at a desk.

    Raises:
        Refusal: ``identity_not_proven``, the same for an unknown login and for somebody else's document.
    """
    player = player_with_login(session, login)
    if player is None or not _is_same(persons.read(session, player.person_version_id), shown):
        raise Refusal("identity_not_proven", "Логин и документ не относятся к одной регистрации: проверьте их.")
    session.refresh(player, with_for_update={"key_share": True})
    shown_as = persons.record(session, shown)
    return give_one_time_password(session, player, PLAYER_PASSWORD_RESET, by, person_version=shown_as)


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
