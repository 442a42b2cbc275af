"""Whether a player may bet, pay in or take money out: the one place where limits and exclusions are asked.

A function for each path:

* a bet from a game account (`tote/sales.py` by itself, `tote/together.py` in a batch, whose stakes are asked for in
  one sum at the first bet's instant): :data:`ACCOUNT_TO_BET_FROM` stands inside the placing statement, so that asking
  costs no statement of its own, and :func:`why_no_bet` tells the reason when it found nobody. A rule that needs only
  the player's row goes into the one and the other.
* a deposit, by whatever means: :func:`permit_deposit`.
* taking money out: :func:`permit_withdrawal`. Nobody who excluded themselves is kept from their own money.
* a bet for cash at a desk is anonymous (T-Rules 35.1): nobody knows whose it is, so there is nothing to ask.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import exists, select
from sqlalchemy.orm import Session

from ledger.refusals import Refusal
from players.models import Player, RegistrationEnding
from players.registration import player_by_id

ACCOUNT_TO_BET_FROM = """
    SELECT account_id FROM players WHERE id = :player_id AND blocked_at IS NULL
        AND (excluded_until IS NULL OR excluded_until <= :placed_at)"""
"""The game account of a player who may bet at ``:placed_at``, or nothing; the placing statement reads it."""


def why_no_bet(session: Session, player_id: int, at: datetime) -> None:
    """Say why :data:`ACCOUNT_TO_BET_FROM` found nobody; returns where it did, and only the money was missing.

    Raises:
        Refusal: ``not_found``; ``player_blocked``; ``self_excluded`` with ``until``.
    """
    _refuse_who_may_not_play(_as_it_is(session, player_id), at)


def permit_deposit(session: Session, player_id: int, at: datetime) -> None:
    """Let money onto the game account of somebody who may play.

    Raises:
        Refusal: ``not_found``; ``player_blocked``; ``self_excluded`` with ``until``.
    """
    _refuse_who_may_not_play(_as_it_is(session, player_id), at)


def permit_withdrawal(session: Session, player: Player) -> None:
    """Let a player take money out; while a registration is locked its money stays, once it has ended it is sent.

    Raises:
        Refusal: ``registration_ended``, the money goes to the bank account (T-Rules 35.3); ``player_blocked``.
    """
    if has_ended(session, player.id):
        raise Refusal(
            "registration_ended", "Регистрация прекращена: деньги с игрового счёта переводятся на банковский счёт."
        )
    if player.blocked_at is not None:
        raise Refusal("player_blocked", "Регистрация игрока заблокирована: деньги остаются на игровом счёте.")


def has_ended(session: Session, player_id: int) -> bool:
    """Whether the organizer ended this registration."""
    ended = exists().where(RegistrationEnding.player_id == player_id)
    return bool(session.scalar(select(ended)))


def _as_it_is(session: Session, player_id: int) -> Player:
    """The player's row as it is now, whatever this session has read of it before (FIELD-FAULTS 050)."""
    player = player_by_id(session, player_id)
    session.refresh(player)
    return player


def _refuse_who_may_not_play(player: Player, at: datetime) -> None:
    if player.blocked_at is not None:
        raise Refusal("player_blocked", "Регистрация игрока прекращена или заблокирована.")
    if player.excluded_until is not None and at < player.excluded_until:
        said = "Игрок сам ограничил себя: до конца этого срока ставки и пополнения не принимаются."
        raise Refusal("self_excluded", said, until=player.excluded_until.isoformat())
