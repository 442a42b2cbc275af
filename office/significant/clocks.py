"""Whether this machine's clock agrees with the database's, which decides rights (INDUSTRY: clock differences)."""

from __future__ import annotations

import socket
from collections.abc import Callable
from datetime import datetime, timedelta

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from db.instants import Instant, now
from office.settings.versions import value_of
from office.significant.kinds import CLOCK_AGREES, CLOCK_DIFFERS
from office.significant.thresholds import CLOCK_TOLERANCE
from office.significant.watch import Watch, note_turn

CLOCK = Watch(bad=CLOCK_DIFFERS, well=CLOCK_AGREES)


def compare_clocks(session: Session, machine: Callable[[], datetime] = now) -> timedelta | None:
    """How far the machine's clock is ahead of the database's; written down when it begins or ceases to be too far.

    None when the database took so long to answer that nobody can say. Each machine is a subject of its own.
    """
    # Asked first: it opens the connection, which must not count as the clock's delay.
    tolerance = timedelta(seconds=value_of(session, CLOCK_TOLERANCE))
    before = machine()
    database = session.scalars(select(func.clock_timestamp(type_=Instant))).one()
    after = machine()
    ahead, doubt = before + (after - before) / 2 - database, (after - before) / 2
    if doubt > tolerance:
        return None
    differs = abs(ahead) > tolerance
    note_turn(session, CLOCK, f"machine:{socket.gethostname()}", differs, ahead_seconds=f"{ahead.total_seconds():.3f}")
    return ahead
