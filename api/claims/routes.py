"""Claims against announced results, disputes about tickets, and the decisions on both."""

from __future__ import annotations

from functools import partial
from operator import attrgetter
from typing import Any

from api.answers import refuses
from api.auth import allowed
from api.claims.schemas import (
    ClaimPage,
    ClaimQuery,
    ClaimShown,
    DisputePage,
    DisputeQuery,
    DisputeShown,
    NewClaim,
    NewDispute,
    NewRuling,
)
from api.fields import IdempotencyKey
from api.house import caller, house, session
from api.pages import page_of
from api.requests import Blueprint, keyed
from office.callers import Role
from reports.claims import claim_line, claim_lines, dispute_line, dispute_lines
from tote.claims.claims import ClaimTold, decide_claim, enter_claim
from tote.claims.disputes import decide_dispute, enter_dispute
from tote.pools import pool_by_code

claims = Blueprint("claims", __name__, url_prefix="/api/v1", description="Претензии и споры")
WRITERS = (Role.SUPERVISOR, Role.ORGANIZER)
READERS = (*WRITERS, Role.ACCOUNTANT, Role.AUDITOR)


@claims.post("/claims")
@claims.doc(operationId="enter_claim")
@claims.arguments(IdempotencyKey, location="headers")
@claims.arguments(NewClaim)
@claims.response(201, ClaimShown)
@allowed(*WRITERS)
@refuses("unknown_pool", "not_found", "result_not_confirmed", "claim_too_late")
def claim(headers: dict[str, Any], told: dict[str, Any]) -> Any:
    """Take a claim against an announced result, within ten days of the outcome (T-Rules 33).

    The wins it concerns are held from now on, at desks and from game accounts alike, until it is decided.
    """
    number, replay = keyed(
        headers["key"], told, lambda: enter_claim(session(), house().operator, _told(told), caller()).id
    )
    return claim_line(session(), number), replay


@claims.get("/claims")
@claims.arguments(ClaimQuery, location="query")
@claims.response(200, ClaimPage)
@allowed(*READERS)
@refuses("unknown_pool")
def list_claims(asked: dict[str, Any]) -> dict[str, Any]:
    """The claims, the newest first."""
    pool = None if asked.get("pool") is None else pool_by_code(session(), asked["pool"]).id
    read = partial(claim_lines, session(), pool_id=pool, decided=asked.get("decided"))
    items, following = page_of(asked, read, attrgetter("id"))
    return {"items": items, "next_cursor": following}


@claims.get("/claims/<int:claim_id>")
@claims.response(200, ClaimShown)
@allowed(*READERS)
def show_claim(claim_id: int) -> Any:
    """A claim and how it was decided."""
    return claim_line(session(), claim_id)


@claims.post("/claims/<int:claim_id>/decision")
@claims.doc(operationId="decide_claim")
@claims.arguments(IdempotencyKey, location="headers")
@claims.arguments(NewRuling)
@claims.response(201, ClaimShown)
@allowed(*WRITERS)
@refuses("claim_already_decided", "second_person_needed")
def rule_on_claim(headers: dict[str, Any], told: dict[str, Any], claim_id: int) -> Any:
    """Decide a claim another login entered: rejected, it holds no more; upheld, it holds until the correction."""
    _, replay = keyed(
        headers["key"],
        told,
        lambda: decide_claim(session(), house().operator, claim_id, told["decision"], told["explanation"], caller()).id,
    )
    return claim_line(session(), claim_id), replay


@claims.post("/disputes")
@claims.doc(operationId="enter_dispute")
@claims.arguments(IdempotencyKey, location="headers")
@claims.arguments(NewDispute)
@claims.response(201, DisputeShown)
@allowed(*WRITERS)
@refuses("not_found", "dispute_too_late")
def dispute(headers: dict[str, Any], told: dict[str, Any]) -> Any:
    """Take a dispute about a ticket, until thirty days after the term of payment (T-Rules 45).

    If the ticket is still payable, its payment is held until the dispute is decided.
    """
    number, replay = keyed(
        headers["key"],
        told,
        lambda: enter_dispute(session(), house().operator, told["ticket"], told["statement"], caller()).id,
    )
    return dispute_line(session(), number), replay


@claims.get("/disputes")
@claims.arguments(DisputeQuery, location="query")
@claims.response(200, DisputePage)
@allowed(*READERS)
def list_disputes(asked: dict[str, Any]) -> dict[str, Any]:
    """The disputes, the newest first."""
    read = partial(dispute_lines, session(), ticket_id=asked.get("ticket"), decided=asked.get("decided"))
    items, following = page_of(asked, read, attrgetter("id"))
    return {"items": items, "next_cursor": following}


@claims.get("/disputes/<int:dispute_id>")
@claims.response(200, DisputeShown)
@allowed(*READERS)
def show_dispute(dispute_id: int) -> Any:
    """A dispute and how it was decided."""
    return dispute_line(session(), dispute_id)


@claims.post("/disputes/<int:dispute_id>/decision")
@claims.doc(operationId="decide_dispute")
@claims.arguments(IdempotencyKey, location="headers")
@claims.arguments(NewRuling)
@claims.response(201, DisputeShown)
@allowed(*WRITERS)
@refuses("dispute_already_decided", "second_person_needed")
def rule_on_dispute(headers: dict[str, Any], told: dict[str, Any], dispute_id: int) -> Any:
    """Put the decision on a dispute on record; the ticket's payment goes on."""
    _, replay = keyed(
        headers["key"],
        told,
        lambda: (
            decide_dispute(session(), house().operator, dispute_id, told["decision"], told["explanation"], caller()).id
        ),
    )
    return dispute_line(session(), dispute_id), replay


def _told(told: dict[str, Any]) -> ClaimTold:
    documents = [{**one, "issued_on": one["issued_on"].isoformat()} for one in told["documents"]]
    return ClaimTold(pool_by_code(session(), told["pool"]), told.get("ticket"), told["statement"], documents)
