"""Approvals by a second person: what waits, and the decision on it."""

from __future__ import annotations

from functools import partial
from operator import attrgetter
from typing import Any

from api.answers import refuses
from api.approvals.schemas import ApprovalPage, ApprovalQuery, ApprovalShown, NewDecision
from api.auth import allowed
from api.fields import IdempotencyKey
from api.house import caller, house, session
from api.pages import page_of
from api.requests import Blueprint, keyed
from office.approvals.deciding import decide
from office.callers import Role
from reports.approvals import Approval, Wanted, approval
from reports.approvals import approvals as read_approvals

approvals = Blueprint("approvals", __name__, url_prefix="/api/v1/approvals", description="Второй сотрудник")


@approvals.get("")
@approvals.arguments(ApprovalQuery, location="query")
@approvals.response(200, ApprovalPage)
@allowed(Role.CASHIER, Role.SUPERVISOR, Role.ORGANIZER, Role.AUDITOR)
def list_approvals(page: dict[str, Any]) -> dict[str, Any]:
    """What waits for a second person and what became of it; a cashier sees the own proposals and the terminal's."""
    wanted = Wanted(page["act"], page["state"])
    read = partial(read_approvals, session(), house().persons, caller(), wanted)
    items, following = page_of(page, read, attrgetter("id"))
    return {"items": items, "next_cursor": following}


@approvals.get("/<int:approval_id>")
@approvals.response(200, ApprovalShown)
@allowed(Role.CASHIER, Role.SUPERVISOR, Role.ORGANIZER, Role.AUDITOR)
def show_approval(approval_id: int) -> Approval:
    """A proposal and how it stands: what a terminal asks while it waits."""
    return approval(session(), house().persons, approval_id, caller())


@approvals.post("/<int:approval_id>/decision")
@approvals.doc(operationId="decide_approval")
@approvals.arguments(IdempotencyKey, location="headers")
@approvals.arguments(NewDecision)
@approvals.response(201, ApprovalShown)
@allowed(Role.CASHIER, Role.SUPERVISOR, Role.ORGANIZER)
@refuses(
    "second_person_needed",
    "approval_already_decided",
    "approval_lapsed",
    "approved_by_protocol",
    "proposer_not_entitled",
)
def decide_on(headers: dict[str, Any], told: dict[str, Any], approval_id: int) -> Any:
    """Approve or refuse what another login proposed, or withdraw the own proposal.

    A result is approved by its protocol (`POST /events/{id}/protocols`); here it can be refused or withdrawn.
    """
    approval(session(), house().persons, approval_id, caller())
    _, replay = keyed(
        headers["key"],
        told,
        lambda: decide(session(), approval_id, told["decision"], caller(), told.get("reason")).id,
    )
    return approval(session(), house().persons, approval_id, caller()), replay
