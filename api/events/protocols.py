"""A protocol as a whole, and what was annulled later."""

from __future__ import annotations

from functools import partial
from operator import attrgetter
from typing import Any

from api.answers import refuses
from api.auth import allowed
from api.events.protocol_schemas import AnnulmentPage, AnnulmentShown, NewAnnulment, ProtocolWhole
from api.events.routes import OFFICE, events
from api.fields import PageQuery
from api.house import caller, session
from api.pages import page_of
from events.annulments import put_annulment_on_record
from events.models import Annulment
from events.protocol_sheet import protocol_sheet
from events.records import annulments_of, event_by_id, protocol_numbered
from office.callers import Role
from reports.came_true import come_true


@events.get("/<int:event_id>/protocols/<int:number>")
@events.response(200, ProtocolWhole)
@allowed(*OFFICE)
def show_protocol(event_id: int, number: int) -> dict[str, Any]:
    """A protocol of an event with all that its paper needs."""
    sheet = protocol_sheet(session(), protocol_numbered(session(), event_id, number).number)
    return {**vars(sheet), "pools": come_true(session(), sheet)}


@events.post("/<int:event_id>/annulments")
@events.arguments(NewAnnulment)
@events.response(201, AnnulmentShown)
@allowed(Role.ORGANIZER)
@refuses("result_not_confirmed")
def record_annulment(told: dict[str, Any], event_id: int) -> Annulment:
    """Put on record that a sports body annulled the result later; wins are paid by the first one (T-Rules 32)."""
    annulment = put_annulment_on_record(session(), event_id, by=caller(), **told)
    session().commit()
    return annulment


@events.get("/<int:event_id>/annulments")
@events.arguments(PageQuery, location="query")
@events.response(200, AnnulmentPage)
@allowed(*OFFICE)
def list_annulments(page: dict[str, Any], event_id: int) -> dict[str, Any]:
    """What was annulled of an event's result later, the latest put on record first."""
    event_by_id(session(), event_id)
    found, following = page_of(page, partial(annulments_of, session(), event_id), attrgetter("id"))
    return {"items": found, "next_cursor": following}
