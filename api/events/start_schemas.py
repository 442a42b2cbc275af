"""What changes of an event's start take and show."""

from __future__ import annotations

from typing import Any

from marshmallow import ValidationError, fields, validates_schema

from api.fields import Instant, Money, Schema, line, word
from api.reasons import reason
from events.starts.models import StartTurn
from ledger.tickets import Status

TURN = (
    "corrected — было объявлено ошибочно; moved — официально перенесено; started — фактическое начало; "
    "ended — фактическое окончание; not_started — начало записано по ошибке"
)


class NewStartChange(Schema):
    """A later word on an event's start, with its source and why it is said."""

    turn = fields.Enum(StartTurn, by_value=True, required=True, metadata={"description": TURN})
    instant = Instant(metadata={"description": "не указывается только для not_started"})
    source = line(required=True, metadata={"example": "сообщение судейской коллегии"})
    reason = reason()

    @validates_schema
    def check_instant(self, told: dict[str, Any], **_kwargs: Any) -> None:
        """Everything but a start taken back names its instant."""
        if (told.get("turn") is StartTurn.NOT_STARTED) == ("instant" in told):
            raise ValidationError("Укажите момент, а для not_started не указывайте его.", "instant")


class StartChangeShown(Schema):
    """What was said of a start; ``was`` is the start in force till then, ``stop_id`` the stop of sales it threw."""

    id = fields.Integer(required=True)
    event_id = fields.Integer(required=True)
    turn = word(StartTurn, required=True)
    instant = Instant(required=True, allow_none=True)
    was = Instant(required=True)
    source = fields.String(required=True)
    reason = fields.String(required=True)
    stop_id = fields.Integer(required=True, allow_none=True)
    entered_by = fields.Integer(required=True)
    entered_at = Instant(required=True)


class StartChangePage(Schema):
    """A page of changes of an event's start, the latest first."""

    items = fields.List(fields.Nested(StartChangeShown), required=True)
    next_cursor = fields.Integer(allow_none=True)


class LateTicketShown(Schema):
    """A ticket placed at the actual start of its event or after it, and not cancelled (T-Rules 28, 29)."""

    number = fields.Integer(required=True)
    pool = fields.String(required=True)
    outcome = fields.String(required=True)
    rows = fields.Integer(required=True, metadata={"description": "ставок в билете"})
    stake = Money(required=True)
    placed_at = Instant(required=True)
    status = word(Status, required=True)


class LateTicketPage(Schema):
    """A page of tickets placed too late, the newest first."""

    items = fields.List(fields.Nested(LateTicketShown), required=True)
    next_cursor = fields.Integer(allow_none=True)


class StartChanged(StartChangeShown):
    """The change, and the first page of the tickets that were placed too late by it."""

    late_tickets = fields.Nested(LateTicketPage, required=True)
