"""What came onto a game account by each means and what went back by it, read from the facts (T-Rules 41)."""

from __future__ import annotations

from sqlalchemy import exists, func, select
from sqlalchemy.orm import Session

from players.game_accounts import AccountWithdrawal, Deposit, End, WithdrawalEnding
from players.means import Flow, Means


def flows_of(session: Session, player_id: int) -> list[Flow]:
    """The flow of each means money ever came by, in minor units; what was returned to the account never went."""
    came = (
        select(Deposit.means, func.sum(Deposit.amount), func.max(Deposit.id))
        .where(Deposit.player_id == player_id)
        .group_by(Deposit.means)
    )
    went = _gone(session, player_id)
    return [
        Flow(Means(means), int(amount), went.get(means, 0), latest) for means, amount, latest in session.execute(came)
    ]


def _gone(session: Session, player_id: int) -> dict[str, int]:
    returned = exists().where(
        WithdrawalEnding.withdrawal_id == AccountWithdrawal.id, WithdrawalEnding.end == End.RETURNED
    )
    gone = (
        select(AccountWithdrawal.means, func.sum(AccountWithdrawal.amount))
        .where(AccountWithdrawal.player_id == player_id, ~returned)
        .group_by(AccountWithdrawal.means)
    )
    return {means: int(amount) for means, amount in session.execute(gone)}
