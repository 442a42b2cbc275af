"""What the organizer tells the public: the results that protocols fixed (T-Rules 10, 31)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import exists, select
from sqlalchemy.orm import Session, aliased

from db.pages import newest_first
from events.models import Event, Protocol, Result
from events.protocol_sheet import PeriodScore, period_scores


@dataclass(frozen=True)
class AnnouncedResult:
    """The result of an event by the protocol in force; no names of those who drew it up."""

    protocol_id: int
    protocol: int
    event_id: int
    event_code: str
    event: str
    standing: str
    outcomes: Sequence[str]
    positions: Mapping[str, str | None] | None
    score: str | None
    scores: tuple[PeriodScore, ...]
    source: str
    drawn_up_at: datetime
    corrects: int | None


def announced_results(session: Session, before: int, limit: int) -> Sequence[AnnouncedResult]:
    """The results in force, the latest protocol first; what a later protocol corrected is told no more."""
    later = aliased(Protocol)
    fixed = (
        select(Protocol, Result, Event)
        .join(Result, Result.id == Protocol.result_id)
        .join(Event, Event.id == Protocol.event_id)
        .where(~exists().where(later.corrects == Protocol.number))
    )
    return [_told(*row) for row in session.execute(newest_first(fixed, Protocol.id, before, limit))]


def _told(protocol: Protocol, result: Result, event: Event) -> AnnouncedResult:
    return AnnouncedResult(
        protocol_id=protocol.id,
        protocol=protocol.number,
        event_id=event.id,
        event_code=event.code,
        event=event.name,
        standing=result.standing,
        outcomes=result.outcomes,
        positions=result.positions,
        score=result.score,
        scores=period_scores(event.sport, result),
        source=result.source,
        drawn_up_at=protocol.drawn_up_at,
        corrects=protocol.corrects,
    )
