"""The log of significant events: pages for a screen, one event, and the whole as a file."""

from __future__ import annotations

from functools import partial
from operator import attrgetter
from typing import Any

from werkzeug.wrappers import Response

from api.answers import refuses
from api.auth import allowed
from api.house import caller, house, session
from api.pages import page_of
from api.requests import Blueprint
from api.significant.schemas import (
    SignificantEventExport,
    SignificantEventPage,
    SignificantEventQuery,
    SignificantEventShown,
)
from documents.csv import csv_pieces
from office.callers import Role
from office.significant.export import HEADER, begin_export, exported_rows
from office.significant.kinds import title_of
from office.significant.log import SignificantEvent
from office.significant.search import Wanted, event_by_id, newest

significant = Blueprint(
    "significant", __name__, url_prefix="/api/v1/significant-events", description="Журнал значимых событий"
)
READERS = (Role.ADMINISTRATOR, Role.ORGANIZER, Role.AUDITOR)
CSV = "text/csv"


@significant.get("")
@significant.doc(operationId="list_significant_events")
@significant.arguments(SignificantEventQuery, location="query")
@significant.response(200, SignificantEventPage)
@allowed(*READERS)
def list_events(asked: dict[str, Any]) -> dict[str, Any]:
    """The events looked for, the latest first."""
    page = {name: asked.pop(name) for name in ("cursor", "limit")}
    events, following = page_of(page, partial(newest, session(), Wanted(**asked)), attrgetter("id"))
    return {"items": [shown(event) for event in events], "next_cursor": following}


@significant.get("/<int:event_id>")
@significant.doc(operationId="show_significant_event")
@significant.response(200, SignificantEventShown)
@allowed(*READERS)
def show_event(event_id: int) -> dict[str, Any]:
    """One event."""
    return shown(event_by_id(session(), event_id))


@significant.get("/export")
@significant.doc(operationId="export_significant_events")
@significant.arguments(SignificantEventExport, location="query")
@significant.response(200, {"type": "string"}, content_type=CSV, description="UTF-8 with BOM, cells between `;`")
@allowed(*READERS)
@refuses("instant_in_future", "nothing_sealed")
def export_events(asked: dict[str, Any]) -> Response:
    """The events looked for as CSV, as of a seal: the same question about a past instant gives the same bytes."""
    instant, wanted = asked.pop("as_of"), Wanted(**asked)
    fixed = begin_export(session(), instant, wanted, caller())
    session().commit()
    rows = exported_rows(house().sessions, fixed, wanted, house().operator.zone_at(fixed.sealed_at))
    answer = Response(csv_pieces(HEADER, rows), content_type=f"{CSV}; charset=utf-8")
    answer.headers["Content-Disposition"] = f'attachment; filename="significant-events-{fixed.seal}.csv"'
    answer.headers["As-Of-Seal"] = str(fixed.seal)
    return answer


def shown(event: SignificantEvent) -> dict[str, Any]:
    """An event as the API shows it."""
    told = {name: getattr(event, name) for name in SignificantEventShown().fields if name != "title"}
    return {**told, "title": title_of(event.kind)}
