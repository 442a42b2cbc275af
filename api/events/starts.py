"""Changes of an event's start, and the tickets that were placed too late by it."""

from __future__ import annotations

from functools import partial
from operator import attrgetter
from typing import Any

from api.answers import refuses
from api.auth import allowed
from api.events.routes import OFFICE, events
from api.events.start_schemas import LateTicketPage, NewStartChange, StartChanged, StartChangePage, StartChangeShown
from api.events.trades import TRADES
from api.fields import PageQuery
from api.house import caller, session
from api.pages import page_of
from events.records import event_by_id
from events.starts.changes import Word, change_start
from events.starts.standing import changes_of, start_of
from office.callers import Role
from tote.late_bets import late_tickets

FIRST_PAGE = {"cursor": 0, "limit": 200}


@events.post("/<int:event_id>/start-changes")
@events.doc(operationId="change_start")
@events.arguments(NewStartChange)
@events.response(201, StartChanged)
@allowed(Role.ORGANIZER, Role.TRADER)
@refuses(
    "event_started",
    "event_not_started",
    "end_before_start",
    "start_unchanged",
    "instant_in_future",
    "result_already_fixed",
)
def change(told: dict[str, Any], event_id: int) -> dict[str, Any]:
    """Put on record that a start was announced wrongly, moved, or what it really was; sales end by it."""
    word = Word(**{"instant": None, **told})
    made = change_start(session(), event_id, word, by=caller(), trades=TRADES)
    session().commit()
    shown = {name: getattr(made, name) for name in StartChangeShown().fields}
    return {**shown, "late_tickets": _late(event_id, FIRST_PAGE)}


@events.get("/<int:event_id>/start-changes")
@events.arguments(PageQuery, location="query")
@events.response(200, StartChangePage)
@allowed(*OFFICE)
def list_start_changes(page: dict[str, Any], event_id: int) -> dict[str, Any]:
    """What was said of an event's start after the announcement, the latest first."""
    event_by_id(session(), event_id)
    found, following = page_of(page, partial(changes_of, session(), event_id), attrgetter("id"))
    return {"items": found, "next_cursor": following}


@events.get("/<int:event_id>/late-tickets")
@events.arguments(PageQuery, location="query")
@events.response(200, LateTicketPage)
@allowed(*OFFICE)
def list_late_tickets(page: dict[str, Any], event_id: int) -> dict[str, Any]:
    """The tickets placed at the actual start of an event or after it, which the organizer may cancel (T-Rules 29)."""
    event_by_id(session(), event_id)
    return _late(event_id, page)


def _late(event_id: int, page: dict[str, int]) -> dict[str, Any]:
    """A page of late tickets; without an actual start on record none is late."""
    actual = start_of(session(), event_id).actual
    if actual is None:
        return {"items": [], "next_cursor": None}
    found, following = page_of(page, partial(late_tickets, session(), event_id, actual), attrgetter("number"))
    return {"items": found, "next_cursor": following}
