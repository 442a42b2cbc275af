"""The house of a life and what must hold of it after every step: the audit is clean, its books agree."""

from __future__ import annotations

import inspect
import itertools
from collections import Counter
from datetime import datetime
from typing import Any, ClassVar

from hypothesis import currently_in_test_context, event
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant
from sqlalchemy import text

from db.embedded import EmbeddedServer
from db.session import transaction
from tests.databases import copy_database, drop_database
from tests.office import MATCH_DAY, Office
from tests.tote.life.books import Bet, Books, PoolBook

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


class AtHome(RuleBasedStateMachine):
    """The house and its books; one database an example. ``taken`` counts the paths pools took, by their game."""

    server: EmbeddedServer
    template: str
    taken: ClassVar[Counter[tuple[str, str]]]

    def __init__(self) -> None:
        super().__init__()
        self.urls = copy_database(self.server, self.template)
        self.office = Office(self.urls)
        self.now = datetime.fromisoformat(MATCH_DAY)
        # 10000.00 of the organizer's own, 500.00 of it on the special account and 5100.00 in the till.
        self.cashier = self.office.cashier
        self.office.move("own_money_in", "9000.00")
        self.office.move("desk_float", "5000.00", desk_id=self.office.desk["id"])
        self.lines = itertools.count(1)
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
        for pool in self.books.pools:
            self.taken.update({(pool.terms["game"], path): times for path, times in pool.paths.items()})
        assert breaches == set()

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

    def _cash_bets(self) -> list[tuple[PoolBook, Bet]]:
        return [(pool, bet) for pool in self.books.pools for bet in pool.bets if bet.player is None]

    def _expect(self, answer: Any, status: int, hindered: str | bool | None) -> None:
        """The answer is this status, or the foretold refusal."""
        if currently_in_test_context():
            event(hindered or inspect.stack()[1].function)
        if not hindered:
            assert answer.status_code == status, answer.json
        else:
            assert answer.json.get("code") == hindered, (answer.status_code, answer.json)
