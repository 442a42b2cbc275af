"""How a pool is decided: its result, its settlement, corrections of both, holds and claims against them."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from tests.tote.life.books import PoolBook, local, midnight
from tests.tote.life.games import Truth, truths_of
from tests.tote.life.selling import Selling

DOCUMENT = {"kind": "протокол", "number": "1", "issued_on": "2022-11-22", "issued_by": "Федерация"}


class Deciding(Selling):
    """Pools that come to a decision, and to another one."""

    @rule(data=st.data())
    @precondition(lambda self: any(pool.protocol is None and self.now >= pool.closes_at for pool in self.books.pools))
    def fix_result(self, data: Any) -> None:
        pool = self._a_pool(data, lambda pool: pool.protocol is None and self.now >= pool.closes_at)
        self.fix(pool, data.draw(truths_of(pool.terms)))

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

    @rule(data=st.data())
    @precondition(lambda self: any(pool.protocol is not None for pool in self.books.pools))
    def correct(self, data: Any) -> None:
        pool = self._a_pool(data, lambda pool: pool.protocol is not None)
        self.corrected(pool, data.draw(truths_of(pool.terms)))

    def corrected(self, pool: PoolBook, true: Truth) -> None:
        said = {"corrects": pool.protocol, "reason": "clerical_error"}
        if pool.corrected_at is not None:
            told = {**self._result(pool, true), **said}
            answer = self.office.organizer.post(f"/events/{pool.event_id}/results", told)
            self._expect(answer, 201, "settlement_under_way")
            return
        self.fix(pool, true, **said)
        if pool.settled:
            pool.corrected_at = self.now

    @rule(data=st.data())
    @precondition(lambda self: self.books.pools)
    def hold_or_release(self, data: Any) -> None:
        self.turn_hold(self._a_pool(data, lambda pool: True))

    def turn_hold(self, pool: PoolBook) -> None:
        """Hold a pool's payouts, or release them."""
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
        # Of pools without a result, and of old ones, there is no claim; chance would seldom find one that has.
        fresh = self._a_pool(data, lambda pool: not pool.upheld and pool.fixed_at and self.now < self._claims_end(pool))
        pool = fresh or self._a_pool(data, lambda pool: not pool.upheld)
        if pool is not None and "claim" in pool.holds:
            self.decide_claim(pool, upheld)
        elif pool is not None:
            self.claim(pool)

    def claim(self, pool: PoolBook) -> None:
        told = {"pool": pool.code, "statement": "проба", "documents": [DOCUMENT]}
        answer = self.office.supervisor.post("/claims", told)
        late = self.now >= self._claims_end(pool) and "claim_too_late"
        self._expect(answer, 201, "result_not_confirmed" if pool.fixed_at is None else late)
        if answer.status_code == 201:
            pool.holds["claim"], pool.claimed_protocol = (answer.json["id"], self.now), pool.protocol

    def _claims_end(self, pool: PoolBook) -> datetime:
        return midnight(local(pool.closes_at) + timedelta(days=11))

    def decide_claim(self, pool: PoolBook, upheld: bool) -> None:
        told = {"decision": "upheld" if upheld else "rejected", "explanation": "проба"}
        answer = self.office.organizer.post(f"/claims/{pool.holds['claim'][0]}/decision", told)
        self._expect(answer, 201, None)
        pool.paths[f"claim {told['decision']}"] += 1
        if upheld:
            pool.upheld = True
            self.books.end_upheld_claim(pool, self.now)
        else:
            self.books.release(pool, "claim", self.now)

    def fix(self, pool: PoolBook, true: Truth, **correction: Any) -> None:
        path = f"/events/{pool.event_id}"
        entered = self.office.organizer.post(path + "/results", {**self._result(pool, true), **correction})
        assert entered.status_code == 201, entered.json
        protocol = {"result_id": entered.json["id"], "signatories": ["Первый член", "Второй член"]}
        answer = self.office.second_organizer.post(path + "/protocols", protocol)
        assert answer.status_code == 201, answer.json
        # An event that was not held ends the sales of its pools with its protocol (T-Rules 32).
        pool.closed |= not true
        pool.protocol, pool.true, pool.fixed_at = answer.json["number"], true, pool.fixed_at or self.now

    def _result(self, pool: PoolBook, true: Truth) -> dict[str, Any]:
        told: dict[str, Any] = {"source": "протокол матча"}
        if not true:
            return {**told, "standing": "interrupted"}
        if not pool.by_positions:
            return {**told, "outcomes": list(true)}
        return {**told, "positions": {f"M{number}": code for number, code in enumerate(true, 1)}}

    def _settle(self, pool: PoolBook) -> None:
        """What a settlement does that anybody drives: decide if it must be, credit if it may."""
        if not pool.settled or pool.corrected_at is not None:
            assert pool.true is not None
            self.books.settle(pool, pool.true, pool.corrected_at or self.now)
            self.books.end_upheld_claim(pool, self.now)
        if not pool.held:
            self.books.credit(pool)
