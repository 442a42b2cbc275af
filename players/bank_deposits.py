"""Money a player sent to the organizer's bank account (T-Rules 35.3, 35.6): credited once, however often it is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from db.clock import trade_time
from db.pages import matching, newest_first
from ledger.accounts import OPERATOR, Kind, open_account
from ledger.journal import Movement, post
from ledger.refusals import Refusal
from office.callers import Caller
from office.operator import Operator
from office.significant.kinds import PAYMENT_DIFFERS
from office.significant.log import note
from players.game_accounts import Deposit
from players.means import Means
from players.permission import permit_deposit
from players.registration import player_with_login

BANK_DEPOSIT = "bank_deposit"


@dataclass(frozen=True)
class Notice:
    """A payment as the bank tells of it: the bank, its number of the payment, the player it is for, minor units."""

    provider: str
    payment_id: str
    login: str
    amount: int


def credit(session: Session, operator: Operator, notice: Notice, by: Caller) -> tuple[Deposit, bool]:
    """Put a payment onto the player's game account; the deposit, and whether it was made now.

    Of several notices at once the later ones wait for the first. Money for somebody who may not play is not taken: the
    bank sends it back.

    Raises:
        Refusal: ``payment_differs``, this payment was told with another amount or for another player; ``not_found``;
            every reason of :func:`players.permission.permit_deposit`.
    """
    _hold_payment(session, notice)
    told = _told(session, notice)
    player = player_with_login(session, notice.login)
    if told is not None:
        if player is None or (told.player_id, told.amount) != (player.id, notice.amount):
            said = "Этот платёж уже зачислен с другой суммой или другому игроку: сверьте извещение с банком."
            raise Refusal("payment_differs", said, deposit=told.id)
        return told, False
    if player is None:
        raise Refusal("not_found", "Игрока с таким логином нет.", field="player")
    at = trade_time(session)
    permit_deposit(session, player.id, at)
    bank = open_account(session, Kind.BANK, OPERATOR, operator.currency)
    movement = Movement(bank, player.account_id, notice.amount, BANK_DEPOSIT)
    moved = post(session, [movement], currency=operator.currency, occurred_at=at, booked_on=operator.day_of(at))
    deposit = Deposit(
        player_id=player.id,
        means=Means.BANK_TRANSFER,
        provider=notice.provider,
        payment_id=notice.payment_id,
        amount=notice.amount,
        transfer_id=moved[0],
        entered_by=by.user_id,
        deposited_at=at,
    )
    session.add(deposit)
    session.flush()
    return deposit, True


def deposits(
    session: Session, before: int, limit: int, *, player_id: int | None = None, means: Means | None = None
) -> Sequence[Deposit]:
    """What came onto game accounts, of one player or by one means where asked, the latest first."""
    wanted = matching(select(Deposit), {Deposit.player_id: player_id, Deposit.means: means})
    return session.scalars(newest_first(wanted, Deposit.id, before, limit)).all()


def note_difference(session: Session, notice: Notice, by: Caller) -> None:
    """Raise the alarm that a payment was told twice with different words; whoever refused it has rolled back."""
    told = _told(session, notice)
    assert told is not None, "only a payment on record differs"
    note(session, PAYMENT_DIFFERS, f"deposit:{told.id}", by, provider=notice.provider, payment=notice.payment_id)


def _hold_payment(session: Session, notice: Notice) -> None:
    key = func.hashtextextended(f"payment:{notice.provider}:{notice.payment_id}", 0)
    session.execute(select(func.pg_advisory_xact_lock(key)))


def _told(session: Session, notice: Notice) -> Deposit | None:
    same = Deposit.provider == notice.provider, Deposit.payment_id == notice.payment_id
    return session.scalar(select(Deposit).where(*same))
