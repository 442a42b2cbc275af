"""How a pool was divided, each time it was settled: what a corrected protocol undid stays readable (D-14)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from fractions import Fraction

from sqlalchemy import select
from sqlalchemy.orm import Session

from events.models import Protocol, Result
from ledger.money import currency
from ledger.settlements import SettlementCompletion, SettlementRun
from tote.level_shares import LevelShare, shares_of_runs
from tote.models import Pool, PoolDivision


@dataclass(frozen=True)
class Version:
    """One settlement of a pool: the protocol it went by, what the protocol says, and the division by it.

    ``levels`` are those of a pool of positions. ``reversed_at`` is when a later one undid all its bookings.
    """

    version: int
    protocol: int
    standing: str
    division: PoolDivision
    settled_at: datetime
    levels: tuple[LevelShare, ...] = ()
    reversed_at: datetime | None = None


def versions_of(session: Session, pool: Pool) -> list[Version]:
    """The complete settlements of a pool, the first one first; the last is in force."""
    complete = (
        select(SettlementRun.version, Protocol.number, Result.standing, PoolDivision, SettlementCompletion.completed_at)
        .join(SettlementRun, SettlementRun.id == PoolDivision.run_id)
        .join(SettlementCompletion, SettlementCompletion.run_id == SettlementRun.id)
        .join(Protocol, Protocol.id == SettlementRun.protocol_id)
        .join(Result, Result.id == Protocol.result_id)
        .where(PoolDivision.pool_id == pool.id)
        .order_by(SettlementRun.version)
    )
    versions = [Version(*row) for row in session.execute(complete)]
    levels = shares_of_runs(session, {version.division.run_id: pool for version in versions})
    return _undone([replace(one, levels=tuple(levels.get(one.division.run_id, ()))) for one in versions])


def coefficient_of(division: PoolDivision | None, pool: Pool) -> Fraction | None:
    """The exact coefficient (T-Rules 36.1); none where every bet has one price."""
    return _share(division) if pool.price is None else None


def win_per_bet_of(division: PoolDivision | None, pool: Pool) -> Fraction | None:
    """What the fund gives one bet where all have one price, exact, in whole units of money (T-Rules 11.2)."""
    share = _share(division)
    if share is None or pool.price is None:
        return None
    return share * Fraction(pool.price, 10 ** currency(pool.currency).exponent)


def _share(division: PoolDivision | None) -> Fraction | None:
    """The fund over the winning stakes; none without winners, in a minus pool, and where stakes were returned."""
    if division is None or division.coefficient_numerator is None or division.coefficient_denominator is None:
        return None
    return Fraction(int(division.coefficient_numerator), int(division.coefficient_denominator))


def _undone(versions: Sequence[Version]) -> list[Version]:
    """Each undid the one before it when it was completed."""
    undoing = [*(later.settled_at for later in versions[1:]), None]
    return [replace(version, reversed_at=at) for version, at in zip(versions, undoing, strict=False)]
