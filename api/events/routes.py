"""Events, results, protocols."""

from __future__ import annotations

from functools import partial
from operator import attrgetter
from typing import Any

from api.answers import refuses
from api.auth import allowed
from api.events.schemas import (
    EventPage,
    EventQuery,
    EventShown,
    NewEvent,
    NewProtocol,
    NewResult,
    ProtocolPage,
    ProtocolShown,
    ResultPage,
    ResultShown,
)
from api.events.showing import shown_event, shown_events
from api.fields import PageQuery
from api.house import caller, house, session
from api.pages import page_of
from api.requests import Blueprint
from db.clock import trade_time
from events.models import Event, Protocol, Result, ResultScore
from events.protocols import confirm_result
from events.records import announced, event_by_id, protocols_of, result_of, results_of
from events.results import announce_event, enter_result
from office.callers import Role
from tote.closing import close_called_off
from tote.corrections import TOTE

TRADES = (TOTE,)
"""Who settles by protocols; an event's room knows no trade, so it is told here."""

OFFICE = (Role.ORGANIZER, Role.TRADER, Role.SUPERVISOR, Role.ACCOUNTANT, Role.AUDITOR)
events = Blueprint("events", __name__, url_prefix="/api/v1/events", description="События и результаты")


@events.post("")
@events.doc(operationId="announce_event")
@events.arguments(NewEvent)
@events.response(201, EventShown)
@allowed(Role.ORGANIZER, Role.TRADER)
@refuses("code_taken")
def announce(told: dict[str, Any]) -> dict[str, Any]:
    """Announce an event."""
    event = announce_event(session(), Event(**told, entered_by=caller().user_id))
    session().commit()
    return shown_event(event)


@events.get("")
@events.arguments(EventQuery, location="query")
@events.response(200, EventPage)
@allowed(*Role)
def list_events(asked: dict[str, Any]) -> dict[str, Any]:
    """The events, the latest announced first."""
    wanted: dict[str, Any] = {name: asked.get(name) for name in ("sport", "upcoming", "overdue")}
    found, following = page_of(asked, partial(announced, session(), **wanted), attrgetter("id"))
    return {"items": shown_events(found), "next_cursor": following}


@events.get("/<int:event_id>")
@events.doc(operationId="show_event")
@events.response(200, EventShown)
@allowed(*Role)
def show(event_id: int) -> dict[str, Any]:
    """An event as announced, and how its start stands."""
    return shown_event(event_by_id(session(), event_id))


@events.post("/<int:event_id>/results")
@events.doc(operationId="enter_result")
@events.arguments(NewResult)
@events.response(201, ResultShown)
@allowed(Role.ORGANIZER)
@refuses(
    "event_not_started",
    "scores_wrong",
    "result_already_fixed",
    "protocol_superseded",
    "settlement_under_way",
    "result_names_no_outcome",
)
def enter(told: dict[str, Any], event_id: int) -> Result:
    """Enter a result, or one that corrects a protocol; it moves nothing until another organizer confirms it.

    An event that was not held, or was interrupted, has no outcomes: its stakes are returned (T-Rules 32).
    """
    explanation = told.pop("explanation", None)
    scores = [ResultScore(**score) for score in told.pop("scores")]
    now = trade_time(session())
    entry = Result(**{"score": None, **told}, scores=scores, entered_by=caller().user_id, entered_at=now)
    result = enter_result(session(), event_id, entry, caller(), trades=TRADES, explanation=explanation)
    session().commit()
    return result


@events.get("/<int:event_id>/results")
@events.arguments(PageQuery, location="query")
@events.response(200, ResultPage)
@allowed(*OFFICE)
def list_results(page: dict[str, Any], event_id: int) -> dict[str, Any]:
    """The results that were entered for an event, the latest first; the one that counts stands in a protocol."""
    event_by_id(session(), event_id)
    found, following = page_of(page, partial(results_of, session(), event_id), attrgetter("id"))
    return {"items": found, "next_cursor": following}


@events.get("/<int:event_id>/results/<int:result_id>")
@events.response(200, ResultShown)
@allowed(*OFFICE)
def show_result(event_id: int, result_id: int) -> Result:
    """A result as it was entered."""
    return result_of(session(), event_id, result_id)


@events.get("/<int:event_id>/protocols")
@events.arguments(PageQuery, location="query")
@events.response(200, ProtocolPage)
@allowed(*OFFICE)
def list_protocols(page: dict[str, Any], event_id: int) -> dict[str, Any]:
    """The protocols of an event, corrected ones included; the first of the list is in force."""
    event_by_id(session(), event_id)
    found, following = page_of(page, partial(protocols_of, session(), event_id), attrgetter("id"))
    return {"items": found, "next_cursor": following}


@events.post("/<int:event_id>/protocols")
@events.doc(operationId="confirm_result")
@events.arguments(NewProtocol)
@events.response(201, ProtocolShown)
@allowed(Role.ORGANIZER)
@refuses(
    "second_person_needed",
    "result_already_fixed",
    "protocol_superseded",
    "settlement_under_way",
    "result_names_no_outcome",
    "approval_already_decided",
    "approval_lapsed",
    "approval_differs",
    "proposer_not_entitled",
)
def confirm(told: dict[str, Any], event_id: int) -> Protocol:
    """Confirm a result entered by another login, by the commission's signed protocol.

    Where it says that the event was not held, sales of its pools end with it (T-Rules 32). Where it corrects a protocol
    by which pools were settled, these are settled again, and nobody is paid by them until
    that is complete (D-14).
    """
    result_id = told.pop("result_id")
    protocol = confirm_result(session(), event_id, result_id, by=caller(), trades=TRADES, **told)
    close_called_off(session(), house().operator, event_id, caller().user_id)
    session().commit()
    return protocol
