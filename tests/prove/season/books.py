"""Books of a season kept beside the house: what each ticket's rows reached, and the money, reckoned by other ways.

The life of tickets after their decision is that of every pool (`tests/tote/life/books.py`). All amounts are in minor
units.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from math import prod

from tests.prove.season.calendar import Round
from tests.prove.season.covers import Marks, True_, matches_of_cover, matches_of_upload
from tests.prove.season.kinds import Kind
from tests.tote.by_hand import Ratio, all_won, divided_by_rows, level_of, levels_of, parts_of_levels
from tests.tote.life.books import Bet, Books, PoolBook


@dataclass
class Ticket(Bet):
    """A ticket in a pool of positions: its marks, or else its rows one by one; ``rows`` are too many to be listed."""

    marks: Marks = ()
    lines: Sequence[str] = ()

    @property
    def bets(self) -> int:
        """How many bets it holds."""
        return len(self.lines) or prod(map(len, self.marks))

    @property
    def row_stake(self) -> int:
        """What each of them costs."""
        assert self.stake % self.bets == 0
        return self.stake // self.bets

    def matches(self, true: True_) -> Counter[int]:
        """Rows by the number of their matches."""
        return matches_of_upload(self.lines, true) if self.lines else matches_of_cover(self.marks, true)


@dataclass
class LevelBook:
    """A level of a settled pool: the rows on it, their stakes, its exact fund."""

    bets: int = 0
    stake: int = 0
    fund: Ratio = (0, 1)


@dataclass
class Divided:
    """How a pool was divided at its last settlement, as its sheet should tell it."""

    levels: list[LevelBook]
    wins: int
    to_jackpot: int
    from_organizer: int


@dataclass
class RoundBook(PoolBook):
    """The pool of a round."""

    round: Round | None = None
    kind: Kind = field(default_factory=Kind)
    divided: Divided | None = None

    @property
    def family(self) -> str:
        """The game family, which has a jackpot of its own."""
        return "totolot" if self.price is None else "sportloto"

    def in_force(self, true: True_) -> True_:
        """What came true, or nothing where a position was not held and the pool goes back then (D-22)."""
        return () if self.comes_back(true) else true

    def rows_of(self, tickets: Sequence[Bet], true: True_) -> list[tuple[int, int, int, int | None]]:
        """Of each ticket, by its place, how many rows at what stake reached which level."""
        levels, held = levels_of(self.terms), len([one for one in true if one is not None])
        found = []
        for place, ticket in enumerate(tickets):
            assert isinstance(ticket, Ticket)
            reached: Counter[int | None] = Counter()
            for matches, rows in ticket.matches(true).items():
                reached[level_of(matches, held, levels)] += rows
            assert reached.total() == ticket.bets
            found += [(place, rows, ticket.row_stake, level) for level, rows in reached.items()]
        return found


class SeasonBooks(Books):
    """All that should be on record of a season."""

    def settle(self, pool: RoundBook, true: True_, at: datetime) -> None:
        """Decide every ticket that counts by what came true in each position; of nothing all stakes go back."""
        pool.settled, pool.returned = True, not true
        pool.credited, pool.corrected_at, pool.settlements = False, None, pool.settlements + 1
        playing = pool.playing
        if true:
            due = self._divide(pool, playing, true)
        else:
            nobody = [LevelBook() for _ in levels_of(pool.terms)]
            due, pool.divided = [bet.stake for bet in playing], Divided(nobody, pool.stakes, 0, 0)
        pool.to_jackpot, pool.from_organizer = pool.divided.to_jackpot, pool.divided.from_organizer
        for bet, win in zip(playing, due, strict=True):
            if not bet.cancelled:
                back = bet.stake if pool.gives_back else 0
                self._decide(bet, win, back, at, None if pool.returned else pool)

    def _divide(self, pool: RoundBook, playing: Sequence[Bet], true: True_) -> list[int]:
        by_ticket = pool.rows_of(playing, true)
        rows = [(many, stake, level) for _, many, stake, level in by_ticket]
        pool.minus = all_won(rows)
        found = divided_by_rows(pool.terms, rows)
        due = [0] * len(playing)
        for (place, many, _, _), win in zip(by_ticket, found["wins"], strict=True):
            due[place] += many * win
        struck = sum(win for bet, win in zip(playing, due, strict=True) if bet.cancelled)
        pool.divided = Divided(
            self._levels(pool, rows, found["fund"]),
            sum(due) - struck,
            found["to_jackpot"] + struck,
            found["from_organizer"],
        )
        return due

    def _levels(self, pool: RoundBook, rows: Sequence[tuple[int, int, int | None]], fund: int) -> list[LevelBook]:
        levels = [LevelBook(fund=(over * fund, under)) for over, under in parts_of_levels(pool.terms, rows)]
        for many, stake, level in rows:
            if level is not None:
                levels[level].bets += many
                levels[level].stake += many * stake
        return levels

    def terms(self) -> dict[str, int]:
        """The terms of the identity (`ledger.IDENTITY`), each from the books alone."""
        bets = [bet for pool in self.pools for bet in pool.bets]
        held = self.accounts()
        return {
            "taken": sum(bet.stake for bet in bets),
            "paid": sum(bet.had for bet in bets),
            "organizer": held["organizer"] + self.own,
            "claims": held["claims"],
            **{kind: -held[kind] for kind in ("pool", "prize_fund", "withdrawal_revenue", "jackpot", "wins_payable")},
        }

    def jackpots(self) -> dict[str, int]:
        """What each family's jackpot holds."""
        found: Counter[str] = Counter()
        for pool in self.pools:
            lapsed = sum(bet.lapsed for bet in pool.bets)
            found[pool.family] += lapsed + (pool.to_jackpot if pool.settled else 0)
        return {family: units for family, units in found.items() if units}
