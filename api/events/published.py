"""The results the organizer announces to everybody."""

from __future__ import annotations

from functools import partial
from operator import attrgetter
from typing import Any

from api.auth import allowed
from api.events.protocol_schemas import AnnouncedResultPage
from api.fields import PageQuery
from api.house import session
from api.pages import page_of
from api.requests import Blueprint
from events.announced_results import announced_results
from office.callers import Role

published = Blueprint("results", __name__, url_prefix="/api/v1/results", description="Объявленные результаты")


@published.get("")
@published.arguments(PageQuery, location="query")
@published.response(200, AnnouncedResultPage)
@allowed(*Role)
def list_announced_results(page: dict[str, Any]) -> dict[str, Any]:
    """The results in force, the latest protocol first (T-Rules 10, 31)."""
    found, following = page_of(page, partial(announced_results, session()), attrgetter("protocol_id"))
    return {"items": found, "next_cursor": following}
