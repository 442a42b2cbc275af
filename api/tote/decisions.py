"""The history of a ticket's decisions, for the office."""

from __future__ import annotations

from typing import Any

from api.auth import allowed
from api.house import session
from api.requests import Blueprint
from api.tote.decision_schemas import DecisionList
from office.callers import Role
from reports.decisions import decisions_on

decisions = Blueprint("decisions", __name__, url_prefix="/api/v1", description="Решения по билетам")


@decisions.get("/tickets/<int:number>/decisions")
@decisions.response(200, DecisionList)
@allowed(Role.ORGANIZER, Role.ACCOUNTANT, Role.AUDITOR, Role.SUPERVISOR, Role.TRADER)
def list_decisions(number: int) -> dict[str, Any]:
    """What was decided on a ticket, the first decision first: of several the last one stands (D-14)."""
    return {"items": decisions_on(session(), number)}
