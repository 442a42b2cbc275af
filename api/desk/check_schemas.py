"""What a look at a ticket takes and shows."""

from __future__ import annotations

from marshmallow import fields, validate

from api.fields import Instant, Money, Schema, word
from desk.models import CodeEntry
from ledger.tickets import Status
from tote.games.register import GAMES


class TicketToCheck(Schema):
    """A ticket's code, and how it came to the terminal."""

    code = fields.String(
        required=True, validate=validate.Length(8, 64), load_only=True, metadata={"example": "ZJLHYSWR2SD2CCSJ"}
    )
    code_entry = fields.Enum(CodeEntry, by_value=True, required=True)


class HindranceShown(Schema):
    """Why nothing is paid now, by the code a payout would be refused with; `at` is the instant it tells of."""

    code = fields.String(required=True, metadata={"example": "not_payable_yet"})
    detail = fields.String(required=True)
    at = Instant(required=True, allow_none=True)


class TicketChecked(Schema):
    """A ticket before its payout: the terms it was made on, how it stands, and what is due at this moment."""

    number = fields.Integer(required=True)
    operator = fields.String(required=True)
    game = word(GAMES, required=True)
    pool = fields.String(required=True)
    pool_name = fields.String(required=True)
    event = fields.String(required=True)
    event_starts_at = Instant(required=True)
    outcome = fields.String(required=True)
    outcome_name = fields.String(required=True)
    stake = Money(required=True)
    placed_at = Instant(required=True)
    desk = fields.String(required=True, allow_none=True)
    place = fields.String(required=True, allow_none=True)
    status = word(Status, required=True)
    win = Money(required=True, allow_none=True)
    stake_back = Money(required=True, allow_none=True)
    due = Money(required=True, metadata={"description": "что выплачивается сейчас; 0.00, если что-то мешает"})
    payable_from = Instant(required=True, allow_none=True)
    payable_until = Instant(required=True, allow_none=True)
    second_person = fields.String(
        required=True,
        allow_none=True,
        metadata={"example": "typed", "description": "`large` или `typed`: выплату подтверждает второй сотрудник"},
    )
    hindrance = fields.Nested(HindranceShown, required=True, allow_none=True)
