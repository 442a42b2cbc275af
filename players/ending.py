"""The organizer ends a registration, at any moment and without having to say why (T-Rules 35.3).

From then on nobody signs in, bets or pays in. What is on the game account is reserved for a transfer to the player's
bank account; bets that stand are settled, and what they win is sent after it: a sweep finds by state whatever lies on
the account of a registration that has ended.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Select, exists, func, select
from sqlalchemy.orm import Session

from db.clock import trade_time
from db.session import Sessions, transaction
from ledger.accounts import Balance
from ledger.refusals import Refusal
from office.callers import Caller
from office.operator import Operator
from office.persons.details import BankAccount
from office.persons.recognition import hold
from office.persons.register import Persons
from office.significant.kinds import REGISTRATION_ENDED
from office.significant.log import note
from office.tokens import end_sessions, held_by
from players.bank_details import details_in_force, tell_bank_account
from players.flows import flows_of
from players.game_accounts import AccountWithdrawal, BankDetails, Cause, End, WithdrawalEnding
from players.means import owed_to_card
from players.models import Player, RegistrationEnding
from players.permission import has_ended
from players.registration import player_by_id
from players.withdrawing import reserve


@dataclass(frozen=True)
class Wish:
    """What is told with an ending: a reason, if anybody wants to give one, and the player's bank account, if known."""

    reason: str | None = None
    bank_account: BankAccount | None = None


def end_registration(
    session: Session, operator: Operator, persons: Persons, player_id: int, wish: Wish, by: Caller
) -> RegistrationEnding:
    """End a registration for good, and reserve its money for the player's bank account where that is known.

    Where it is not, the money stays on the game account until somebody tells it.

    Raises:
        Refusal: ``not_found``; ``registration_ended``, it has ended before.
    """
    assert by.user_id is not None, "the organizer's people end registrations"
    player = _held(session, player_id)
    if has_ended(session, player.id):
        raise Refusal("registration_ended", "Регистрация этого игрока уже прекращена.")
    # The money before the sessions, as the player's own acts take them: a bet looks at its session last of all.
    hold_money(session, player)
    if player.blocked_at is None:
        player.blocked_at = session.scalars(select(func.clock_timestamp())).one()
    ending = RegistrationEnding(
        player_id=player.id, reason=wish.reason, ended_by=by.user_id, ended_at=trade_time(session)
    )
    session.add(ending)
    session.flush()
    ended = end_sessions(session, held_by(player))
    note(session, REGISTRATION_ENDED, player.subject, by, reason=wish.reason, sessions_ended=ended)
    if wish.bank_account is not None:
        tell_bank_account(session, persons, player.id, wish.bank_account, by)
    send_what_lies(session, operator, player)
    return ending


def send_what_lies(session: Session, operator: Operator, player: Player) -> AccountWithdrawal | None:
    """Reserve all that lies on the account of a registration that has ended; nothing where it cannot be sent yet.

    It waits for a bank account, for another one where a transfer to this one came back, and for what is owed to a card.
    """
    details = details_in_force(session, player.id)
    if details is None or _came_back(session, details) or owed_to_card(flows_of(session, player.id)):
        return None
    amount = hold_money(session, player)
    return reserve(session, operator, player, amount, Cause.REGISTRATION_ENDED) if amount else None


def hold_money(session: Session, player: Player) -> int:
    """What lies on a game account (minor units); nobody bets it or pays it out before this transaction ends."""
    lying = select(Balance.balance).where(Balance.account_id == player.account_id).with_for_update()
    return session.scalars(lying).one()


def send_after_endings(sessions: Sessions, operator: Operator) -> int:
    """Reserve what was credited to registrations after their end, each in a transaction of its own; how many were.

    A player whose money cannot be sent keeps none behind waiting; what stood in the way is raised last.
    """
    with transaction(sessions) as session:
        waiting = session.scalars(_with_money()).all()
    sent = 0
    obstacles: list[Exception] = []
    for player_id in waiting:
        try:
            with transaction(sessions) as session:
                reserved = send_what_lies(session, operator, _held(session, player_id))
            sent += reserved is not None
        except Exception as obstacle:
            obstacles.append(obstacle)
    if obstacles:
        raise ExceptionGroup("money that could not be sent after a registration's end", obstacles)
    return sent


def ending_of(session: Session, player_id: int) -> RegistrationEnding | None:
    """How a registration ended, if it did."""
    return session.scalar(select(RegistrationEnding).where(RegistrationEnding.player_id == player_id))


def _with_money() -> Select[int]:
    ended = exists().where(RegistrationEnding.player_id == Player.id)
    lying = select(Player.id).join(Balance, Balance.account_id == Player.account_id).where(Balance.balance > 0, ended)
    return lying.order_by(Player.id)


def _came_back(session: Session, details: BankDetails) -> bool:
    """Whether a transfer to these details was returned: the same ones would bring it back again."""
    returned = exists().where(
        AccountWithdrawal.bank_details_id == details.id,
        WithdrawalEnding.withdrawal_id == AccountWithdrawal.id,
        WithdrawalEnding.end == End.RETURNED,
    )
    return bool(session.scalar(select(returned)))


def _held(session: Session, player_id: int) -> Player:
    """A player whose row is locked, the person before it (office/persons/recognition.py)."""
    player = player_by_id(session, player_id)
    if player.person_id is not None:
        hold(session, player.person_id)
    session.refresh(player, with_for_update={"key_share": True})
    return player
