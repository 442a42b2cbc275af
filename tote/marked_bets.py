"""The tickets of a pool of positions: how many rows of each reached which level. Nobody lists the rows of a cover."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from sqlalchemy import select, text
from sqlalchemy.orm import Session

from tote.models import CancellationStage, Pool, UploadedRows
from tote.positions import levels_of, positions_of
from tote.rules.covers import Cover, RowsByLevel, rows_by_level, rows_by_matches
from tote.rules.levels import levels_by_matches
from tote.rules.pool import GroupWin
from tote.rules.positions import PositionResults
from tote.uploads import Part, matches_in

CHUNK = 10_000
PARTS = 10
"""Parts of an upload that are held at once."""
Prizes: TypeAlias = Mapping[tuple[int | None, int], GroupWin]
"""What one row is due, by the level it reached and its stake in minor units."""
# Marks are read as text and taken apart ticket by ticket: ten thousand covers at once are so many small lists that the
# collector of garbage would take longer than all the counting.
NEXT = text("""
    SELECT bet.ticket_id, bet.stake / bet.rows AS row_stake, CAST(bet.marks AS text) AS marks, cancelled.stage
    FROM pool_bets AS bet LEFT JOIN pool_cancellations AS cancelled ON cancelled.ticket_id = bet.ticket_id
    WHERE bet.pool_id = :pool AND bet.ticket_id > :after ORDER BY bet.ticket_id LIMIT :size
""")


@dataclass(frozen=True)
class Reached:
    """A ticket: the stake of one row in minor units, how many rows reached which level, whether it was cancelled."""

    ticket_id: int
    row_stake: int
    rows: RowsByLevel
    cancelled: str | None

    def due(self, prizes: Prizes) -> GroupWin:
        """What the ticket is due: of each row what its level gives it, cut to the minor unit row by row (D-3)."""
        each = [(rows, prizes[level, self.row_stake]) for level, rows in self.rows.items()]
        return GroupWin(
            win=sum(rows * prize.win for rows, prize in each),
            returned_stake=sum(rows * prize.returned_stake for rows, prize in each),
        )

    @property
    def by_stake(self) -> Mapping[tuple[int | None, int], int]:
        """The rows by level and stake, as pools are divided."""
        return {(level, self.row_stake): rows for level, rows in self.rows.items()}

    @property
    def won(self) -> bool:
        """Whether any row reached a level."""
        return any(level is not None for level in self.rows)


class Counting:
    """Counts rows by level under what came true in each position of a pool, None where one was not held (D-22).

    Where nothing is held, no row reaches a level.
    """

    def __init__(self, pool: Pool, true: PositionResults) -> None:
        positions = positions_of(pool)
        self._true = true or (None,) * len(positions)
        held = len(self._true) - self._true.count(None)
        self._table = levels_by_matches(levels_of(pool.levels or ()), held) if held else (None,)
        self._places = tuple(
            None if code is None else position.codes.index(code)
            for position, code in zip(positions, self._true, strict=True)
        )

    def of_cover(self, cover: Cover) -> RowsByLevel:
        """The rows of a ticket's marks."""
        return rows_by_level(rows_by_matches(cover, self._true), self._table)

    def of_upload(self, parts: Iterator[Part]) -> RowsByLevel:
        """The rows of an upload, part by part."""
        matches = [0] * (len(self._true) + 1)
        for part in parts:
            matches = [sum(both) for both in zip(matches, matches_in(part, self._places), strict=True)]
        return rows_by_level(matches, self._table)


def reached(session: Session, pool: Pool, true: PositionResults, after: int = 0) -> Iterator[Reached]:
    """The tickets of a pool behind one, in the order of their numbers; read some thousands at a time.

    A ticket that was cancelled before the settlement was never made and is left out (D-18).
    """
    counting = Counting(pool, true)
    chunk = session.execute(NEXT, {"pool": pool.id, "after": after, "size": CHUNK}).all()
    while chunk:
        for ticket_id, row_stake, marks, cancelled in chunk:
            if cancelled in (None, CancellationStage.SETTLED):
                told = None if marks is None else json.loads(marks)
                rows = counting.of_upload(_parts(session, ticket_id)) if told is None else counting.of_cover(told)
                yield Reached(ticket_id, row_stake, rows, cancelled)
        after = chunk[-1].ticket_id
        chunk = session.execute(NEXT, {"pool": pool.id, "after": after, "size": CHUNK}).all()


def _parts(session: Session, ticket_id: int) -> Iterator[Part]:
    told = select(UploadedRows.rows, UploadedRows.places).where(UploadedRows.ticket_id == ticket_id)
    for rows, places in session.execute(told.order_by(UploadedRows.part).execution_options(yield_per=PARTS)):
        yield Part(rows, places)
