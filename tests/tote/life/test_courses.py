"""Every path of a pool's life, taken by each game on purpose: what chance takes seldom is not left to it.

The machine's own steps, in an order of their own; after each the audit is clean and the books agree (`home.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest

from db.embedded import EmbeddedServer
from tests.tote.life.books import PoolBook
from tests.tote.life.games import (
    BY_POSITIONS,
    EVERY_GAME,
    GAMES,
    LEVELS,
    POSITIONS,
    VARIANTS,
    Terms,
    Truth,
    Wager,
    announced,
    by_marks,
    by_outcome,
    by_rows,
)
from tests.tote.life.test_life import Life

SHAPE = ("12", "1X2", "12")
PROMISING = ("minimum_coefficient", "minimum_win")
Step = Callable[..., Any]


class Course:
    """One house, and the same story with the bets of one game: `right` wins by `true`, `wrong` by `other`."""

    def __init__(self, game: str) -> None:
        self.life = Life()
        known = [terms for terms in (*VARIANTS, *POSITIONS) if terms["game"] == game]
        self.by_positions = known[0] in POSITIONS
        self.plain, self.promising = known[1], next(one for one in reversed(known) if set(PROMISING) & set(one))
        places = len(SHAPE) if self.by_positions else 1
        self.true, self.other = ("1",) * places, ("2",) * places
        self.right, self.wrong = self._on(self.true), self._on(self.other)

    def _on(self, codes: tuple[str, ...]) -> Wager:
        return by_marks([(code,) for code in codes]) if self.by_positions else by_outcome(codes[0])

    def do(self, step: Step, *told: Any) -> Any:
        """A step, and what must hold after it."""
        found = step(*told)
        self.life.the_audit_is_clean()
        self.life.every_account_holds_what_it_should()
        self.life.every_bettor_has_got_what_is_theirs()
        return found

    def announce(self, terms: Terms, not_held: str | None = None) -> PoolBook:
        """A pool of the game that sells for an hour."""
        told = announced(terms, LEVELS[1], SHAPE, not_held) if self.by_positions else terms
        pool: PoolBook = self.do(self.life.announce, told, 1)
        return pool

    def sell(self, pool: PoolBook, wager: Wager, bettor: str | None = None) -> None:
        """A ticket, at the price or at 3.33 a row."""
        self.do(self.life.sell, pool, wager, (pool.price or 333) * len(wager.rows), bettor)

    def end(self, pool: PoolBook, true: Truth) -> None:
        """To the end of sales, the result and the money."""
        if self.life.now < pool.closes_at:
            self.do(self.life.time_passes, pool.closes_at - self.life.now)
        if not pool.closed:
            self.do(self.life.close_pool, pool)
        self.do(self.life.fix, pool, true)
        self.do(self.life.settle_pool, pool)

    def settle_again(self, pool: PoolBook, true: Truth) -> None:
        """The protocol was wrong."""
        self.do(self.life.corrected, pool, true)
        self.do(self.life.settle_pool, pool)


@pytest.fixture
def course(server: EmbeddedServer, migrated_template: str, request: pytest.FixtureRequest) -> Iterator[Course]:
    Life.server, Life.template, Life.taken = server, migrated_template, Counter()
    course = Course(request.param)
    yield course
    course.life.teardown()


@pytest.mark.parametrize("course", GAMES, indirect=True)
def test_every_path_is_taken_by_every_game(course: Course) -> None:
    pools = [_a_long_story(course), _nobody_loses(course), _nobody_is_left(course)]
    if course.by_positions:
        pools.append(_a_level_is_empty(course))
    taken = {path for pool in pools for path, times in pool.paths.items() if times}
    assert {*EVERY_GAME, *(BY_POSITIONS if course.by_positions else ())} - taken == set()


def _a_long_story(course: Course) -> PoolBook:
    life, pool = course.life, course.announce(course.promising, "drop")
    for bettor in (None, None, "ivan", "anna"):
        course.sell(pool, course.right, bettor)
    if course.by_positions:
        course.sell(pool, by_marks([("1", "2"), ("1", "X"), ("1",)]))
        course.sell(pool, by_rows([course.true, course.other, course.other], ""))
    stake = pool.price or 333
    course.do(life.sell_together, pool, [(course.wrong, stake)] * 4)
    first, *_, third, second, last = pool.bets
    course.do(life.cancel_bet, pool, last)
    course.do(life.time_passes, timedelta(hours=1))
    course.do(life.close_pool, pool)
    course.do(life.cancel_bet, pool, second)
    course.do(life.fix, pool, course.true)
    course.do(life.claim, pool)
    course.do(life.settle_pool, pool)
    course.do(life.decide_claim, pool, False)
    course.do(life.settle_pool, pool)
    course.do(life.turn_hold, pool)
    course.do(life.time_passes, timedelta(days=1))
    course.do(life.pay, pool, first)
    course.do(life.turn_hold, pool)
    course.do(life.time_passes, timedelta(days=1))
    course.do(life.pay, pool, first)
    course.do(life.withdraw_all, "ivan")
    # The wrong ones won after all: paid is paid, of a game account comes back what is there (D-14).
    course.settle_again(pool, course.other)
    course.do(life.cancel_bet, pool, third)
    course.do(life.claim, pool)
    course.do(life.decide_claim, pool, True)
    course.settle_again(pool, ())
    if course.by_positions:
        course.settle_again(pool, ("1", None, "1"))
    course.settle_again(pool, course.true)
    course.do(life.nobody_comes_for_months)
    course.settle_again(pool, course.other)
    return pool


def _nobody_loses(course: Course) -> PoolBook:
    """A fund nobody won, then a minus pool, paid to one and lapsed for the other; at last all of it goes back."""
    life, pool = course.life, course.announce(course.plain)
    for bettor in (None, None, "anna"):
        course.sell(pool, course.right, bettor)
    course.end(pool, course.other)
    course.settle_again(pool, course.true)
    course.do(life.time_passes, timedelta(days=1))
    course.do(life.pay, pool, pool.bets[0])
    course.do(life.nobody_comes_for_months)
    course.do(life.pay, pool, pool.bets[1])
    course.do(life.cancel_bet, pool, pool.bets[0])
    course.settle_again(pool, ("1", None, "1") if course.by_positions else ())
    return pool


def _nobody_is_left(course: Course) -> PoolBook:
    pool = course.announce(course.plain)
    course.sell(pool, course.right)
    course.do(course.life.cancel_bet, pool, pool.bets[0])
    course.end(pool, course.true)
    return pool


def _a_level_is_empty(course: Course) -> PoolBook:
    """Two of three match, and nobody has all of them (D-7, T-Rules 11.4)."""
    pool = course.announce(course.plain)
    for wager in (course.right, course.wrong):
        course.sell(pool, wager)
    course.end(pool, ("1", "1", "2"))
    return pool
