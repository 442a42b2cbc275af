"""Who brings the money: cashiers at their desks and players from home, who hang up, repeat and ask twice at once."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from typing import Any

from tests.office import PASSWORD, identity
from tests.prove.kills.customers import REFUSALS, TOGETHER
from tests.prove.soak.person import LASTING, Person, Town
from tests.prove.soak.wire import LineBrokenError, Wire
from tests.prove.test_payout_races import PRESENTED

OF_A_BET = frozenset({"pool_closed", "pool_not_open", "sales_stopped", "insufficient_funds"})
OF_A_PAYOUT = REFUSALS | {"ticket_cancelled", "already_paid", "approval_lapsed"}
LONGEST = 20
"""Lines of a batch."""
BETWEEN_SHIFTS = 60.0


class Buyer(Person):
    """Whoever bets, at a desk or from home."""

    where = ""
    latest: int | None = None
    """The ticket this buyer was told of last."""

    def bet(self) -> None:
        """A bet; of twenty one line is hung up before its answer, one bet is asked for twice at once, two repeated."""
        pool = self.town.pool
        if pool is None:
            self.get(f"{self.where}: pools", "/pools?limit=20")
            return
        body, key, turn = self._wish(pool), self.key(), self.chance.random()
        sent = self.sent("POST", "/pool-bets", body, key)
        if turn < 0.05:
            self._hang_up(sent)
        other = self._twin(sent) if 0.05 <= turn < 0.1 else None
        answer = self.post(f"{self.where}: bet", "/pool-bets", body, OF_A_BET, key=key)
        if answer.status == 201:
            self.town.tell(answer.json())
            self.latest = answer.json()["number"]
        if other is not None:
            self._agree(other, answer.body)
        if turn >= 0.9:
            self.same(f"{self.where}: bet repeated", answer, "POST", "/pool-bets", body, key)
            self.get(f"{self.where}: key", f"/idempotency-keys/{key}")

    def batch(self) -> None:
        """A queue of bets at once, a key for each, at times on two pools in whatever order."""
        pool = self.town.pool
        if pool is None:
            return
        pools = (pool, LASTING) if self.chance.random() < 0.5 else (pool,)
        size = self.chance.randint(2, LONGEST)
        lines = [{"key": self.key(), **self._wish(self.chance.choice(pools))} for _ in range(size)]
        answer = self.ask(f"{self.where}: batch", "POST", "/pool-bet-batches", {"lines": lines})
        for line in answer.json()["lines"]:
            if line["ticket"]:
                self.town.tell(line["ticket"])
            elif line["problem"]["code"] not in OF_A_BET:
                self.town.tally.fail(f"{self.where}: batch: {line['problem']}")

    def look_at_a_ticket(self) -> None:
        """The own latest ticket, or any one sold just now: whose it is not is told nothing."""
        if self.latest is not None:
            anybodys = self.chance.random() < 0.2
            number = self.chance.choice(self.town.recent)["number"] if anybodys else self.latest
            self.get(f"{self.where}: ticket", f"/tickets/{number}", frozenset({"not_found", "ticket_not_found"}))

    def look_at_totals(self) -> None:
        """What is staked at this moment."""
        if self.town.pool is not None:
            self.get(f"{self.where}: totals", f"/pools/{self.town.pool}/totals")

    def _wish(self, pool: str) -> dict[str, Any]:
        stake = f"{self.chance.randint(1, 5)}.00"
        return {"pool": pool, "outcome": self.chance.choice(TOGETHER), "stake": stake}

    def _hang_up(self, sent: bytes) -> None:
        """Send all of it and be gone before the answer comes."""
        line = Wire(self.town.url)
        try:
            line.put(sent)
            time.sleep(self.chance.uniform(0, 0.01))
        except LineBrokenError as broken:
            self.town.tally.lose(line.used_at, "line broken", f"{self.where}: {broken}")
        line.hang_up()

    def _twin(self, sent: bytes) -> Wire | None:
        """The same bet on another line, whose answer is waited for later."""
        line = Wire(self.town.url)
        try:
            line.put(sent)
        except LineBrokenError as broken:
            self.town.tally.lose(line.used_at, "line broken", f"{self.where}: {broken}")
            return None
        return line

    def _agree(self, other: Wire, body: bytes) -> None:
        """What the other line is told is the same ticket, or the same refusal."""
        kind, began = f"{self.where}: bet at once with another", other.used_at
        try:
            answer = other.answer()
        except LineBrokenError as broken:
            self.town.tally.lose(began, "line broken", f"{kind}: {broken}")
            return
        self.town.tally.answered(kind, answer.status, answer.code, time.monotonic() - began)
        other.hang_up()
        if answer.status >= 500:
            self.town.tally.lose(began, f"{answer.status} {answer.code}", kind)
        elif answer.body != body:
            self.town.tally.fail(f"{kind}: one was told {body!r}, the other {answer.text}")


class Cashier(Buyer):
    """Sells, checks, pays, takes money in and pays it out; one alone at a desk also ends shifts."""

    where = "desk"

    def __init__(
        self, town: Town, name: str, token: str, chance: Random, players: Sequence[str], supervisor: str, desk: int = 0
    ) -> None:
        super().__init__(town, name, token, chance)
        self._players, self._supervisor, self._desk = players, supervisor, desk
        self._shift_began = time.monotonic()

    def acts(self) -> Sequence[tuple[float, Callable[[], object]]]:
        """More looking than selling, more selling than paying."""
        return (
            (60, self.bet),
            (1, self.batch),
            (8, self.look_at_a_ticket),
            (6, self.look_at_totals),
            (12, self.check_and_pay),
            (4, self.take_deposit),
            (3, self.pay_out_of_account),
            (2, partial(self.get, "desk: shifts", "/shifts?limit=5")),
            (2, partial(self.get, "desk: payouts", "/payouts?limit=20")),
            (1, self.end_shift),
        )

    def check_and_pay(self) -> None:
        """A winner is checked and paid; of ten one has a code that does not scan, which takes a second person."""
        try:
            code = self.town.winners.popleft()
        except IndexError:
            return self.look_at_totals()
        body = {"code": code, "code_entry": "scanned"}
        self.ask("desk: check", "POST", "/ticket-checks", body)
        told = {**PRESENTED, "code": code}
        if self.chance.random() < 0.1:
            told = {**told, "code_entry": "typed"}
            approval = self._approved("/payout-proposals", {**told, "reason": "QR-код не читается"})
            if approval is None:
                return None
            told["approval"] = approval
        self._note(self.post("desk: payout", "/payouts", told, OF_A_PAYOUT))
        return None

    def take_deposit(self) -> None:
        """Cash for a game account."""
        body = {"player": self.chance.choice(self._players), "amount": "3.00"}
        self.post("desk: deposit", "/deposits", body)

    def pay_out_of_account(self) -> None:
        """Cash from a game account, against a passport."""
        body = {**identity(self.chance.choice(self._players)), "amount": "1.00"}
        self._note(self.post("desk: account payout", "/account-payouts", body, REFUSALS | {"insufficient_funds"}))

    def end_shift(self) -> None:
        """Count the till, close the shift and open the next one on what lies there."""
        if not self._desk or time.monotonic() - self._shift_began < BETWEEN_SHIFTS:
            return
        self._shift_began = time.monotonic()
        (shift,) = self.get("desk: shifts", f"/shifts?desk_id={self._desk}&open=true").json()["items"]
        cash = {"counted": self.get("desk: cash", f"/desks/{self._desk}/cash").json()["cash"]}
        self.post("desk: shift closed", f"/shifts/{shift['id']}/closing", cash)
        self.post("desk: shift opened", "/shifts", cash)

    def _approved(self, path: str, body: dict[str, Any]) -> int | None:
        """What the supervisor approved, if it may be proposed at all."""
        proposed = self.post("desk: proposal", path, body, OF_A_PAYOUT)
        if proposed.status != 201:
            return None
        approval = int(proposed.json()["id"])
        decision = {"decision": "approved"}
        lapsed = frozenset({"approval_lapsed"})
        self.post("desk: approval", f"/approvals/{approval}/decision", decision, lapsed, token=self._supervisor)
        return approval

    def _note(self, answer: Any) -> None:
        if answer.status == 201:
            self.town.paid.append(answer.json()["number"])


class Player(Buyer):
    """Bets from a game account, reads it, has money sent to the bank, and now and then signs in anew."""

    where = "player"

    def acts(self) -> Sequence[tuple[float, Callable[[], object]]]:
        """More looking than betting."""
        return (
            (50, self.bet),
            (0.5, self.batch),
            (10, partial(self.get, "player: own page", "/players/me")),
            (6, partial(self.get, "player: statement", "/players/me/statement?limit=20")),
            (6, partial(self.get, "player: own bets", "/players/me/bets?limit=20&active=true")),
            (6, partial(self.get, "player: own tickets", "/tickets?limit=20")),
            (6, self.look_at_a_ticket),
            (10, self.look_at_totals),
            (4, partial(self.get, "player: pools", "/pools?limit=20")),
            (4, partial(self.get, "player: events", "/events?upcoming=true&limit=20")),
            (3, partial(self.get, "player: results", "/results?limit=20")),
            (0.5, self.ask_for_transfer),
            (0.2, self.sign_in),
        )

    def ask_for_transfer(self) -> None:
        """Money to the player's bank."""
        refusals = frozenset({"insufficient_funds"})
        self.post("player: withdrawal", "/players/me/withdrawals", {"amount": "1.00"}, refusals)

    def sign_in(self) -> None:
        """A new session; what was begun under the old one keeps its keys."""
        body = {"login": self.name, "password": PASSWORD}
        answer = self.ask("player: sign-in", "POST", "/player-sessions", body)
        if answer.status == 201:
            old, self.token = self.token, str(answer.json()["token"])
            self.ask("player: sign-out", "DELETE", "/sessions/current", token=old)
