"""What the log of significant events is asked, and what it shows."""

from __future__ import annotations

from marshmallow import fields, validate

from api.fields import Instant, PageQuery, Schema, Whole
from office.significant.kinds import KINDS, Severity

SUBJECT = r"^[\w:.+\-]{1,120}$"
USER = validate.Range(1, 2**63 - 1)


class SignificantEventsWanted(Schema):
    """Which events are looked for; what is not named does not matter."""

    kind = fields.String(load_default=None, validate=validate.OneOf(sorted(KINDS)))
    severity = fields.String(load_default=None, validate=validate.OneOf([one.value for one in Severity]))
    subject = fields.String(load_default=None, validate=Whole(SUBJECT), metadata={"example": "ticket:1204"})
    user_id = fields.Integer(load_default=None, validate=USER)
    since = Instant(load_default=None, data_key="from", metadata={"description": "inclusive"})
    until = Instant(load_default=None, metadata={"description": "exclusive"})


class SignificantEventQuery(PageQuery, SignificantEventsWanted):
    """A page of the events looked for."""


class SignificantEventExport(SignificantEventsWanted):
    """An export of the events looked for, as they stood at the last seal at or before ``as_of`` (now, if not named)."""

    as_of = Instant(load_default=None)


class SignificantEventShown(Schema):
    """An event. ``facts`` hold what was and what became of it, amounts as strings; never a person's data."""

    id = fields.Integer(required=True)
    kind = fields.String(required=True)
    title = fields.String(required=True)
    severity = fields.String(required=True)
    subject = fields.String(required=True)
    user_id = fields.Integer(required=True, allow_none=True)
    player_id = fields.Integer(required=True, allow_none=True)
    terminal_id = fields.Integer(required=True, allow_none=True)
    facts = fields.Dict(keys=fields.String(), required=True)
    occurred_at = Instant(required=True)
    recorded_at = Instant(required=True)


class SignificantEventPage(Schema):
    """A page of events, the latest first."""

    items = fields.List(fields.Nested(SignificantEventShown), required=True)
    next_cursor = fields.Integer(allow_none=True)
