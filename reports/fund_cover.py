"""The cover of funds: what is owed to bettors against the money that must lie for it (T-Prov 9, T-Rules 9.7)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from ledger.accounts import Account, Kind
from ledger.checkpoints import balances

OWED = (Kind.POOL, Kind.PRIZE_FUND, Kind.WINS_PAYABLE, Kind.JACKPOT)
SIDES = {
    "fund": OWED,
    "players": (Kind.PLAYER, Kind.UNDER_WAY),
    "cover": (Kind.SPECIAL_FUND, Kind.CASH, Kind.SAFE),
    "beside": (Kind.CASH_IN_TRANSIT, Kind.BANK),
}
"""Which kinds of accounts stand on each side, for the cover of this moment and the statement as of a seal alike.

Owed out of funds, and to players; the money that may pay wins; the operator's other money, which covers the players'.
"""
DEBTS = SIDES["fund"] + SIDES["players"]
PLACES = {
    Kind.SPECIAL_FUND: "special_account",
    Kind.CASH: "desks",
    Kind.SAFE: "safe",
    Kind.CASH_IN_TRANSIT: "in_transit",
    Kind.BANK: "bank",
}
"""What the sum of each place of money is called."""


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
        return self._lying("cover")

    @property
    def everything(self) -> int:
        """All the operator's money, that on its way between places included."""
        return self.for_the_fund + self._lying("beside")

    def _lying(self, side: str) -> int:
        return sum(getattr(self, PLACES[kind]) for kind in SIDES[side])


def fund_cover(session: Session, currency: str) -> FundCover:
    """The cover of one currency at this moment."""
    accounts = session.execute(select(Account.id, Account.kind).where(Account.currency == currency))
    kinds = {account_id: kind for account_id, kind in accounts}
    held: Counter[str] = Counter()
    for account_id, balance in balances(session, kinds).items():
        held[kinds[account_id]] += balance
    return FundCover(
        owed={kind.value: -held[kind] for kind in OWED},
        players=-sum(held[kind] for kind in SIDES["players"]),
        **{name: held[kind] for kind, name in PLACES.items()},
    )
