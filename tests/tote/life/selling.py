"""What a pool does until its sales end: it is announced, sells, is stopped, and closes."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from tests.office import EVENT, POOL
from tests.tote.life.books import Bet, PoolBook
from tests.tote.life.home import OUTCOMES, STAKES, AtHome, money

BETTORS = st.sampled_from((None, None, "ivan", "anna"))
ASKED = st.lists(st.tuples(st.sampled_from(OUTCOMES), STAKES, BETTORS), min_size=1, max_size=6)
TERMS = st.sampled_from(
    (
        {},
        {"minimum_coefficient": "1.0"},
        {"minimum_coefficient": "1.3"},
        {"game": "sportloto_variant", "price": "3.33", "fund_percent": "82.5", "minimum_win": "4.00"},
        {"game": "sportloto_variant", "price": "10.00", "fund_percent": "70", "maximum_win": "12.34"},
    )
)
PAUSES = st.sampled_from(
    (timedelta(minutes=30), timedelta(hours=3), timedelta(days=1), timedelta(days=8), timedelta(days=100))
)


class Selling(AtHome):
    """Pools that sell while time passes."""

    @rule(terms=TERMS, hours=st.integers(1, 3), asked=ASKED)
    @precondition(lambda self: len(self.books.pools) < 3)
    def announce_and_sell(self, terms: dict[str, str], hours: int, asked: list[tuple[str, int, str | None]]) -> None:
        code, closes = f"P{len(self.books.pools)}", self.now + timedelta(hours=hours)
        event = {**EVENT, "code": f"E-{code}", "starts_at": closes.isoformat()}
        event_id = self.office.organizer.post("/events", event).json["id"]
        window = {"event_id": event_id, "opens_at": self.now.isoformat(), "closes_at": closes.isoformat()}
        limits = ("minimum_stake", "maximum_stake") if "price" in terms else ()
        announced = {name: told for name, told in POOL.items() if name not in limits}
        answer = self.office.organizer.post("/pools", {**announced, "code": code, **window, **terms})
        assert answer.status_code == 201, answer.json
        pool = PoolBook(code, event_id, self.now, closes, terms)
        self.books.pools.append(pool)
        for outcome, stake, bettor in asked:
            self.sell(pool, outcome, stake, bettor)

    @rule(pause=PAUSES)
    def time_passes(self, pause: timedelta) -> None:
        self.now += pause
        self.office.clock(self.now.isoformat())

    @rule(data=st.data(), asked=ASKED)
    @precondition(lambda self: self.books.pools)
    def bet(self, data: Any, asked: list[tuple[str, int, str | None]]) -> None:
        pool = self._a_pool(data, lambda pool: True)
        for outcome, stake, bettor in asked:
            self.sell(pool, outcome, stake, bettor)

    def sell(self, pool: PoolBook, outcome: str, stake: int, bettor: str | None) -> None:
        """Place a bet, at the pool's price if it has one, or be refused it for what the books foretell."""
        stake = pool.price or stake
        answer = self.office.bet(self.players.get(bettor, self.cashier), outcome, money(stake), pool.code)
        hindered = (
            "sales_stopped" if pool.stopped is not None
            else "pool_closed" if pool.closed or self.now >= pool.closes_at
            else "insufficient_funds" if bettor and self.books.balances[bettor] < stake
            else None
        )  # fmt: skip
        self._expect(answer, 201, hindered)
        if hindered is None:
            pool.bets.append(Bet(answer.json["number"], answer.json["code"], outcome, stake, bettor))
            if bettor is None:
                self.books.cash += stake
            else:
                self.books.balances[bettor] -= stake

    @rule(data=st.data())
    @precondition(lambda self: self.books.pools)
    def stop_or_resume(self, data: Any) -> None:
        pool = self._a_pool(data, lambda pool: True)
        if pool.stopped is None:
            told = {"scope": "pool", "subject": pool.code, "reason": "проба"}
            answer = self.office.organizer.post("/sales-stops", told)
            assert answer.status_code == 201, answer.json
            pool.stopped = answer.json["id"]
        else:
            answer = self.office.organizer.post(f"/sales-stops/{pool.stopped}/resumption", {"reason": "проба"})
            assert answer.status_code in (200, 201), answer.json
            pool.stopped = None

    @rule(data=st.data())
    @precondition(lambda self: self.books.pools)
    def close(self, data: Any) -> None:
        self.close_pool(self._a_pool(data, lambda pool: True))

    def close_pool(self, pool: PoolBook) -> None:
        """End a pool's sales: what is counted and parted is what the books say."""
        answer = self.office.organizer.post(f"/pools/{pool.code}/closing")
        self._expect(answer, 201, "pool_already_closed" if pool.closed else None)
        pool.closed = True
        if answer.status_code == 201:
            assert (answer.json["pool"], answer.json["fund"]) == (money(pool.stakes), money(pool.fund))
