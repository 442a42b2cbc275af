"""The cover of funds: what is owed to bettors against the money that must lie for it (T-Prov 9, T-Rules 9.7)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from ledger.accounts import Account, Kind
from ledger.checkpoints import balances

OWED = (Kind.POOL, Kind.PRIZE_FUND, Kind.WINS_PAYABLE, Kind.JACKPOT)


@dataclass(frozen=True)
class FundCover:
    """Money in minor units: ``owed`` is the tote's funds (stakes of open pools in full).

    ``players`` are the game accounts, with what is on its way from them to a bank.

    Cash taken for bets may pay wins by agreement with the bank, so the cover counts desks, safe and special account,
    each shown; players' money is covered besides and never twice. Cash in transit lies in no desk: it covers no fund.
    """

    owed: dict[str, int]
    players: int
    special_account: int
    desks: int
    bank: int
    safe: int = 0
    in_transit: int = 0

    @property
    def total_owed(self) -> int:
        """All that is owed to bettors out of funds."""
        return sum(self.owed.values())

    @property
    def fund_is_covered(self) -> bool:
        """Whether special account, desks and safe hold what the funds owe."""
        return self.for_the_fund >= self.total_owed

    @property
    def all_is_covered(self) -> bool:
        """Whether all money places together hold the funds and the players' money."""
        return self.everything >= self.total_owed + self.players

    @property
    def for_the_fund(self) -> int:
        """The money that may pay wins."""
        return self.special_account + self.desks + self.safe

    @property
    def everything(self) -> int:
        """All the operator's money, that on its way between places included."""
        return self.for_the_fund + self.in_transit + self.bank


def fund_cover(session: Session, currency: str) -> FundCover:
    """The cover of one currency at this moment."""
    accounts = session.execute(select(Account.id, Account.kind).where(Account.currency == currency))
    kinds = {account_id: kind for account_id, kind in accounts}
    held: Counter[str] = Counter()
    for account_id, balance in balances(session, kinds).items():
        held[kinds[account_id]] += balance
    return FundCover(
        owed={kind.value: -held[kind] for kind in OWED},
        players=-held[Kind.PLAYER] - held[Kind.UNDER_WAY],
        special_account=held[Kind.SPECIAL_FUND],
        desks=held[Kind.CASH],
        bank=held[Kind.BANK],
        safe=held[Kind.SAFE],
        in_transit=held[Kind.CASH_IN_TRANSIT],
    )
