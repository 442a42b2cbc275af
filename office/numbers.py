"""Numbers without gaps, where the rulebook wants them: payouts' journal, protocols, strict forms (DESIGN 3.6)."""

from __future__ import annotations

from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Mapped, Session, mapped_column

from db.base import Base


class Counter(Base):
    """The last number given out in a series. The row stays locked until the taker's transaction ends."""

    __tablename__ = "counters"

    series: Mapped[str] = mapped_column(primary_key=True)
    last: Mapped[int]


def next_number(session: Session, series: str) -> int:
    """The next number of a series, from 1. Take it last: everybody else who needs one waits for the commit.

    A rolled back transaction gives its number back, so that the series has no gap.
    """
    taken = insert(Counter).values(series=series, last=1)
    taken = taken.on_conflict_do_update(index_elements=["series"], set_={"last": Counter.last + 1})
    return session.scalars(taken.returning(Counter.last)).one()
