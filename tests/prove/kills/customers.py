"""Cashiers and players who bet, pay in, are paid and go on, whatever is killed meanwhile."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable
from random import Random
from threading import Event, Thread
from types import TracebackType
from typing import Any, Self

from tests.office import identity
from tests.prove.insisting import Act, Acts
from tests.prove.kills.ground import Ground
from tests.prove.test_payout_races import PRESENTED
from tests.prove.workers import Line

PLAYERS = 3
TOGETHER = ("1", "2")
REFUSALS = frozenset({"pool_closed", "pool_not_open", "payment_term_over", "not_payable_yet", "not_enough_money"})
"""What somebody may be told whom a closing, the end of a term, or an empty till came before."""
BUSINESS_STATUS = 409


class Customers:
    """Whoever comes to the desks and from home: each in a thread of its own, with chances of its own.

    ``pool`` is what is sold at the moment, ``winners`` are codes that lie at hand to be fetched.
    """

    def __init__(self, ground: Ground, acts: Acts, chance: Random, run: str) -> None:
        self.acts = acts
        self.pool: str | None = None
        self.winners: deque[str] = deque()
        self.sold: deque[dict[str, Any]] = deque()
        """The tickets that the day under way has sold."""
        self._ground, self._run = ground, run
        self._numbers = itertools.count(1)
        self._going_home = Event()
        self._failures: list[BaseException] = []
        served = ground.served
        self._logins = [f"{run}-{number}" for number in range(PLAYERS)]
        players = [served.line(served.office.player(login, "2000.00")) for login in self._logins]
        desks = [served.cashier, served.another_terminal(), served.another_desk()]
        tasks = [(self._at_home, line) for line in players] + [(self._at_a_desk, line) for line in desks]
        self._threads = [
            Thread(target=self._come_again, args=(task, line, Random(chance.random())), daemon=True)
            for task, line in tasks
        ]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._going_home.set()
        if error is not None:
            self.acts.given_up.set()
        for thread in self._threads:
            thread.join()
        if error is None:
            self.complain()

    def complain(self) -> None:
        """Raise what ended one of them."""
        if self.failed:
            raise self._failures[0]

    @property
    def failed(self) -> bool:
        """Whether one of them has ended early."""
        return bool(self._failures)

    def _come_again(self, task: Callable[[Line, Random], None], line: Line, chance: Random) -> None:
        try:
            while not self._going_home.wait(chance.uniform(0, 0.04)):
                task(line, chance)
        except BaseException as failure:
            self._failures.append(failure)

    def _at_home(self, line: Line, chance: Random) -> None:
        self._bet(line, chance)

    def _at_a_desk(self, line: Line, chance: Random) -> None:
        turn = chance.random()
        if turn < 0.3 and self.winners:
            self._do(line, "/payouts", {**PRESENTED, "code": self.winners.popleft()})
        elif turn < 0.4:
            self._do(line, "/deposits", {"player": chance.choice(self._logins), "amount": "3.00"})
        elif turn < 0.5:
            self._do(line, "/account-payouts", {**identity(chance.choice(self._logins)), "amount": "1.00"})
        else:
            self._bet(line, chance)

    def _bet(self, line: Line, chance: Random) -> None:
        pool = self.pool
        if pool is None:
            return
        stake = f"{chance.randint(1, 5)}.00"
        act = self._do(line, "/pool-bets", {"pool": pool, "outcome": chance.choice(TOGETHER), "stake": stake})
        if act.done:
            self.sold.append(act.answer.json())

    def _do(self, line: Line, path: str, body: dict[str, Any]) -> Act:
        act = self.acts.insist(line, path, body, f"kills-{self._run}-{next(self._numbers):06}")
        if not act.done:
            assert act.answer.status_code == BUSINESS_STATUS, act.answer.text
            assert act.answer.json()["code"] in REFUSALS, act.answer.text
        return act
