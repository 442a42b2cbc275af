"""The cut a report is made at: the facts under a seal, or those of this moment with the unsealed ones marked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import ColumnElement, func, or_, select
from sqlalchemy.orm import Session, aliased

from db.base import Fact
from db.clock import trade_time
from db.instants import local_date
from ledger.refusals import Refusal
from ledger.seals.as_of import horizon
from office.operator import Operator


@dataclass(frozen=True)
class Cut:
    """Which facts a report may read; a query gets them from here and nowhere else.

    Sealed: of each table the rows the seal closed, so that whatever is written later changes nothing (DESIGN 3.8). Not
    sealed: all there are, and what no seal holds yet is ``provisional``. ``at`` is the instant the report speaks of,
    by which it tells what is overdue; its days are those of ``zone``.
    """

    at: datetime
    sealed: bool
    seal: int
    sealed_at: datetime | None
    closed_below: Mapping[str, int]
    operator: str
    zone: ZoneInfo
    currency: str

    @property
    def day(self) -> date:
        """The operator's day of the cut."""
        return local_date(self.at, self.zone)

    def of(self, fact: type[Fact]) -> Any:
        """The rows of a table that belong to the cut, to be used in a query as the table itself."""
        if not self.sealed:
            return aliased(fact)
        closed = select(fact).where(fact.id < self.bound(fact)).subquery()
        return aliased(fact, closed)

    def bound(self, fact: type[Fact]) -> int:
        """The id under which the seal closed a table."""
        return self.closed_below.get(fact.__tablename__, 1)

    def provisional(self, *facts: tuple[type[Fact], ColumnElement[Any]]) -> ColumnElement[bool]:
        """Whether one of the rows with these ids, where there is one, is held by no seal yet."""
        return or_(*(func.coalesce(number >= self.bound(fact), False) for fact, number in facts))


def known(fact: type[Fact]) -> Any:
    """The rows of a table as they are, for what a fact of the cut names: it was written with that fact or before it."""
    return aliased(fact)


def cut_at(session: Session, operator: Operator, instant: datetime | None) -> Cut:
    """The cut at the last seal at or before an instant; without one the cut of this moment.

    Raises:
        Refusal: ``instant_in_future``; ``nothing_sealed``, no seal at or before the instant.
    """
    now = trade_time(session)
    if instant is not None and instant > now:
        raise Refusal("instant_in_future", "Этот момент ещё не наступил: укажите прошедший.")
    found = horizon(session, instant or now, _tables())
    if found is None and instant is not None:
        raise Refusal("nothing_sealed", "К этому моменту ещё ничего не опечатано: укажите более поздний.")
    at = now if found is None or instant is None else found.sealed_at
    return Cut(
        at=at,
        sealed=instant is not None,
        seal=0 if found is None else found.seal,
        sealed_at=None if found is None else found.sealed_at,
        closed_below={} if found is None else found.closed_below,
        operator=operator.name_at(at),
        zone=operator.zone_at(at),
        currency=operator.currency,
    )


def sealed_now(session: Session, operator: Operator, instant: datetime | None) -> Cut:
    """The cut for a file: at a seal always, the last one if no instant is named.

    Raises:
        Refusal: those of :func:`cut_at`.
    """
    return cut_at(session, operator, instant or trade_time(session))


def _tables() -> list[str]:
    return sorted(mapper.class_.__tablename__ for mapper in Fact.registry.mappers if issubclass(mapper.class_, Fact))
