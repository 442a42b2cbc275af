"""What stopping sales takes and shows."""

from __future__ import annotations

from marshmallow import fields, validate

from api.fields import Instant, PageQuery, Schema, line
from office.stops.models import Scope

SUBJECT = (
    "код события, пула, кассы или терминала; название вида спорта; код игры; "
    "для исхода — pool:<код пула>/<код исхода>; для everywhere не указывается"
)


class NewStop(Schema):
    """Sales to be stopped: now, or from a later instant."""

    scope = fields.Enum(Scope, by_value=True, required=True)
    subject = line(100, load_default=None, allow_none=True, metadata={"description": SUBJECT, "example": "P1"})
    reason = line(required=True, metadata={"description": "для сотрудников и игроков: её показывает отказ"})
    effective_from = Instant(load_default=None, metadata={"description": "не указан — немедленно"})


class StopShown(Schema):
    """A stop of sales and, once it is ended, its end."""

    id = fields.Integer(required=True)
    scope = fields.String(required=True, metadata={"enum": [scope.value for scope in Scope]})
    subject = fields.String(required=True, metadata={"description": SUBJECT})
    standing = fields.String(required=True, metadata={"enum": ["planned", "in_force", "ended"]})
    effective_from = Instant(required=True)
    reason = fields.String(required=True)
    stopped_by = fields.Integer(required=True)
    recorded_at = Instant(required=True)
    resumed_at = Instant(allow_none=True)
    resumption_reason = fields.String(allow_none=True)
    resumed_by = fields.Integer(allow_none=True)


class StopQuery(PageQuery):
    """A page of stops; ``open`` picks those not yet ended, or those that are."""

    open = fields.Boolean(load_default=None)


class StopPage(Schema):
    """A page of stops, the latest made first."""

    items = fields.List(fields.Nested(StopShown), required=True)
    next_cursor = fields.Integer(allow_none=True)


class HoldingStop(Schema):
    """The stop that holds all bets of a pool, as anybody may know it."""

    scope = fields.String(required=True, validate=validate.OneOf([scope.value for scope in Scope]))
    subject = fields.String(required=True)
    reason = fields.String(required=True)
    effective_from = Instant(required=True, data_key="since")
