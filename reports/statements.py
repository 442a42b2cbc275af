"""The statement of a game account: every movement of its money, signed, with what was left after it (T-Rules 35.3)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Subquery, func, literal, select, union_all
from sqlalchemy.orm import Session

from db.pages import newest_first
from ledger.accounts import Balance
from ledger.journal import Transfer
from players.models import Player

TITLES = {
    "deposit": "Пополнение наличными",
    "bank_deposit": "Пополнение банковским переводом",
    "stake": "Ставка",
    "win_credited": "Выигрыш или возврат ставки зачислен",
    "win_taken_back": "Выигрыш удержан: результат исправлен",
    "account_withdrawal": "Выдано наличными",
    "account_withdrawal_reserved": "Списано для перевода на банковский счёт",
    "account_withdrawal_returned": "Перевод не отправлен, деньги возвращены",
}
"""What a player reads for each kind of movement."""
UNDONE = "_reversed"


@dataclass(frozen=True)
class StatementLine:
    """A movement of a game account: signed amount and the balance after it, in minor units."""

    id: int
    player_id: int
    kind: str
    title: str
    amount: int
    balance_after: int
    ticket_id: int | None
    occurred_at: datetime


def title_of(kind: str) -> str:
    """What a player reads for a kind of movement."""
    if kind.endswith(UNDONE):
        return f"Исправлено: {title_of(kind.removesuffix(UNDONE))}"
    return TITLES.get(kind, "Прочее движение")


def statement(session: Session, player: Player, before: int, limit: int) -> list[StatementLine]:
    """The movements of a game account, the latest first, those with a number under ``before`` (0: from the latest).

    A movement is written while the balance is locked, so that the order of numbers is that of the balance. What is left
    after each is reckoned back from the balance of this moment, in one statement with the movements themselves.
    """
    moved = _moved(player.account_id)
    later = select(func.coalesce(func.sum(moved.c.amount), 0)).where(moved.c.id >= before, literal(before) > 0)
    held = select(Balance.balance).where(Balance.account_id == player.account_id)
    wanted = select(*moved.c, (held.scalar_subquery() - later.scalar_subquery()).label("left"))
    lines: list[StatementLine] = []
    left: int | None = None
    for row in session.execute(newest_first(wanted, moved.c.id, before, limit)):
        left = int(row.left) if left is None else left
        lines.append(
            StatementLine(
                id=row.id,
                player_id=player.id,
                kind=row.kind,
                title=title_of(row.kind),
                amount=row.amount,
                balance_after=left,
                ticket_id=row.ticket_id,
                occurred_at=row.occurred_at,
            )
        )
        left -= row.amount
    return lines


def _moved(account_id: int) -> Subquery:
    """What was taken off an account and what was put onto it, signed."""
    sides = (Transfer.debit_account_id, -Transfer.amount), (Transfer.credit_account_id, Transfer.amount.expression)
    legs = (
        select(Transfer.id, Transfer.kind, amount.label("amount"), Transfer.ticket_id, Transfer.occurred_at).where(
            side == account_id
        )
        for side, amount in sides
    )
    return union_all(*legs).subquery("moved")
