"""The log of significant events as a table of rows, as of a seal: asked for again it is the same (DESIGN 3.8)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from zoneinfo import ZoneInfo

from sqlalchemy import select
from sqlalchemy.orm import Session

from db.clock import trade_time
from db.session import Sessions
from documents.csv import Cell
from ledger.refusals import Refusal
from ledger.seals.as_of import AsOf, as_of
from office.callers import Caller
from office.significant.kinds import EVENTS_EXPORTED, title_of
from office.significant.log import SignificantEvent, note
from office.significant.search import Wanted

HEADER = (
    "Номер",
    "Момент",
    "Код события",
    "Событие",
    "Важность",
    "Предмет",
    "Пользователь",
    "Игрок",
    "Терминал",
    "Сведения",
)
PAGE = 2_000
"""Rows read at a time; between two pages no connection is held, however slowly somebody downloads."""


def begin_export(session: Session, instant: datetime | None, wanted: Wanted, by: Caller | None) -> AsOf:
    """Fix what an export holds, and write down that it is taken: an event that is not in it itself.

    Raises:
        Refusal: ``instant_in_future``; ``nothing_sealed``, no seal at or before the instant.
    """
    now = trade_time(session)
    asked = instant or now
    if asked > now:
        raise Refusal("instant_in_future", "Этот момент ещё не наступил: укажите прошедший.")
    fixed = as_of(session, asked, SignificantEvent.__tablename__)
    if fixed is None:
        raise Refusal("nothing_sealed", "К этому моменту ещё ничего не опечатано: укажите более поздний.")
    chosen = {name: _told(value) for name, value in vars(wanted).items() if value is not None}
    note(session, EVENTS_EXPORTED, f"seal:{fixed.seal}", by, as_of=asked.isoformat(), wanted=chosen)
    return fixed


def exported_rows(sessions: Sessions, fixed: AsOf, wanted: Wanted, zone: ZoneInfo) -> Iterator[tuple[Cell, ...]]:
    """The rows of an export, the oldest first, instants in the operator's zone with their offset (D-1).

    Rows under a seal neither change nor multiply, so that pages read in transactions of their own fit together.
    """
    after, more = 0, True
    while more:
        with sessions() as session:
            page = session.scalars(
                select(SignificantEvent)
                .where(SignificantEvent.id > after, SignificantEvent.id < fixed.closed_below, *wanted.conditions())
                .order_by(SignificantEvent.id)
                .limit(PAGE)
            ).all()
        yield from (_row(event, zone) for event in page)
        more = len(page) == PAGE
        after = page[-1].id if page else after


def _row(event: SignificantEvent, zone: ZoneInfo) -> tuple[Cell, ...]:
    return (
        event.id,
        event.occurred_at.astimezone(zone),
        event.kind,
        title_of(event.kind),
        event.severity,
        event.subject,
        event.user_id,
        event.player_id,
        event.terminal_id,
        json.dumps(event.facts, ensure_ascii=False, sort_keys=True),
    )


def _told(value: object) -> object:
    return value.isoformat() if isinstance(value, datetime) else value
