"""What becomes of a player's bank transfer: it is ordered at the bank, or the money goes back (T-Rules 42)."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from db.clock import trade_time
from desk.places import hold_enough
from ledger.accounts import OPERATOR, Kind, open_account
from ledger.journal import Movement, post
from ledger.money import currency, format_amount
from ledger.refusals import Refusal
from office.callers import Caller
from office.operator import Operator
from office.significant.kinds import TRANSFER_RETURNED
from office.significant.log import note
from players.game_accounts import AccountWithdrawal, End, WithdrawalEnding
from players.means import Means
from players.models import Player
from players.withdrawing import under_way

SENT = "account_withdrawal_sent"
RETURNED = "account_withdrawal_returned"


@dataclass(frozen=True)
class Word:
    """What the accountant says of a transfer: ``payment_order`` of one that was sent, or why it is returned."""

    payment_order: str | None = None
    reason: str | None = None

    @property
    def end(self) -> End:
        """What becomes of the transfer by it."""
        return End.RETURNED if self.payment_order is None else End.SENT


def end_transfer(session: Session, operator: Operator, withdrawal_id: int, word: Word, by: Caller) -> WithdrawalEnding:
    """Record that a transfer was sent, out of the bank account, or returned, onto the game account; once.

    Of two words at once the second waits, and is refused. A return counts as never gone (T-Rules 41).

    Raises:
        Refusal: ``not_found``; ``withdrawal_ended`` with its end; ``not_enough_money`` in the bank account.
    """
    assert by.user_id is not None, "an accountant is a user of the office"
    withdrawal = _held(session, withdrawal_id)
    movement = _movement(session, operator, withdrawal, word)
    at = trade_time(session)
    moved = post(session, [movement], currency=operator.currency, occurred_at=at, booked_on=operator.day_of(at))
    ending = WithdrawalEnding(
        withdrawal_id=withdrawal.id,
        end=word.end,
        payment_order=word.payment_order,
        reason=word.reason,
        transfer_id=moved[0],
        decided_by=by.user_id,
        decided_at=at,
    )
    session.add(ending)
    session.flush()
    if word.end is End.RETURNED:
        shown = format_amount(withdrawal.amount, currency(operator.currency))
        told = {"player": withdrawal.player_id, "amount": shown, "reason": word.reason}
        note(session, TRANSFER_RETURNED, f"withdrawal:{withdrawal.id}", by, **told)
    return ending


def _movement(session: Session, operator: Operator, withdrawal: AccountWithdrawal, word: Word) -> Movement:
    reserved = under_way(session, operator)
    if word.end is End.RETURNED:
        account_id = session.get_one(Player, withdrawal.player_id).account_id
        return Movement(reserved, account_id, withdrawal.amount, RETURNED, reason=word.reason)
    bank = open_account(session, Kind.BANK, OPERATOR, operator.currency)
    hold_enough(session, bank, withdrawal.amount, operator.currency)
    return Movement(reserved, bank, withdrawal.amount, SENT)


def _held(session: Session, withdrawal_id: int) -> AccountWithdrawal:
    """A transfer that waits for its word, kept from everybody else's until this transaction ends."""
    withdrawal = session.get(AccountWithdrawal, withdrawal_id)
    if withdrawal is None or withdrawal.means != Means.BANK_TRANSFER:
        raise Refusal("not_found", "Такого перевода игроку нет.")
    session.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(f"withdrawal:{withdrawal_id}", 0))))
    ended = session.scalar(select(WithdrawalEnding).where(WithdrawalEnding.withdrawal_id == withdrawal_id))
    if ended is not None:
        raise Refusal("withdrawal_ended", "По этому переводу решение уже принято.", end=ended.end)
    return withdrawal
