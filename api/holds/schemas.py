"""What holding payouts takes and shows."""

from __future__ import annotations

from marshmallow import fields

from api.fields import Instant, PageQuery, Schema, word
from ledger.holds import HoldCause


class HoldQuery(PageQuery):
    """All holds, or those that stand."""

    standing = fields.Boolean(load_default=False)


class HoldShown(Schema):
    """A hold of the payouts of a pool or of one ticket; how it ended is empty while it stands."""

    id = fields.Integer(required=True)
    pool = fields.String(required=True)
    ticket = fields.Integer(allow_none=True, metadata={"description": "the one ticket that is held, none for the pool"})
    cause = word(HoldCause, required=True)
    reason = fields.String(required=True)
    held_by = fields.String(required=True)
    held_at = Instant(required=True)
    release_reason = fields.String(allow_none=True)
    released_by = fields.String(allow_none=True)
    released_at = Instant(allow_none=True)


class HoldPage(Schema):
    """A page of holds, the oldest first."""

    items = fields.List(fields.Nested(HoldShown), required=True)
    next_cursor = fields.Integer(allow_none=True)
