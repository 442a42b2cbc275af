"""What came true of each of an event's pools by a protocol: outcomes, or one in each position (T-Rules 10, 30)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from events.protocol_sheet import ProtocolSheet
from tote.models import Pool
from tote.pools import outcomes_by_pool
from tote.positions import Position, positions_of


@dataclass(frozen=True)
class Named:
    """A code and what people read for it."""

    code: str
    name: str


@dataclass(frozen=True)
class PositionCome:
    """A position of a pool and what came true in it.

    ``outcome`` is None where the position was not held (D-22), and where a protocol says nothing of it, ``told``
    tells which.
    """

    code: str
    name: str
    told: bool
    outcome: Named | None


@dataclass(frozen=True)
class PoolCome:
    """A pool and what of it came true: outcomes, or in a pool of positions one in each."""

    code: str
    name: str
    outcomes: Sequence[Named]
    positions: Sequence[PositionCome]


def come_true(session: Session, sheet: ProtocolSheet) -> list[PoolCome]:
    """What came true of each of the event's pools, in the order they were announced."""
    pools = session.scalars(select(Pool).where(Pool.event_id == sheet.event_id).order_by(Pool.id)).all()
    outcomes = outcomes_by_pool(session, [pool.id for pool in pools])
    return [
        PoolCome(
            pool.code,
            pool.name,
            [Named(each.code, each.name) for each in outcomes[pool.id] if each.code in sheet.outcomes],
            [_in_position(position, sheet.positions or {}) for position in positions_of(pool)],
        )
        for pool in pools
    ]


def _in_position(position: Position, told: Mapping[str, str | None]) -> PositionCome:
    names = dict(position.outcomes)
    code = told.get(position.code)
    # A code that was not announced for the position is shown as it is: with it the pool cannot be settled.
    outcome = None if code is None else Named(code, names.get(code, code))
    return PositionCome(position.code, position.name, position.code in told, outcome)
