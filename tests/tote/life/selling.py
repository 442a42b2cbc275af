"""What a pool does until its sales end: it is announced, sells, is stopped, and closes."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule

from tests.office import EVENT, POOL
from tests.tote.life.books import Bet, PoolBook
from tests.tote.life.games import GAMES, Terms, Wager, asked_of, terms_of
from tests.tote.life.home import AtHome, money

PAUSES = st.sampled_from(
    (timedelta(minutes=30), timedelta(hours=3), timedelta(days=1), timedelta(days=8), timedelta(days=100))
)


class Selling(AtHome):
    """Pools that sell while time passes."""

    @initialize(data=st.data())
    def begin(self, data: Any) -> None:
        """Every life has a pool of each game."""
        for game in GAMES:
            self.announce_and_sell(data, data.draw(terms_of(game)), data.draw(st.integers(1, 3)))

    @rule(data=st.data(), terms=st.sampled_from(GAMES).flatmap(terms_of), hours=st.integers(1, 3))
    @precondition(lambda self: len(self.books.pools) < 6)
    def announce_and_sell(self, data: Any, terms: Terms, hours: int) -> None:
        self._sell_some(self.announce(terms, hours), data)

    def announce(self, terms: Terms, hours: int) -> PoolBook:
        """Announce a pool on these terms that sells from now on for some hours."""
        code, closes = f"P{len(self.books.pools)}", self.now + timedelta(hours=hours)
        event = {**EVENT, "code": f"E-{code}", "starts_at": closes.isoformat()}
        event_id = self.office.organizer.post("/events", event).json["id"]
        window = {"event_id": event_id, "opens_at": self.now.isoformat(), "closes_at": closes.isoformat()}
        limits = ("minimum_stake", "maximum_stake") if "price" in terms else ()
        foreign = (*limits, "outcomes") if "positions" in terms else limits
        announced = {name: told for name, told in POOL.items() if name not in foreign}
        answer = self.office.organizer.post("/pools", {**announced, "code": code, **window, **terms})
        assert answer.status_code == 201, answer.json
        pool = PoolBook(code, event_id, self.now, closes, terms)
        self.books.pools.append(pool)
        return pool

    @rule(pause=PAUSES)
    def time_passes(self, pause: timedelta) -> None:
        self.now += pause
        self.office.clock(self.now.isoformat())

    @rule(data=st.data())
    @precondition(lambda self: self.books.pools)
    def bet(self, data: Any) -> None:
        self._sell_some(self._a_pool(data, lambda pool: True), data)

    def _sell_some(self, pool: PoolBook, data: Any) -> None:
        asked = [
            (wager, (pool.price or stake) * len(wager.rows), bettor)
            for wager, stake, bettor in data.draw(asked_of(pool.terms))
        ]
        if data.draw(st.booleans()):
            self.sell_together(pool, [(wager, stake) for wager, stake, _ in asked])
        else:
            for wager, stake, bettor in asked:
                self.sell(pool, wager, stake, bettor)

    def sell(self, pool: PoolBook, wager: Wager, stake: int, bettor: str | None) -> None:
        """Place a bet at this stake for all its rows, or be refused it for what the books foretell."""
        answer = self.players.get(bettor, self.cashier).post("/pool-bets", self._told(pool, wager, stake))
        hindered = self._hindered_sale(pool, stake, bettor)
        self._expect(answer, 201, hindered)
        if hindered is None:
            self._sold(pool, wager, stake, bettor, answer.json)

    def sell_together(self, pool: PoolBook, asked: list[tuple[Wager, int]]) -> None:
        """Sell tickets at the desk as one batch: each line is what its bet alone would have been."""
        keys = [f"life-line-{next(self.lines):06}" for _ in asked]
        lines = [{"key": key, **self._told(pool, *one)} for key, one in zip(keys, asked, strict=True)]
        answer = self.cashier.post("/pool-bet-batches", {"lines": lines})
        self._expect(answer, 200, None)
        for (wager, stake), line in zip(asked, answer.json["lines"], strict=True):
            hindered = self._hindered_sale(pool, stake, None)
            assert (line["problem"] or {}).get("code") == hindered, line
            if hindered is None:
                self._sold(pool, wager, stake, None, line["ticket"])
                pool.paths["sold: in a batch"] += 1

    def _told(self, pool: PoolBook, wager: Wager, stake: int) -> dict[str, Any]:
        return {"pool": pool.code, **wager.told, "stake": money(stake)}

    def _hindered_sale(self, pool: PoolBook, stake: int, bettor: str | None) -> str | None:
        return (
            "sales_stopped" if pool.stopped is not None
            else "pool_closed" if pool.closed or self.now >= pool.closes_at
            else "insufficient_funds" if bettor and self.books.balances[bettor] < stake
            else None
        )  # fmt: skip

    def _sold(self, pool: PoolBook, wager: Wager, stake: int, bettor: str | None, ticket: dict[str, Any]) -> None:
        pool.bets.append(Bet(ticket["number"], ticket["code"], wager.rows, stake, bettor))
        pool.paths[f"sold: {wager.form}"] += 1
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
