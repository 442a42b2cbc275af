"""Whatever happens to pools, bets and money in whatever order: after every step the audit is clean and the books agree.

A machine announces, sells, stops, closes, fixes, corrects, settles, pays, holds, cancels and lets time pass, through
the API of a house on a database of its own. Beside it go books that reckon bet by bet by another way (`books.py`):
every refusal is foretold by them, every account and every ticket's money is held against them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule, run_state_machine_as_test

from api.tasks import SWEEPS
from db.embedded import EmbeddedServer
from tests.prove.served import sized
from tests.tote.life.games import GAMES, truths_of
from tests.tote.life.paying import Paying


class Life(Paying):
    """All of it in any order, and the ordinary course, which chance alone seldom takes."""

    @rule(data=st.data())
    @precondition(lambda self: any(not pool.settled and pool.bets for pool in self.books.pools))
    def play_out(self, data: Any) -> None:
        """The ordinary course, which chance alone seldom takes: to the end of sales, the result, the money."""
        going = [pool for pool in self.books.pools if not pool.settled and pool.bets]
        for pool in data.draw(st.lists(st.sampled_from(going), min_size=1, unique_by=id)):
            if self.now < pool.closes_at:
                self.time_passes(pool.closes_at - self.now)
            if not pool.closed:
                self.close_pool(pool)
            if pool.protocol is None:
                self.fix(pool, data.draw(truths_of(pool.terms)))
            self.settle_pool(pool)

    @rule(data=st.data())
    @precondition(lambda self: any(pool.settled and pool.corrected_at is None for pool in self.books.pools))
    def settle_again(self, data: Any) -> None:
        """A wrong protocol is corrected and the pool settled by the right one (D-14)."""
        pool = self._a_pool(data, lambda pool: pool.settled and pool.corrected_at is None)
        self.corrected(pool, data.draw(truths_of(pool.terms)))
        self.settle_pool(pool)

    @rule()
    @precondition(lambda self: any(pool.settled and not pool.held for pool in self.books.pools))
    def all_come_next_day(self) -> None:
        self.time_passes(timedelta(days=1))
        for pool, bet in self._cash_bets():
            if pool.settled:
                self.pay(pool, bet)

    @rule()
    @precondition(lambda self: any(pool.settled and not pool.held for pool in self.books.pools))
    def nobody_comes_for_months(self) -> None:
        self.time_passes(timedelta(days=100))
        self.sweep()

    @rule()
    def sweep(self) -> None:
        for name, work in SWEEPS.items():
            if name not in ("seal", "audit_books", "compare_clocks"):
                work(self.office.house)
        for pool in self.books.pools:
            pool.closed |= self.now >= pool.closes_at
            if pool.settled:
                self._settle(pool)
        self.books.expire(self.now)


@pytest.fixture
def machine(server: EmbeddedServer, migrated_template: str) -> Iterator[type[Life]]:
    """The machine, on databases of this run's server."""
    Life.server, Life.template, Life.taken = server, migrated_template, Counter()
    yield Life


def _lives(examples: int, steps: int) -> settings:
    return settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        # To make a failing life shorter takes minutes; each of its steps is printed as it is.
        phases=(Phase.generate,),
    )


@pytest.mark.long
@pytest.mark.prove
def test_many_lives(machine: type[Life]) -> None:
    run_state_machine_as_test(machine, settings=_lives(examples=sized(10, 100), steps=50))
    print(*(f"{times:5} {game}: {path}" for (game, path), times in sorted(machine.taken.items())), sep="\n")
    assert {(game, "settled again") for game in GAMES} <= {known for known, times in machine.taken.items() if times}
