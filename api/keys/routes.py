"""GET /api/v1/idempotency-keys/{key}: what became of a request whose answer never arrived."""

from __future__ import annotations

from typing import Any

from marshmallow import fields

from api.auth import allowed
from api.errors import PROBLEMS
from api.fields import Schema, word
from api.house import caller, session
from api.idempotency import find, refusal_of
from api.requests import Blueprint
from ledger.refusals import Refusal
from office.callers import Role

keys = Blueprint("keys", __name__, url_prefix="/api/v1/idempotency-keys", description="Повторы запросов")


class KeyShown(Schema):
    """What a key did: the id of what it made (for a bet, the ticket's number), or the refusal it got."""

    key = fields.String(required=True)
    route = fields.String(required=True, metadata={"example": "POST /api/v1/pool-bets"})
    outcome = word(("made", "refused"), required=True)
    reference = fields.Integer(
        allow_none=True, metadata={"description": "the number of the ticket, transfer, payout or closing that was made"}
    )
    code = fields.String(allow_none=True, metadata={"enum": [*PROBLEMS, None]})
    title = fields.String(allow_none=True)
    detail = fields.String(allow_none=True)


@keys.get("/<key:key>")
@keys.response(200, KeyShown)
@allowed(Role.CASHIER, Role.PLAYER, Role.SUPERVISOR, Role.ACCOUNTANT, Role.ORGANIZER, Role.AUDITOR)
def show_key(key: str) -> dict[str, Any]:
    """What the caller's key did; 404 means that nothing was done under it and it may be sent again."""
    stored = find(session(), caller().key_scope, key)
    if stored is None:
        raise Refusal("not_found", "По этому ключу ничего не сделано: запрос можно повторить с ним же.")
    shown: dict[str, Any] = {"key": key, "route": stored.route, "reference": stored.reference}
    refused = refusal_of(stored)
    if refused is None:
        return {**shown, "outcome": "made"}
    return {
        **shown,
        "outcome": "refused",
        "code": refused.code,
        "title": PROBLEMS[refused.code][1],
        "detail": refused.detail,
    }
