"""How money comes to people and back: payouts, game accounts, bets that are cancelled."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from tests.tote.life.books import Bet, PoolBook
from tests.tote.life.deciding import Deciding
from tests.tote.life.games import STAKES
from tests.tote.life.home import money


class Paying(Deciding):
    """People who come for what is theirs."""

    @rule(data=st.data())
    @precondition(lambda self: any(pool.bets for pool in self.books.pools))
    def cancel(self, data: Any) -> None:
        pool = self._a_pool(data, lambda pool: pool.bets)
        self.cancel_bet(pool, data.draw(st.sampled_from(pool.bets)))

    @rule(data=st.data())
    @precondition(lambda self: any(pool.bets and not pool.settled for pool in self.books.pools))
    def cancel_all(self, data: Any) -> None:
        """Every bet of a pool, so that nobody is left (D-18)."""
        pool = self._a_pool(data, lambda pool: pool.bets and not pool.settled)
        for bet in pool.bets:
            self.cancel_bet(pool, bet)

    def cancel_bet(self, pool: PoolBook, bet: Bet) -> None:
        answer = self._ask_to_cancel(bet)
        hindered = (
            "payout_held" if pool.corrected_at is None and pool.settled_anew and pool.held
            else "settlement_under_way" if pool.settled_anew
            else "already_cancelled" if bet.cancelled
            else None
        )  # fmt: skip
        self._expect(answer, 201, hindered)
        if hindered is None:
            self.books.cancel(pool, bet, self.now)

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
            assert answer.json["amount"] == money(self.books.pay(pool, bet, self.now))

    @rule(login=st.sampled_from(("ivan", "anna")))
    def withdraw_all(self, login: str) -> None:
        """Whoever has taken all money out can have nothing taken back (D-14)."""
        if self.books.balances[login]:
            self.deposit_or_withdraw(login, self.books.balances[login], out=True)

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

    def _ask_to_cancel(self, bet: Bet) -> Any:
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
