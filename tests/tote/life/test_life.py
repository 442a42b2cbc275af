"""Whatever happens to pools, bets and money in whatever order: after every step the audit is clean and the books agree.

A machine announces, sells, stops, closes, fixes, corrects, settles, pays, holds, cancels and lets time pass, through
the API of a house on a database of its own. Beside it go books that reckon bet by bet by another way (`books.py`):
every refusal is foretold by them, every account and every ticket's money is held against them.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, event, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test
from sqlalchemy import text

from api.tasks import SWEEPS
from db.embedded import EmbeddedServer
from db.session import transaction
from tests.databases import copy_database, drop_database
from tests.office import EVENT, MATCH_DAY, POOL, Office
from tests.prove.served import sized
from tests.tote.life.books import Bet, Books, PoolBook, local, midnight

OUTCOMES = ("1", "X", "2")
TRUE = st.sets(st.sampled_from(OUTCOMES), max_size=3).map(frozenset)
STAKES = st.sampled_from((100, 101, 333, 1_000, 1_999, 5_000))
BETTORS = st.sampled_from((None, None, "ivan", "anna"))
ASKED = st.lists(st.tuples(st.sampled_from(OUTCOMES), STAKES, BETTORS), min_size=1, max_size=6)
PAUSES = st.sampled_from(
    (timedelta(minutes=30), timedelta(hours=3), timedelta(days=1), timedelta(days=8), timedelta(days=100))
)
DOCUMENT = {"kind": "протокол", "number": "1", "issued_on": "2022-11-22", "issued_by": "Федерация"}
BALANCES = text("""
    SELECT account.kind, coalesce(sum(CASE WHEN account.id = moved.debit_account_id THEN moved.amount
        ELSE -moved.amount END), 0)
    FROM accounts AS account
    JOIN transfers AS moved ON account.id IN (moved.debit_account_id, moved.credit_account_id)
    GROUP BY account.kind
""")
GOT = text("""
    SELECT ticket_id, sum(CASE WHEN kind IN ('payout', 'win_credited') THEN amount ELSE -amount END)
    FROM transfers WHERE kind IN ('payout', 'win_credited', 'win_taken_back') GROUP BY ticket_id
""")
HELD_BY_PLAYERS = text("SELECT login, balance FROM balances JOIN players USING (account_id)")


def money(units: int) -> str:
    """An amount as the API takes and shows it."""
    return f"{units // 100}.{units % 100:02}"


class Life(RuleBasedStateMachine):
    """The house and its books; one database an example."""

    server: EmbeddedServer
    template: str

    def __init__(self) -> None:
        super().__init__()
        self.urls = copy_database(self.server, self.template)
        self.office = Office(self.urls)
        self.now = datetime.fromisoformat(MATCH_DAY)
        # 10000.00 of the organizer's own, 500.00 of it on the special account and 5100.00 in the till.
        self.cashier = self.office.cashier
        self.office.move("own_money_in", "9000.00")
        self.office.move("desk_float", "5000.00", desk_id=self.office.desk["id"])
        self.books = Books(own=1_000_000, special=50_000, float_=510_000)
        self.players = {}
        for login in ("ivan", "anna"):
            self.players[login] = self.office.player(login, "60.00")
            self.books.balances[login] += 6_000
            self.books.cash += 6_000

    def teardown(self) -> None:
        breaches = self.office.contract.breaches
        self.office.close()
        drop_database(self.urls)
        assert breaches == set()

    @rule(minimum=st.sampled_from(("1.0", "1.3", None)), hours=st.integers(1, 3), asked=ASKED)
    @precondition(lambda self: len(self.books.pools) < 3)
    def announce_and_sell(self, minimum: str | None, hours: int, asked: list[tuple[str, int, str | None]]) -> None:
        code, closes = f"P{len(self.books.pools)}", self.now + timedelta(hours=hours)
        event = {**EVENT, "code": f"E-{code}", "starts_at": closes.isoformat()}
        event_id = self.office.organizer.post("/events", event).json["id"]
        terms = {"event_id": event_id, "opens_at": self.now.isoformat(), "closes_at": closes.isoformat()}
        if minimum is not None:
            terms["minimum_coefficient"] = minimum
        answer = self.office.organizer.post("/pools", {**POOL, "code": code, **terms})
        assert answer.status_code == 201, answer.json
        # No minimum is a minimum nothing is raised to.
        pool = PoolBook(code, event_id, self.now, closes, Decimal(minimum or 0))
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
        """Place a bet, or be refused it for what the books foretell."""
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

    @rule(data=st.data(), true=TRUE)
    @precondition(lambda self: any(pool.protocol is None and self.now >= pool.closes_at for pool in self.books.pools))
    def fix_result(self, data: Any, true: frozenset[str]) -> None:
        pool = self._a_pool(data, lambda pool: pool.protocol is None and self.now >= pool.closes_at)
        self._fix(pool, true)

    @rule(data=st.data())
    @precondition(lambda self: self.books.pools)
    def settle(self, data: Any) -> None:
        self.settle_pool(self._a_pool(data, lambda pool: True))

    def settle_pool(self, pool: PoolBook) -> None:
        """Settle a pool by its last protocol, or be refused for what is missing; a second time changes nothing."""
        answer = self.office.organizer.post(f"/pools/{pool.code}/settlement")
        hindered = "pool_not_closed" if not pool.closed else "result_not_confirmed" if pool.protocol is None else None
        self._expect(answer, 201, hindered)
        if hindered is None:
            self._settle(pool)

    @rule(data=st.data(), true=TRUE)
    @precondition(lambda self: any(pool.protocol is not None for pool in self.books.pools))
    def correct(self, data: Any, true: frozenset[str]) -> None:
        pool = self._a_pool(data, lambda pool: pool.protocol is not None)
        said = {"corrects": pool.protocol, "reason": "clerical_error"}
        if pool.corrected_at is not None:
            answer = self.office.organizer.post(f"/events/{pool.event_id}/results", {**self._result(true), **said})
            self._expect(answer, 201, "settlement_under_way")
            return
        self._fix(pool, true, **said)
        if pool.settled:
            pool.corrected_at = self.now

    @rule(data=st.data())
    @precondition(lambda self: any(pool.bets for pool in self.books.pools))
    def cancel(self, data: Any) -> None:
        pool = self._a_pool(data, lambda pool: pool.bets)
        bet = data.draw(st.sampled_from(pool.bets))
        answer = self._cancel(bet)
        hindered = (
            "payout_held" if pool.corrected_at is None and pool.settled_anew and pool.held
            else "settlement_under_way" if pool.settled_anew
            else "already_cancelled" if bet.cancelled
            else None
        )  # fmt: skip
        self._expect(answer, 201, hindered)
        if hindered is None:
            self.books.cancel(pool, bet, self.now)

    @rule(data=st.data(), true=TRUE)
    @precondition(lambda self: any(not pool.settled and pool.bets for pool in self.books.pools))
    def play_out(self, data: Any, true: frozenset[str]) -> None:
        """The ordinary course, which chance alone seldom takes: to the end of sales, the result, the money."""
        pool = self._a_pool(data, lambda pool: not pool.settled and pool.bets)
        if self.now < pool.closes_at:
            self.time_passes(pool.closes_at - self.now)
        if not pool.closed:
            self.close_pool(pool)
        if pool.protocol is None:
            self._fix(pool, true)
        self.settle_pool(pool)

    @rule()
    @precondition(lambda self: any(pool.settled and not pool.held for pool in self.books.pools))
    def all_come_next_day(self) -> None:
        self.time_passes(timedelta(days=1))
        for pool, bet in self._cash_bets():
            if pool.settled:
                self.pay(pool, bet)

    @rule(data=st.data())
    @precondition(lambda self: any(self._cash_bets()))
    def pay_some(self, data: Any) -> None:
        bets = self._cash_bets()
        for place in data.draw(st.lists(st.integers(0, len(bets) - 1), max_size=4)):
            self.pay(*bets[place])

    def pay(self, pool: PoolBook, bet: Bet) -> None:
        """Present a ticket at the desk: it pays what the books say is left, or refuses for what they foretell."""
        answer = self.office.pay(bet.code)
        self._expect(answer, 201, self._hindered(pool, bet))
        if answer.status_code == 201:
            assert answer.json["amount"] == money(self.books.pay(bet, self.now))

    @rule(data=st.data())
    @precondition(lambda self: self.books.pools)
    def hold_or_release(self, data: Any) -> None:
        pool = self._a_pool(data, lambda pool: True)
        if "decision" not in pool.holds:
            answer = self.office.supervisor.post(f"/pools/{pool.code}/payout-holds", {"reason": "проба"})
            assert answer.status_code == 201, answer.json
            pool.holds["decision"] = answer.json["id"], self.now
        else:
            path = f"/payout-holds/{pool.holds['decision'][0]}/release"
            answer = self.office.supervisor.post(path, {"reason": "проба"})
            assert answer.status_code in (200, 201), answer.json
            self.books.release(pool, "decision", self.now)

    @rule(data=st.data(), upheld=st.booleans())
    @precondition(lambda self: self.books.pools)
    def claim_or_decide(self, data: Any, upheld: bool) -> None:
        """A claim against a pool's result, or another login's decision on the one there is (T-Rules 33, D-23)."""
        pool = self._a_pool(data, lambda pool: not pool.upheld)
        if pool is not None and "claim" in pool.holds:
            self._decide_claim(pool, upheld)
        elif pool is not None:
            told = {"pool": pool.code, "statement": "проба", "documents": [DOCUMENT]}
            answer = self.office.supervisor.post("/claims", told)
            late = self.now >= midnight(local(pool.closes_at) + timedelta(days=11))
            self._expect(answer, 201, "result_not_confirmed" if pool.fixed_at is None else late and "claim_too_late")
            if answer.status_code == 201:
                pool.holds["claim"], pool.claimed_protocol = (answer.json["id"], self.now), pool.protocol

    @rule(login=st.sampled_from(("ivan", "anna")), amount=STAKES, out=st.booleans())
    def deposit_or_withdraw(self, login: str, amount: int, out: bool) -> None:
        if out:
            short = self.books.balances[login] < amount
            self._expect(self.office.withdraw(login, money(amount)), 201, short and "insufficient_funds")
            moved = 0 if short else -amount
        else:
            answer = self.cashier.post("/deposits", {"player": login, "amount": money(amount)})
            assert answer.status_code == 201, answer.json
            moved = amount
        self.books.balances[login] += moved
        self.books.cash += moved

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

    @invariant()
    def the_audit_is_clean(self) -> None:
        assert self.office.wrongs() == []

    @invariant()
    def every_account_holds_what_it_should(self) -> None:
        with transaction(self.office.owner) as session:
            found = {kind: int(units) for kind, units in session.execute(BALANCES) if units}
            players = {login: int(units) for login, units in session.execute(HELD_BY_PLAYERS)}
        expected = {kind: units for kind, units in self.books.accounts().items() if units}
        assert found == expected
        assert players == dict(self.books.balances)

    @invariant()
    def every_bettor_has_got_what_is_theirs(self) -> None:
        with transaction(self.office.owner) as session:
            found = {number: int(units) for number, units in session.execute(GOT) if units}
        bets = [bet for pool in self.books.pools for bet in pool.bets]
        assert found == {bet.number: bet.had for bet in bets if bet.had}

    def _a_pool(self, data: Any, which: Any) -> Any:
        found = [pool for pool in self.books.pools if which(pool)]
        return data.draw(st.sampled_from(found)) if found else None

    def _decide_claim(self, pool: PoolBook, upheld: bool) -> None:
        told = {"decision": "upheld" if upheld else "rejected", "explanation": "проба"}
        answer = self.office.organizer.post(f"/claims/{pool.holds['claim'][0]}/decision", told)
        self._expect(answer, 201, None)
        if upheld:
            pool.upheld = True
            self.books.end_upheld_claim(pool, self.now)
        else:
            self.books.release(pool, "claim", self.now)

    def _cash_bets(self) -> list[tuple[PoolBook, Bet]]:
        return [(pool, bet) for pool in self.books.pools for bet in pool.bets if bet.player is None]

    def _fix(self, pool: PoolBook, true: frozenset[str], **correction: Any) -> None:
        path = f"/events/{pool.event_id}"
        entered = self.office.organizer.post(path + "/results", {**self._result(true), **correction})
        assert entered.status_code == 201, entered.json
        protocol = {"result_id": entered.json["id"], "signatories": ["Первый член", "Второй член"]}
        answer = self.office.second_organizer.post(path + "/protocols", protocol)
        assert answer.status_code == 201, answer.json
        # An event that was not held ends the sales of its pools with its protocol (T-Rules 32).
        pool.closed |= not true
        pool.protocol, pool.true, pool.fixed_at = answer.json["number"], true, pool.fixed_at or self.now

    def _result(self, true: frozenset[str]) -> dict[str, Any]:
        if true:
            return {"outcomes": sorted(true), "source": "протокол матча"}
        return {"standing": "interrupted", "outcomes": [], "source": "протокол матча"}

    def _settle(self, pool: PoolBook) -> None:
        """What a settlement does that anybody drives: decide if it must be, credit if it may."""
        if not pool.settled or pool.corrected_at is not None:
            assert pool.true is not None
            self.books.settle(pool, pool.true, pool.corrected_at or self.now)
            self.books.end_upheld_claim(pool, self.now)
        if not pool.held:
            self.books.credit(pool)

    def _cancel(self, bet: Bet) -> Any:
        """Cancel a bet; where money was paid for it, by two organizers."""
        path, why = f"/tickets/{bet.number}/cancellation", {"reason": "other_breach", "explanation": "проба"}
        if bet.had and not bet.cancelled:
            proposed = self.office.organizer.post(f"{path}-proposals", why)
            if proposed.status_code == 201:
                word = {"decision": "approved"}
                decided = self.office.second_organizer.post(f"/approvals/{proposed.json['id']}/decision", word)
                assert decided.status_code == 201, decided.json
                why["approval"] = proposed.json["id"]
        return self.office.organizer.post(path, why)

    def _hindered(self, pool: PoolBook, bet: Bet) -> str | None:
        """Why a desk should refuse to pay a ticket now, in the order it looks."""
        if not pool.settled and bet.cancelled is None:
            return "not_settled"
        if bet.cancelled is None and pool.held:
            return "payout_held"
        if bet.cancelled is None and pool.corrected_at is not None:
            return "settlement_under_way"
        if bet.due == 0:
            return "ticket_lost"
        if max(bet.due - bet.had, 0) == 0 or (bet.lapsed and bet.left == 0 and bet.stake_back):
            return "already_paid"
        assert bet.payable_from is not None
        if self.now < bet.payable_from:
            return "not_payable_yet"
        over = bet.payable_until is not None and self.now >= bet.payable_until
        return "payment_term_over" if over and bet.stake_back <= bet.had else None

    def _expect(self, answer: Any, status: int, hindered: str | bool | None) -> None:
        """The answer is this status, or the foretold refusal."""
        event(hindered or inspect.stack()[1].function)
        if not hindered:
            assert answer.status_code == status, answer.json
        else:
            assert answer.json.get("code") == hindered, (answer.status_code, answer.json)


@pytest.fixture
def machine(server: EmbeddedServer, migrated_template: str) -> Iterator[type[Life]]:
    """The machine, on databases of this run's server."""
    Life.server, Life.template = server, migrated_template
    yield Life


def _lives(examples: int, steps: int, *, derandomize: bool = False) -> settings:
    return settings(
        derandomize=derandomize,
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        # To make a failing life shorter takes minutes; each of its steps is printed as it is.
        phases=(Phase.generate,),
    )


def test_a_pools_life(machine: type[Life]) -> None:
    run_state_machine_as_test(machine, settings=_lives(examples=4, steps=30, derandomize=True))


@pytest.mark.long
@pytest.mark.prove
def test_many_lives(machine: type[Life]) -> None:
    run_state_machine_as_test(machine, settings=_lives(examples=sized(10, 100), steps=50))
