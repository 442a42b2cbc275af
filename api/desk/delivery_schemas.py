"""What documents of carried cash take and show."""

from __future__ import annotations

from marshmallow import fields

from api.fields import Instant, Money, Number, PageQuery, Schema, line, word
from desk.deliveries import Direction, Outcome, Place


class NewDelivery(Schema):
    """Cash handed over to be carried between a desk and the bank or the safe."""

    desk_id = Number(required=True, strict=True)
    amount = Money(required=True)
    place = fields.Enum(Place, by_value=True, load_default=Place.BANK)


class NewReception(Schema):
    """The cash that was counted at the other side."""

    counted = Money(required=True)


class NewClearing(Schema):
    """What became of the cash that did not arrive, and how that is known."""

    outcome = fields.Enum(Outcome, by_value=True, required=True)
    reason = line(required=True)


class DeliveryShown(Schema):
    """A document of carried cash with both its legs; `in_transit` is what was sent and neither received nor cleared."""

    number = fields.Integer(required=True)
    direction = word(Direction, required=True)
    place = word(Place, required=True)
    desk_id = fields.Integer(required=True)
    desk = fields.String(required=True)
    amount = Money(required=True)
    sent_by = fields.String(required=True, metadata={"example": "Иванова А. А."})
    sent_at = Instant(required=True)
    received = Money(required=True, allow_none=True)
    received_by = fields.String(required=True, allow_none=True)
    received_at = Instant(required=True, allow_none=True)
    cleared = Money(required=True, allow_none=True)
    outcome = fields.String(required=True, allow_none=True)
    clearing_reason = fields.String(required=True, allow_none=True)
    cleared_by = fields.String(required=True, allow_none=True)
    in_transit = Money(required=True)


class DeliveryQuery(PageQuery):
    """Which documents to list."""

    desk_id = Number()
    in_transit = fields.Boolean(metadata={"description": "true: только те, по которым деньги ещё в пути"})


class DeliveryPage(Schema):
    """A page of documents, the latest sent first."""

    items = fields.List(fields.Nested(DeliveryShown), required=True)
    next_cursor = fields.Integer(allow_none=True)
