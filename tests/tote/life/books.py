"""Books kept beside the house: what every bet and account should hold, reckoned bet by bet and never asked of it.

All amounts are in minor units.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from decimal import ROUND_CEILING, Decimal
from itertools import islice
from typing import Any

from dateutil.relativedelta import relativedelta

from tests.office import MINSK
from tests.tote.by_hand import kopecks, levels_reached, reckoned
from tests.tote.life.games import Row, Terms, Truth

DIVIDED = ("wins", "to_jackpot", "from_organizer")


@dataclass
class Bet:
    """A ticket: what the last decision gives it, what its bettor has got of that, what lapsed, what is claimed back.

    ``rows`` are its bets one by one, all of one stake; ``stake`` is what was paid for the ticket.
    ``stake_back`` is the part of ``due`` that does not lapse (D-21). Nobody is due anything before ``payable_from``.
    """

    number: int
    code: str
    rows: tuple[Row, ...]
    stake: int
    player: str | None
    due: int = 0
    stake_back: int = 0
    had: int = 0
    lapsed: int = 0
    claimed: int = 0
    cancelled: str | None = None
    payable_from: datetime | None = None
    payable_until: datetime | None = None

    @property
    def left(self) -> int:
        """What is still to be paid or credited."""
        return max(self.due - self.had, 0) - self.lapsed

    @property
    def overpaid(self) -> int:
        """What was paid in cash beyond what is due, and stays paid (D-14)."""
        return max(self.had - self.due, 0) if self.player is None else 0

    def lapse(self, now: datetime) -> None:
        """Let the win lapse when its term is over (T-Rules 38.2, 40); a stake that goes back stays owed."""
        if self.payable_until is not None and now >= self.payable_until:
            self.lapsed = max(self.due - self.had, 0) - max(self.stake_back - self.had, 0)


@dataclass
class PoolBook:
    """A pool: its terms as announced, its bets, what came true by its last protocol, and how far it has come.

    ``paths`` names what has ever become of it, to tell afterwards whether a run of lives took every path.
    """

    code: str
    event_id: int
    opens_at: datetime
    closes_at: datetime
    terms: Terms
    bets: list[Bet] = field(default_factory=list)
    stopped: int | None = None
    holds: dict[str, tuple[int, datetime]] = field(default_factory=dict)
    claimed_protocol: int | None = None
    upheld: bool = False
    settled_by: int | None = None
    fixed_at: datetime | None = None
    stood: list[tuple[datetime, datetime]] = field(default_factory=list)
    closed: bool = False
    protocol: int | None = None
    true: Truth | None = None
    settled: bool = False
    settlements: int = 0
    credited: bool = True
    corrected_at: datetime | None = None
    returned: bool = False
    minus: bool = False
    to_jackpot: int = 0
    from_organizer: int = 0
    paths: Counter[str] = field(default_factory=Counter)

    @property
    def held(self) -> bool:
        """Whether payouts of the pool are held, by decision or by a claim."""
        return bool(self.holds)

    @property
    def settled_anew(self) -> bool:
        """Whether a settlement by a corrected protocol has begun that has not taken back yet what it must (D-14)."""
        return self.corrected_at is not None or (self.settlements > 1 and not self.credited)

    @property
    def playing(self) -> list[Bet]:
        """The bets that count: those cancelled before the settlement were never made (D-18)."""
        return [bet for bet in self.bets if bet.cancelled in (None, "settled")]

    @property
    def stakes(self) -> int:
        """The pool: all stakes that count."""
        return sum(bet.stake for bet in self.playing)

    @property
    def fund(self) -> int:
        """Sixty percent, or what of a Sportloto pool was announced, rounded up (T-Rules 4, 23; D-3)."""
        percent = Decimal(self.terms.get("fund_percent", "60"))
        return int((Decimal(self.stakes) * percent / 100).to_integral_value(ROUND_CEILING))

    @property
    def price(self) -> int | None:
        """What every bet costs, where it is one price (T-Rules 5)."""
        return kopecks(self.terms["price"]) if "price" in self.terms else None

    def last_day(self, first: date) -> date:
        """The last day of payment: three months from the first one, or twelve weeks, it included (T-Rules 12, 40)."""
        return first + (relativedelta(months=3) if self.price is None else timedelta(days=83))

    @property
    def by_positions(self) -> bool:
        """Whether a bet marks every position instead of naming one outcome."""
        return "positions" in self.terms

    def comes_back(self, true: Truth) -> bool:
        """Whether every stake is returned: nothing was held, or a position was not and the pool goes back then."""
        gaps_return = self.terms.get("not_held", "return_pool") == "return_pool"
        return not any(true) or (None in true and gaps_return)

    def told(self, bets: Sequence[Bet], true: Truth) -> dict[str, Any]:
        """The pool as a calculator is told it, every row of every ticket a bet of its own."""
        entries = []
        for bet in bets:
            stake = bet.stake // len(bet.rows)
            paid = {} if self.price else {"stake": f"{stake // 100}.{stake % 100:02}"}
            entries += [{**({"marks": row} if self.by_positions else {"outcome": row[0]}), **paid} for row in bet.rows]
        return {**self.terms, "bets": entries, "result": list(true)}

    @property
    def gives_back(self) -> bool:
        """Whether the pool itself gives every stake back (T-Prov 16, T-Rules 32)."""
        return self.settled and (self.minus or self.returned)

    @property
    def withdrawal(self) -> int:
        """What the organizer took and kept (T-Prov 12)."""
        return self.stakes - self.fund if self.closed and not self.gives_back else 0

    @property
    def returned_by_organizer(self) -> int:
        """The stakes of bets cancelled after the settlement (D-18)."""
        return sum(bet.stake for bet in self.bets if bet.cancelled == "settled")


class Books:
    """All that should be on record."""

    def __init__(self, own: int, special: int, float_: int) -> None:
        self.own, self.special, self.cash = own, special, float_
        self.bank = own - special - float_
        self.balances: Counter[str] = Counter()
        self.pools: list[PoolBook] = []

    def settle(self, pool: PoolBook, true: Truth, at: datetime) -> None:
        """Decide every bet that counts by what came true, or return all stakes.

        Whatever was decided and had lapsed before counts no more (D-14).
        """
        pool.settled, pool.true, pool.returned = True, true, pool.comes_back(true)
        pool.credited, pool.corrected_at, pool.settlements = False, None, pool.settlements + 1
        pool.settled_by = pool.protocol
        playing = pool.playing
        if pool.returned:
            wins, pool.to_jackpot, pool.from_organizer = [bet.stake for bet in playing], 0, 0
        else:
            divided = reckoned(pool.told(playing, true))
            each, pool.to_jackpot, pool.from_organizer = (divided[name] for name in DIVIDED)
            rows = iter(each)
            wins = [sum(islice(rows, len(bet.rows))) for bet in playing]
        # A fund is a part of some bets, rounded up: of nothing it is where nobody lost (D-5).
        pool.minus = bool(playing) and not pool.returned and divided["fund"] == 0
        self._note_settlement(pool, true, wins)
        for bet, win in zip(playing, wins, strict=True):
            back = bet.stake if pool.gives_back else 0
            if bet.cancelled:
                pool.to_jackpot += win
            else:
                self._decide(bet, win, back, at, None if pool.returned else pool)

    def end_upheld_claim(self, pool: PoolBook, now: datetime) -> None:
        """A settlement by a later protocol is what a claim is upheld for: once there are both, it holds no more."""
        if pool.upheld and pool.settled_by is not None and pool.settled_by != pool.claimed_protocol:
            pool.upheld = False
            self.release(pool, "claim", now)

    def credit(self, pool: PoolBook) -> None:
        """Give game accounts what they are due more, then take back what they got too much, down to zero (D-14, 17)."""
        if pool.credited:
            return
        pool.credited = True
        online = [bet for bet in pool.bets if bet.player is not None and not bet.cancelled]
        for bet in online:
            pool.paths["credited"] += bet.left > 0
            self._give(bet)
        for bet in online:
            pool.paths["taken back"] += bet.had > bet.due
            self._take_back(bet)
            pool.paths["claimed"] += bet.claimed > 0
        pool.paths["borne: paid too much"] += any(bet.overpaid for bet in pool.bets)

    def cancel(self, pool: PoolBook, bet: Bet, at: datetime) -> None:
        """Cancel a bet (T-Rules 29, D-18): its stake goes back; after the settlement its win goes to the jackpot."""
        bet.cancelled = "settled" if pool.settled else "closed" if pool.closed else "selling"
        pool.paths[f"cancelled: {bet.cancelled}"] += 1
        if pool.settled:
            pool.to_jackpot += bet.due
        self._decide(bet, bet.stake, bet.stake, at, None)
        if bet.player is not None:
            self._give(bet)
            self._take_back(bet)

    def pay(self, pool: PoolBook, bet: Bet, now: datetime) -> int:
        """Pay a cash ticket what is left of it."""
        bet.lapse(now)
        paid = bet.left
        pool.paths["paid in cash"] += 1
        bet.had += paid
        self.cash -= paid
        return paid

    def release(self, pool: PoolBook, why: str, now: datetime) -> None:
        """End a hold of a pool's payouts: every day of a term that it touched is given back (D-23)."""
        _, since = pool.holds.pop(why)
        pool.paths[f"held by a {why}"] += 1
        pool.stood.append((since, now))
        for bet in pool.bets:
            if bet.payable_until is not None:
                self._prolong(pool, bet)

    def _prolong(self, pool: PoolBook, bet: Bet) -> None:
        assert bet.payable_from is not None
        first = bet.payable_from.date()
        last = pool.last_day(first)
        lost: set[date] = set()
        for since, until in sorted(pool.stood):
            day, ended = local(since), last + timedelta(days=len(lost))
            while day <= ended and midnight(day) < until:
                lost |= {day} if day >= first else set()
                ended = last + timedelta(days=len(lost))
                day += timedelta(days=1)
        bet.payable_until = midnight(last + timedelta(days=len(lost) + 1))

    def expire(self, now: datetime) -> None:
        """Let lapse what is past its term; what is held does not lapse meanwhile."""
        for pool in self.pools:
            for bet in pool.bets:
                if bet.player is None and not pool.held and pool.corrected_at is None:
                    before = bet.lapsed
                    bet.lapse(now)
                    pool.paths["lapsed"] += bet.lapsed > before

    def accounts(self) -> dict[str, int]:
        """What each kind of account should hold, debit less credit."""
        bets = [bet for pool in self.pools for bet in pool.bets]
        closed = [pool for pool in self.pools if pool.closed]
        settled = [pool for pool in closed if pool.settled]
        # Until a run is credited, what was paid too much is missing where wins are owed, not yet claimed or borne.
        missing = sum(
            max(bet.had - bet.due, 0) for pool in settled if not pool.credited for bet in pool.bets if not bet.cancelled
        )
        claimed = sum(bet.claimed for pool in self.pools for bet in pool.bets if pool.credited or bet.cancelled)
        overpaid = sum(bet.overpaid for pool in self.pools for bet in pool.bets if pool.credited or bet.cancelled)
        return {
            "cash": self.cash,
            "bank": self.bank,
            "special_fund": self.special,
            "player": -sum(self.balances.values()),
            "pool": -sum(pool.stakes for pool in self.pools if not pool.closed),
            "prize_fund": -sum(pool.fund for pool in closed if not pool.settled),
            "withdrawal_revenue": -sum(pool.withdrawal for pool in closed),
            "wins_payable": missing - sum(bet.left for bet in bets),
            "jackpot": -sum(pool.to_jackpot for pool in settled) - sum(bet.lapsed for bet in bets),
            "claims": claimed,
            "organizer": -self.own
            + sum(pool.from_organizer for pool in settled)
            + overpaid
            + sum(pool.returned_by_organizer for pool in settled),
        }

    def _note_settlement(self, pool: PoolBook, true: Truth, wins: Sequence[int]) -> None:
        pool.paths["settled again" if pool.settlements > 1 else "settled"] += 1
        pool.paths["event not held"] += not true
        pool.paths["returned for a position"] += None in true and pool.returned
        pool.paths["played without a position"] += None in true and not pool.returned
        pool.paths["minus pool"] += pool.minus
        pool.paths["fund to the jackpot"] += bool(wins) and not any(wins)
        if pool.by_positions and not pool.comes_back(true):
            levels = {level for level in levels_reached(pool.told(pool.playing, true)) if level is not None}
            pool.paths["a level nobody reached"] += 0 < len(levels) < len(pool.terms["levels"])
            pool.paths["several levels reached"] += len(levels) > 1
        pool.paths["raised by the organizer"] += pool.from_organizer > 0 and not pool.minus
        pool.paths["nobody left"] += not wins

    def _give(self, bet: Bet) -> None:
        self.balances[bet.player] += bet.left
        bet.had += bet.left

    def _take_back(self, bet: Bet) -> None:
        taken = min(max(bet.had - bet.due, 0), self.balances[bet.player])
        self.balances[bet.player] -= taken
        bet.had -= taken
        bet.claimed = max(bet.had - bet.due, 0)

    def _decide(self, bet: Bet, due: int, back: int, at: datetime, lapses_as: PoolBook | None) -> None:
        bet.due, bet.stake_back, bet.lapsed = due, back, 0
        bet.payable_from, bet.payable_until = at, None
        if lapses_as is not None:
            tomorrow = local(at) + timedelta(days=1)
            bet.payable_from = midnight(tomorrow)
            bet.payable_until = midnight(lapses_as.last_day(tomorrow) + timedelta(days=1))


def midnight(day: date) -> datetime:
    """The beginning of a day in Minsk."""
    return datetime.combine(day, time.min, MINSK)


def local(instant: datetime) -> date:
    """The date in Minsk."""
    return instant.astimezone(MINSK).date()
