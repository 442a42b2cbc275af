"""What each level of a pool of positions has of the fund, and what a rouble or a bet on it gets (T-Rules 11, 36)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from sqlalchemy import select
from sqlalchemy.orm import Session

from ledger.money import currency
from tote.division import divide_levels, level_groups
from tote.marked_bets import reached
from tote.models import Pool, PoolDivision, PoolLevelDivision
from tote.positions import levels_of
from tote.rules.fund import prize_fund
from tote.rules.pool import LevelDivision
from tote.rules.pool import PoolDivision as Division
from tote.rules.positions import PositionResults


@dataclass(frozen=True)
class LevelShare:
    """A level, counted from 1: its exact part of the fund in minor units, and who reached it, once that is known.

    ``coefficient`` is before any minimum (D-6), ``win_per_bet`` before cap and floor (D-4) and in whole units of money;
    a pool has the one or the other, and neither without winners or in a minus pool.
    """

    level: int
    fund: Fraction
    winning_bets: int | None = None
    winning_stake: int | None = None
    coefficient: Fraction | None = None
    win_per_bet: Fraction | None = None


def shares_if_settled_now(pool: Pool, stakes: int) -> list[LevelShare]:
    """What the levels of a pool of positions have of the stakes up to now; who reaches them nobody knows yet."""
    fund = prize_fund(stakes, Fraction(pool.fund_percent))
    return [LevelShare(number, fund * level.share) for number, level in enumerate(levels_of(pool.levels or ()), 1)]


def shares_of_runs(session: Session, pools: Mapping[int, Pool]) -> dict[int, list[LevelShare]]:
    """The levels of settlement runs, by run; of pools without positions none, and the database is not asked."""
    runs = [run for run, pool in pools.items() if pool.positions is not None]
    found: dict[int, list[LevelShare]] = defaultdict(list)
    for line, minus in _lines(session, runs) if runs else ():
        fund = Fraction(int(line.fund_numerator), int(line.fund_denominator))
        share = _share(pools[line.run_id], line.level, fund, line.winning_bets, line.winning_stake, minus)
        found[line.run_id].append(share)
    return found


def supposed(session: Session, pool: Pool, true: PositionResults) -> tuple[Division, list[LevelShare]]:
    """How a pool of positions would be divided if this came true and nobody bet any more; all its tickets are read."""
    rows: dict[tuple[int | None, int], int] = defaultdict(int)
    for ticket in reached(session, pool, true):
        for on, count in ticket.by_stake.items():
            rows[on] += count
    division = divide_levels(pool, level_groups(rows), returned=not true)
    return division, shares_of(pool, division.levels, minus_pool=division.minus_pool)


def shares_of(pool: Pool, levels: Sequence[LevelDivision], *, minus_pool: bool) -> list[LevelShare]:
    """The levels of a division."""
    return [
        _share(pool, number, level.fund, level.winning_bets, level.winning_stake, minus_pool)
        for number, level in enumerate(levels, 1)
    ]


def _share(pool: Pool, level: int, fund: Fraction, bets: int, stake: int, minus_pool: bool) -> LevelShare:
    if not bets or minus_pool:
        return LevelShare(level, fund, bets, stake)
    if pool.price is None:
        return LevelShare(level, fund, bets, stake, coefficient=fund / stake)
    return LevelShare(level, fund, bets, stake, win_per_bet=fund / bets / 10 ** currency(pool.currency).exponent)


def _lines(session: Session, runs: Collection[int]) -> list[tuple[PoolLevelDivision, bool]]:
    told = (
        select(PoolLevelDivision, PoolDivision.minus_pool)
        .join(PoolDivision, PoolDivision.run_id == PoolLevelDivision.run_id)
        .where(PoolLevelDivision.run_id.in_(runs))
        .order_by(PoolLevelDivision.run_id, PoolLevelDivision.level)
    )
    return [(line, minus) for line, minus in session.execute(told)]
