"""The board of a pool: what is staked on each outcome and what it would bring, until the division says what it brings.

Money and coefficients are what any totalizator shows to everybody; how many bets there are stays with the office, for
with few of them it would tell what somebody staked.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from fractions import Fraction
from typing import TypeAlias

from sqlalchemy import select
from sqlalchemy.orm import Session

from ledger.settlements import SettlementCompletion, SettlementRun
from tote.level_shares import LevelShare, shares_if_settled_now, shares_of_runs
from tote.models import Pool, PoolDivision
from tote.pools import TRADE, frozen_terms
from tote.provisional import Prospect, brought, prospects
from tote.statuses import PoolStatus, statuses_of
from tote.totals import PoolTotals, totals_by_pool

Settlements: TypeAlias = dict[int, tuple[PoolDivision, datetime]]


@dataclass(frozen=True)
class Line:
    """An outcome on the board: its stakes in minor units, what they bring; whether it came true, once that is known."""

    code: str
    name: str
    stakes: int
    prospect: Prospect
    true: bool | None = None


@dataclass(frozen=True)
class Settled:
    """How the pool ended: its coefficient as it is paid, none without winners, in a minus pool or a returned one.

    Where every bet has one price, ``win`` is what one bet was paid, in minor units.
    """

    coefficient: Fraction | None
    win: int | None
    minus_pool: bool
    returned: bool
    settled_at: datetime


@dataclass(frozen=True)
class Board:
    """A pool as its board shows it; ``provisional`` until the game is summed up (T-Rules 36.1).

    A pool of positions has ``levels`` with their parts of the fund, and who reached them once it is settled.
    """

    pool: Pool
    status: PoolStatus
    lines: tuple[Line, ...]
    settled: Settled | None
    levels: tuple[LevelShare, ...] = ()

    @property
    def stakes(self) -> int:
        """What is staked in the whole pool, in minor units."""
        return sum(line.stakes for line in self.lines)

    @property
    def provisional(self) -> bool:
        """Whether the coefficients may still change."""
        return self.settled is None


def boards_of(session: Session, pools: Sequence[Pool]) -> dict[str, Board]:
    """The boards of pools by their codes, in as many statements for all of them as for one.

    Divisions are asked for first: what is said beside one was then true of a pool that is settled.
    """
    ids = [pool.id for pool in pools]
    settled, statuses, totals = _divisions(session, ids), statuses_of(session, ids), totals_by_pool(session, ids)
    levels = _levels(session, pools, settled, totals)
    boards = (_board(pool, statuses[pool.id], totals[pool.id], settled.get(pool.id)) for pool in pools)
    return {board.pool.code: replace(board, levels=levels[board.pool.id]) for board in boards}


def _levels(
    session: Session, pools: Sequence[Pool], settled: Settlements, totals: Mapping[int, PoolTotals]
) -> dict[int, tuple[LevelShare, ...]]:
    """The levels of each pool, as it was divided or as its fund stands now."""
    runs = {settled[pool.id][0].run_id: pool for pool in pools if pool.id in settled}
    divided = {runs[run].id: shares for run, shares in shares_of_runs(session, runs).items()}
    return {
        pool.id: tuple(divided.get(pool.id) or shares_if_settled_now(pool, totals[pool.id].stakes)) for pool in pools
    }


def _board(pool: Pool, status: PoolStatus, totals: PoolTotals, ended: tuple[PoolDivision, datetime] | None) -> Board:
    if ended is None:
        told = zip(totals.outcomes, prospects(pool, totals), strict=True)
        lines = tuple(Line(outcome.code, outcome.name, outcome.stakes, prospect) for outcome, prospect in told)
        return Board(pool, status, lines, None)
    division, settled_at = ended
    paid = _paid(pool, division)
    lines = tuple(
        Line(outcome.code, outcome.name, outcome.stakes, paid if true else Prospect(), true)
        for outcome in totals.outcomes
        for true in (None if pool.positions is not None else outcome.code in division.true_outcomes,)
    )
    return Board(
        pool, status, lines, Settled(paid.coefficient, paid.win, division.minus_pool, division.returned, settled_at)
    )


def _paid(pool: Pool, division: PoolDivision) -> Prospect:
    """What the division pays on a true outcome, the organizer's promise included (D-4, D-6)."""
    numerator, denominator = division.coefficient_numerator, division.coefficient_denominator
    if numerator is None or denominator is None:
        return Prospect(minus_pool=division.minus_pool)
    return brought(Fraction(int(numerator), int(denominator)), frozen_terms(pool))


def _divisions(session: Session, pool_ids: Collection[int]) -> Settlements:
    """The latest complete division of each pool that has one, and when it was completed."""
    complete = (
        select(SettlementRun.subject_id, PoolDivision, SettlementCompletion.completed_at)
        .join(PoolDivision, PoolDivision.run_id == SettlementRun.id)
        .join(SettlementCompletion, SettlementCompletion.run_id == SettlementRun.id)
        .where(SettlementRun.trade == TRADE, SettlementRun.subject_id.in_(pool_ids))
        .order_by(SettlementRun.version)
    )
    return {pool_id: (division, at) for pool_id, division, at in session.execute(complete)}
