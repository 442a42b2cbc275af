"""Cancelling bets made in breach of the rules."""

from __future__ import annotations

from typing import Any

from marshmallow import fields, validate

from api.answers import refuses
from api.approvals.schemas import ApprovalShown
from api.auth import allowed
from api.fields import IdempotencyKey, Instant, Money, Schema, line, word
from api.house import caller, house, session
from api.requests import Blueprint, keyed
from office.callers import Role
from reports.approvals import approval
from reports.cancellations import cancellation_line
from tote.cancelling import Grounds, cancel, propose_cancellation
from tote.models import CancellationReason, CancellationStage

cancellations = Blueprint("cancellations", __name__, url_prefix="/api/v1", description="Отмена ставок организатором")


class NewCancellationProposal(Schema):
    """In what the bet broke the rules, from the list and in words; no personal data belong here (T-Rules 29)."""

    reason = fields.Enum(CancellationReason, by_value=True, required=True)
    explanation = line(required=True, metadata={"example": "Ставка принята после начала матча"})


class NewCancellation(NewCancellationProposal):
    """A bet to be cancelled; ``approval`` is the number of the proposal another organizer approved, if one was needed.

    ``reason`` and ``explanation`` are then those of the proposal.
    """

    approval = fields.Integer(strict=True, validate=validate.Range(1, 2**63 - 1))


class CancellationShown(Schema):
    """A cancelled bet and its money: where the stake came from, what counted against it, what was recovered (D-18)."""

    ticket = fields.Integer(required=True)
    pool = fields.String(required=True)
    stage = word(CancellationStage, required=True)
    reason = word(CancellationReason, required=True)
    explanation = fields.String(required=True, metadata={"example": "Ставка принята после начала матча"})
    stake = Money(required=True)
    received = Money(required=True, metadata={"description": "paid or credited before; it counts against the stake"})
    due = Money(required=True, metadata={"description": "credited at once, or paid at a desk, and does not lapse"})
    from_stakes = Money(required=True)
    from_withdrawal = Money(required=True)
    from_fund = Money(required=True)
    from_organizer = Money(required=True)
    to_jackpot = Money(required=True)
    taken_back = Money(required=True)
    claimed = Money(required=True)
    overpaid = Money(required=True)
    cancelled_by = fields.String(required=True, metadata={"example": "Иванова А. А."})
    cancelled_at = Instant(required=True)


@cancellations.post("/tickets/<int:number>/cancellation")
@cancellations.arguments(IdempotencyKey, location="headers")
@cancellations.arguments(NewCancellation)
@cancellations.response(201, CancellationShown)
@allowed(Role.ORGANIZER)
@refuses(
    "already_cancelled",
    "settlement_under_way",
    "payout_held",
    "second_person_needed",
    "approval_waiting",
    "approval_refused",
    "approval_lapsed",
    "approval_used",
    "approval_differs",
    "proposer_not_entitled",
    "approver_not_entitled",
)
def cancel_bet(headers: dict[str, Any], told: dict[str, Any], number: int) -> Any:
    """Cancel a bet made in breach of the rules, even a played one, and give its stake back (T-Rules 29).

    A bet that was paid or credited takes a second organizer: propose the cancellation, and when it is approved repeat
    it with the `approval` and a fresh key.
    """
    _, replay = keyed(
        headers["key"], told, lambda: cancel(session(), house().operator, number, _grounds(told), caller()).ticket_id
    )
    return cancellation_line(session(), number), replay


@cancellations.post("/tickets/<int:number>/cancellation-proposals")
@cancellations.doc(operationId="propose_cancellation")
@cancellations.arguments(IdempotencyKey, location="headers")
@cancellations.arguments(NewCancellationProposal)
@cancellations.response(201, ApprovalShown)
@allowed(Role.ORGANIZER)
@refuses("already_cancelled", "second_person_not_needed")
def propose_to_cancel(headers: dict[str, Any], told: dict[str, Any], number: int) -> Any:
    """Propose to cancel a bet that was paid or credited; another organizer decides on it."""
    proposal_id, replay = keyed(
        headers["key"], told, lambda: propose_cancellation(session(), number, _grounds(told), caller()).id
    )
    return approval(session(), house().persons, proposal_id, caller()), replay


def _grounds(told: dict[str, Any]) -> Grounds:
    return Grounds(told["reason"], told["explanation"], told.get("approval"))
