"""Events, results, protocols."""

from __future__ import annotations

from typing import Any

from api.auth import allowed
from api.events.schemas import (
    EventShown,
    NewEvent,
    NewProtocol,
    NewResult,
    ProtocolList,
    ProtocolShown,
    ResultShown,
)
from api.house import caller, session
from api.requests import Blueprint
from db.clock import trade_time
from events.models import Event, Protocol, Result
from events.protocols import Stop, confirm_result, protocols_of
from events.results import announce_event, enter_result
from ledger.refusals import Refusal
from office.callers import Role
from tote.corrections import refuse_if_settling

STOPS: tuple[Stop, ...] = (refuse_if_settling,)
"""What the trades have against correcting a protocol; an event's room knows no trade, so it is told here."""

events = Blueprint("events", __name__, url_prefix="/api/v1/events", description="События и результаты")


@events.post("")
@events.arguments(NewEvent)
@events.response(201, EventShown)
@allowed(Role.ORGANIZER, Role.TRADER)
def announce(told: dict[str, Any]) -> Event:
    """Announce an event."""
    event = announce_event(session(), Event(**told, entered_by=caller().user_id))
    session().commit()
    return event


@events.get("/<int:event_id>")
@events.response(200, EventShown)
@allowed(*Role)
def show(event_id: int) -> Event:
    """An event as announced."""
    event = session().get(Event, event_id)
    if event is None:
        raise Refusal("not_found", "Такого события нет.")
    return event


@events.post("/<int:event_id>/results")
@events.arguments(NewResult)
@events.response(201, ResultShown)
@allowed(Role.ORGANIZER)
def enter(told: dict[str, Any], event_id: int) -> Result:
    """Enter a result, or one that corrects a protocol; it moves nothing until another organizer confirms it."""
    explanation = told.pop("explanation", None)
    entry = Result(**{"score": None, **told}, entered_by=caller().user_id, entered_at=trade_time(session()))
    result = enter_result(session(), event_id, entry, caller(), stops=STOPS, explanation=explanation)
    session().commit()
    return result


@events.post("/<int:event_id>/protocols")
@events.arguments(NewProtocol)
@events.response(201, ProtocolShown)
@allowed(Role.ORGANIZER)
def confirm(told: dict[str, Any], event_id: int) -> Protocol:
    """Confirm a result entered by another login, by the commission's signed protocol."""
    protocol = confirm_result(
        session(), event_id, told["result_id"], by=caller(), signatories=told["signatories"], stops=STOPS
    )
    session().commit()
    return protocol


@events.get("/<int:event_id>/protocols")
@events.response(200, ProtocolList)
@allowed(Role.ORGANIZER, Role.TRADER, Role.SUPERVISOR, Role.ACCOUNTANT, Role.AUDITOR)
def list_protocols(event_id: int) -> dict[str, Any]:
    """Every protocol of an event, corrected ones included; the last one is in force."""
    return {"items": protocols_of(session(), event_id)}
