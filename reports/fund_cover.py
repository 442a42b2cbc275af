"""The cover of funds: what is owed to bettors against the money that must lie for it (T-Prov 9, T-Rules 9.7)."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import case, func, select
from sqlalchemy.orm import Session

from ledger.accounts import Account, Kind
from ledger.journal import Transfer

OWED = (Kind.POOL, Kind.PRIZE_FUND, Kind.WINS_PAYABLE, Kind.JACKPOT)


@dataclass(frozen=True)
class FundCover:
    """Money in minor units. ``owed`` is the tote's funds (stakes of open pools in full), ``players`` the game accounts.

    Cash taken for bets may pay wins by agreement with the bank, so the cover counts desks and special account, each
    shown; players' money is covered besides and never twice.
    """

    owed: dict[str, int]
    players: int
    special_account: int
    desks: int
    bank: int

    @property
    def total_owed(self) -> int:
        """All that is owed to bettors out of funds."""
        return sum(self.owed.values())

    @property
    def fund_is_covered(self) -> bool:
        """Whether special account and desks hold what the funds owe."""
        return self.special_account + self.desks >= self.total_owed

    @property
    def all_is_covered(self) -> bool:
        """Whether all money places together hold the funds and the players' money."""
        return self.special_account + self.desks + self.bank >= self.total_owed + self.players


def fund_cover(session: Session, currency: str) -> FundCover:
    """The cover of one currency at this moment."""
    signed = case((Transfer.debit_account_id == Account.id, Transfer.amount), else_=-Transfer.amount)
    held = {
        kind: int(balance)
        for kind, balance in session.execute(
            select(Account.kind, func.sum(signed))
            .join(Transfer, (Transfer.debit_account_id == Account.id) | (Transfer.credit_account_id == Account.id))
            .where(Account.currency == currency)
            .group_by(Account.kind)
        )
    }
    return FundCover(
        owed={kind.value: -held.get(kind, 0) for kind in OWED},
        players=-held.get(Kind.PLAYER, 0),
        special_account=held.get(Kind.SPECIAL_FUND, 0),
        desks=held.get(Kind.CASH, 0),
        bank=held.get(Kind.BANK, 0),
    )
