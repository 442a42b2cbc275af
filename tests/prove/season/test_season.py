"""A season of pools of positions: at every step each kopeck is explained, and each round's sheets stay as they were.

38 rounds of ten matches of a real calendar (`calendar.py`) are played through the API, one pool each, both games of
positions in turn (`kinds.py`). Thousands of tickets are single rows, covers up to all 59,049 and uploads
(`punters.py`). Books beside the house reckon every row by other ways (`covers.py`, `books.py`).
"""

from __future__ import annotations

import os
from datetime import timedelta
from itertools import cycle
from random import Random
from time import monotonic
from typing import Any

import pytest

from db.session import transaction
from reports.registers.register import REPORTS
from tests.office import Office
from tests.prove.season import ledger
from tests.prove.season.books import RoundBook
from tests.prove.season.calendar import rounds
from tests.prove.season.kinds import KINDS
from tests.prove.season.playing import Season
from tests.prove.served import FULL, sized
from tests.reports.registers.reading import exported, shown
from tests.significant.hooked import seal_all
from tests.tote.by_hand import kopecks, ratio
from tests.tote.life.home import BALANCES, GOT, HELD_BY_PLAYERS, money

pytestmark = pytest.mark.prove
ROUNDS = sized(10, 38)
TICKETS = sized(16, 240)
KEPT = tuple(REPORTS) if FULL else ("pool-sheets", "liability", "ticket-register", "daily-movement")
MAY_BE_EMPTY = ("liability", "expired-tickets", "returned-tickets", "intake")
MONEY = ("wins", "to_jackpot", "from_organizer")
SHEET = ("stakes", "withdrawal", "withdrawal_returned", "fund", "winning_bets", "winning_stake", *MONEY)
SEED = int(os.environ.get("SEASON_SEED", "1966"))


Cut = tuple[list[dict[str, Any]], dict[str, bytes]]
"""The sheets of all pools as the API shows them, and the reports as files."""


class Watched:
    """A season whose books are held against the house's after every step."""

    def __init__(self, office: Office) -> None:
        self.office = office
        self.season = Season(office, Random(SEED), TICKETS)
        self.books = self.season.books
        self.cuts: dict[str, Cut] = {}

    def play(self) -> None:
        """Every step of every round in the order of the calendar, then month by month until all terms are over."""
        steps = [step for played, kind in zip(rounds(ROUNDS), cycle(KINDS)) for step in self.season.steps(played, kind)]
        for step in sorted(steps):
            self.season.advance(step.at)
            step.act()
            self.balances()
            if step.settles is not None:
                self.sheet_agrees(step.settles)
                self.tickets_agree(step.settles)
                self.cut()
        for month in range(1, 7):
            self.season.advance(max(step.at for step in steps) + timedelta(days=30 * month))
            self.balances()
        self.cut()

    def balances(self) -> None:
        """Every account holds what the books say; the identity of the money taken holds on the ledger's own figures."""
        with transaction(self.office.owner) as session:
            found = {kind: int(units) for kind, units in session.execute(BALANCES) if units}
            players = {login: int(units) for login, units in session.execute(HELD_BY_PLAYERS) if units}
            got = {number: int(units) for number, units in session.execute(GOT) if units}
        assert found == {kind: units for kind, units in self.books.accounts().items() if units}
        assert players == {login: units for login, units in self.books.balances.items() if units}
        assert got == {bet.number: bet.had for pool in self.books.pools for bet in pool.bets if bet.had}
        terms = ledger.terms(self.office)
        assert terms == self.books.terms()
        assert sum(terms[name] for name in ledger.FROM) == sum(terms[name] for name in ledger.TO)
        assert ledger.jackpots(self.office) == self.books.jackpots()

    def sheet_agrees(self, pool: RoundBook) -> None:
        """The sheet tells the division of the books, level by level: who reached it, its exact fund, what it makes."""
        sheet, divided = self.season.sheet(pool), pool.divided
        assert divided is not None
        assert (sheet["minus_pool"], sheet["returned"]) == (pool.minus, pool.returned)
        assert (sheet["bets"], sheet["rows"]) == (len(pool.playing), sum(bet.bets for bet in pool.playing))
        assert sheet["pool"] == money(pool.stakes)
        assert {name: sheet[name] for name in MONEY} == {name: money(getattr(divided, name)) for name in MONEY}
        assert [level["level"] for level in sheet["levels"]] == list(range(1, len(divided.levels) + 1))
        for shown_, level in zip(sheet["levels"], divided.levels, strict=True):
            assert (shown_["winning_bets"], shown_["winning_stake"]) == (level.bets, money(level.stake))
            over, under = level.fund
            assert equal(shown_["fund"], (over, under * 100))
            won = bool(level.bets) and not pool.minus
            by_money, by_number = won and pool.price is None, won and pool.price is not None
            assert equal(shown_["coefficient"], (over, under * level.stake) if by_money else None)
            assert equal(shown_["win_per_bet"], (over, under * 100 * level.bets) if by_number else None)

    def tickets_agree(self, pool: RoundBook) -> None:
        """Every ticket shows its rows, and is due what the books reckoned row by row."""
        found: dict[int, tuple[int, int]] = {}
        page: dict[str, Any] = {"next_cursor": None}
        while page["next_cursor"] is not None or not found:
            asked = {} if page["next_cursor"] is None else {"cursor": page["next_cursor"]}
            page = self.office.accountant.get("/tickets", pool=pool.code, limit=200, **asked).json
            for one in page["items"]:
                due = sum(kopecks(one[part]) for part in ("win", "stake_back") if one[part] is not None)
                found[one["number"]] = one["rows"], due
        assert found == {bet.number: (bet.bets, bet.due) for bet in pool.bets}

    def cut(self) -> None:
        """Seal; sheets of all pools and the liability agree with the books, and are kept as of this moment."""
        assert self.office.wrongs() == []
        seal_all(self.office)
        instant = self.season.now.isoformat()
        items, files = self.cuts[instant] = self.as_of(instant)
        told = {item["pool"]: (item["bets"], *(item[name] for name in SHEET)) for item in items}
        assert told == {pool.code: as_told(pool) for pool in self.books.pools if pool.closed}
        assert all(len(lines.splitlines()) > 1 for code, lines in files.items() if code not in MAY_BE_EMPTY)
        owed = shown(self.office.auditor, "liability", as_of=instant, limit=1)["totals"]["whole"]["money"]
        terms = self.books.terms()
        assert kopecks(owed["due"]) + kopecks(owed["lapsed"]) == terms["wins_payable"]
        undecided = [pool for pool in self.books.pools if not pool.settled]
        assert kopecks(owed["stake"]) == sum(pool.stakes for pool in undecided)

    def as_of(self, instant: str) -> Cut:
        """What the reports tell as of an instant."""
        items = shown(self.office.auditor, "pool-sheets", as_of=instant, limit=200)["items"]
        return items, {code: exported(self.office, code, as_of=instant) for code in KEPT}


def as_told(pool: RoundBook) -> tuple[Any, ...]:
    """What the register of pools' sheets should tell of a pool whose sales have ended."""
    back = money(pool.stakes - pool.fund) if pool.gives_back else "0.00"
    parted = money(pool.stakes), money(pool.stakes - pool.fund), back, money(pool.fund)
    divided = pool.divided
    if divided is None:
        return len(pool.playing), *parted, None, None, None, None, None
    won = sum(level.bets for level in divided.levels), money(sum(level.stake for level in divided.levels))
    return len(pool.playing), *parted, *won, *(money(getattr(divided, name)) for name in MONEY)


def equal(told: str | None, exact: tuple[int, int] | None) -> bool:
    """Whether an exact fraction of an answer is this one, multiplied out; or there is none of either."""
    if told is None or exact is None:
        return told is None and exact is None
    over, under = ratio(told)
    return over * exact[1] == exact[0] * under


def test_a_season(office: Office) -> None:
    """All steps, then: paid, lapsed, corrected, settled since, each round's cut has the same bytes."""
    began = monotonic()
    watched = Watched(office)
    watched.play()
    assert len(watched.cuts) == sum(pool.settlements for pool in watched.books.pools) + 1 > ROUNDS
    for instant, kept in watched.cuts.items():
        assert watched.as_of(instant) == kept
    happened(watched)
    bets = [bet for pool in watched.books.pools for bet in pool.bets]
    rows = sum(bet.bets for bet in bets)
    print(f"{ROUNDS} rounds, {len(bets)} tickets, {rows} rows, {monotonic() - began:.0f} seconds")


def happened(watched: Watched) -> None:
    """Hold that the season had what it is for: nobody won, all won, all went back; wins were paid, lapsed, lowered."""
    books, pools = watched.books, watched.books.pools
    settled = [pool.divided for pool in pools if pool.divided is not None]
    assert len(settled) == len(pools) == ROUNDS
    bets = [bet for pool in pools for bet in pool.bets]
    nobody = [pool for pool in pools if not pool.returned and not any(level.bets for level in pool.divided.levels)]
    assert nobody and all(pool.to_jackpot >= pool.fund for pool in nobody)
    assert any(pool.minus for pool in pools) and any(pool.returned for pool in pools)
    assert {pool.family for pool in nobody} == {"totolot", "sportloto"} == set(books.jackpots())
    assert {bet.cancelled for bet in bets} == {None, "selling", "closed", "settled"}
    assert any(bet.bets == 3**10 for bet in bets) and any(bet.lines for bet in bets)
    assert any(bet.had > bet.due and bet.player is None for bet in bets), "a cash win that a correction made smaller"
    assert any(bet.lapsed for bet in bets) and watched.season.refused
    divided = [pool for pool in pools if not pool.returned and not pool.minus]
    assert any(pool.from_organizer for pool in divided if pool.price), "a win that was raised to the least one"
    assert any(pool.from_organizer for pool in divided if not pool.price), "a coefficient that was raised"
    # Where each level was reached, cutting wins to the kopeck leaves less than one a winner: more is over a cap.
    reached = [pool for pool in divided if all(level.bets for level in pool.divided.levels)]
    assert any(pool.to_jackpot > sum(level.bets for level in pool.divided.levels) for pool in reached)
    assert any(not all(level.bets for level in pool.divided.levels) for pool in divided if pool not in nobody)
    assert not books.accounts()["pool"] and not books.accounts()["prize_fund"]
