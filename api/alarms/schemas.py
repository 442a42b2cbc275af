"""What is asked about alarms, and what is shown of them."""

from __future__ import annotations

from marshmallow import fields, validate

from api.fields import Instant, PageQuery, Schema
from office.alarms.deliveries import NAMES
from office.alarms.standing import State


class AlarmQuery(PageQuery):
    """A page of deliveries, of one state or one channel if named."""

    state = fields.Enum(State, by_value=True, load_default=None)
    channel = fields.String(load_default=None, validate=validate.OneOf(NAMES))


class AlarmShown(Schema):
    """An event's way out through a channel. ``id`` is what a receiver knows repeats by."""

    id = fields.UUID(required=True)
    event_id = fields.Integer(required=True)
    kind = fields.String(required=True)
    title = fields.String(required=True)
    severity = fields.String(required=True)
    subject = fields.String(required=True)
    occurred_at = Instant(required=True)
    channel = fields.String(required=True)
    state = fields.String(required=True)
    attempts = fields.Integer(required=True)
    planned_at = Instant(required=True)
    next_attempt_at = Instant(required=True, allow_none=True)
    delivered_at = Instant(required=True, allow_none=True)
    abandoned_at = Instant(required=True, allow_none=True)
    last_error = fields.String(required=True, allow_none=True)


class BacklogShown(Schema):
    """What a channel has not delivered."""

    channel = fields.String(required=True)
    waiting = fields.Integer(required=True)
    oldest_waiting = Instant(required=True, allow_none=True)
    abandoned = fields.Integer(required=True)


class AlarmPage(Schema):
    """A page of deliveries, the latest planned first, and how the channels stand."""

    items = fields.List(fields.Nested(AlarmShown), required=True)
    next_cursor = fields.Integer(allow_none=True)
    backlogs = fields.List(fields.Nested(BacklogShown), required=True)
