"""All that a printed protocol needs, read from the record by one function (T-Rules 10, 30)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from events.models import Annulment, Event, Protocol, Result
from events.sports import period_title, sport_title
from events.starts.standing import Start, start_of
from ledger.refusals import Refusal
from office.approvals.models import Proposal
from office.users import User


@dataclass(frozen=True)
class Signer:
    """Who did one of the two acts behind a protocol, and when."""

    user_id: int
    name: str
    at: datetime


@dataclass(frozen=True)
class PeriodScore:
    """The score of one period, with what people read for it."""

    period: str
    title: str
    home: int
    away: int


@dataclass(frozen=True)
class ProtocolSheet:
    """A protocol as it is printed; the outcomes are codes, whose names each pool has of its own.

    ``corrects`` is the number of the protocol it replaced, ``reason`` and ``explanation`` say why;
    ``corrected_by`` is the number of the one that replaced it. Instants are UTC; what is printed is counted in the
    operator's zone, an event's times in the venue's as well.
    """

    number: int
    version: int
    event_id: int
    event_code: str
    event: str
    sport: str
    sport_title: str
    home: str
    away: str
    venue: str | None
    venue_zone: str
    start: Start
    standing: str
    outcomes: tuple[str, ...]
    positions: Mapping[str, str | None] | None
    score: str | None
    scores: tuple[PeriodScore, ...]
    source: str
    signatories: tuple[str, ...]
    entered: Signer
    confirmed: Signer
    drawn_up_at: datetime
    place: str | None
    remarks: str | None
    corrects: int | None
    reason: str | None
    explanation: str | None
    corrected_by: int | None
    annulments: Sequence[Annulment]


def protocol_sheet(session: Session, number: int) -> ProtocolSheet:
    """The sheet of the protocol with this number.

    Raises:
        Refusal: ``not_found``.
    """
    row = session.execute(
        select(Protocol, Result, Event, Proposal.reason)
        .join(Result, Result.id == Protocol.result_id)
        .join(Event, Event.id == Protocol.event_id)
        .outerjoin(Proposal, Proposal.id == Result.proposal_id)
        .where(Protocol.number == number)
    ).first()
    if row is None:
        raise Refusal("not_found", "Протокола с таким номером нет.")
    protocol, result, event, explanation = row
    return ProtocolSheet(
        number=protocol.number,
        version=protocol.version,
        event_id=event.id,
        event_code=event.code,
        event=event.name,
        sport=event.sport,
        sport_title=sport_title(event.sport),
        home=event.home,
        away=event.away,
        venue=event.venue,
        venue_zone=event.venue_zone,
        start=start_of(session, event.id),
        standing=result.standing,
        outcomes=tuple(result.outcomes),
        positions=result.positions,
        score=result.score,
        scores=period_scores(event.sport, result),
        source=result.source,
        signatories=tuple(protocol.signatories),
        entered=_signer(session, protocol.entered_by, result.entered_at),
        confirmed=_signer(session, protocol.confirmed_by, protocol.drawn_up_at),
        drawn_up_at=protocol.drawn_up_at,
        place=protocol.place,
        remarks=protocol.remarks,
        corrects=protocol.corrects,
        reason=result.reason,
        explanation=explanation,
        corrected_by=session.scalar(select(Protocol.number).where(Protocol.corrects == number)),
        annulments=session.scalars(
            select(Annulment).where(Annulment.protocol_number == number).order_by(Annulment.id)
        ).all(),
    )


def period_scores(sport: str, result: Result) -> tuple[PeriodScore, ...]:
    """The scores of a result in the order they were told, each with what people read for its period."""
    return tuple(
        PeriodScore(score.period, period_title(sport, score.period), score.home, score.away) for score in result.scores
    )


def _signer(session: Session, user_id: int, at: datetime) -> Signer:
    return Signer(user_id, session.get_one(User, user_id).name, at)
