"""The sheet of a pool: what was staked on each outcome, the withdrawal, the fund, and how it was divided."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from reports.divisions import Version, versions_of
from tote.level_shares import LevelShare
from tote.models import Pool, PoolBet, PoolCancellation, PoolClosing, PoolDivision
from tote.pools import closing_of, outcomes_of
from tote.remaining import NEVER_MADE, Remaining, remaining
from tote.statuses import PoolStatus, Terms, status_of, terms_of_pool


@dataclass(frozen=True)
class OutcomeLine:
    """The tickets on one outcome: how many, their bets, and their stakes in minor units."""

    code: str
    name: str
    bets: int
    rows: int
    stakes: int
    true: bool | None


@dataclass(frozen=True)
class PoolSheet:
    """A pool's figures as far as its life has come; money in minor units.

    Bets cancelled before the settlement are as if never made: ``left`` is the closing without them. All cancelled
    ones are counted apart. ``bets`` are tickets, each with one bet or, in a pool of positions, many: ``rows`` of them.
    """

    pool: Pool
    status: PoolStatus
    outcomes: list[OutcomeLine]
    bets: int
    rows: int
    stakes: int
    cancelled_bets: int
    cancelled_stakes: int
    closing: PoolClosing | None
    left: Remaining | None
    versions: list[Version]
    terms: Terms | None

    @property
    def division(self) -> PoolDivision | None:
        """The division in force, that of the last settlement."""
        return self.versions[-1].division if self.versions else None

    @property
    def levels(self) -> tuple[LevelShare, ...]:
        """The levels of the division in force, of a pool of positions."""
        return self.versions[-1].levels if self.versions else ()

    @property
    def settled_at(self) -> datetime | None:
        """When the division in force was booked."""
        return self.versions[-1].settled_at if self.versions else None


def pool_sheet(session: Session, pool: Pool) -> PoolSheet:
    """The sheet of a pool at this moment."""
    versions = versions_of(session, pool)
    closing = closing_of(session, pool.id)
    lines = _lines(session, pool, versions[-1].division if versions else None)
    cancelled_bets, cancelled_stakes = _cancelled(session, pool)
    return PoolSheet(
        pool=pool,
        status=status_of(session, pool),
        outcomes=lines,
        bets=sum(line.bets for line in lines),
        rows=sum(line.rows for line in lines),
        stakes=sum(line.stakes for line in lines),
        cancelled_bets=cancelled_bets,
        cancelled_stakes=cancelled_stakes,
        closing=closing,
        left=None if closing is None else remaining(session, closing),
        versions=versions,
        terms=terms_of_pool(session, pool.id),
    )


def _cancelled(session: Session, pool: Pool) -> tuple[int, int]:
    cancelled = (
        select(func.count(), func.coalesce(func.sum(PoolBet.stake), 0))
        .join(PoolCancellation, PoolCancellation.ticket_id == PoolBet.ticket_id)
        .where(PoolBet.pool_id == pool.id)
    )
    bets, stakes = session.execute(cancelled).one()
    return int(bets), int(stakes)


def _lines(session: Session, pool: Pool, division: PoolDivision | None) -> list[OutcomeLine]:
    grouped = (
        select(PoolBet.outcome, func.count(), func.sum(PoolBet.rows), func.sum(PoolBet.stake))
        .where(PoolBet.pool_id == pool.id, ~NEVER_MADE)
        .group_by(PoolBet.outcome)
    )
    staked = {outcome: (bets, int(rows), int(stakes)) for outcome, bets, rows, stakes in session.execute(grouped)}
    # Where stakes are returned no outcome came true, and none was wrong either; of positions each has its own.
    known = division is not None and not division.returned and pool.positions is None
    true = set(division.true_outcomes) if known and division is not None else None
    return [
        OutcomeLine(
            outcome.code,
            outcome.name,
            *staked.get(outcome.code, (0, 0, 0)),
            None if true is None else outcome.code in true,
        )
        for outcome in outcomes_of(session, pool.id)
    ]
