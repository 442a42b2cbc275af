"""What announcing events and fixing results takes and shows."""

from __future__ import annotations

from zoneinfo import available_timezones

from marshmallow import ValidationError, fields, validate

from api.fields import Instant, Schema, code, line

ZONES = frozenset(available_timezones())


def _known_zone(name: str) -> None:
    # Hundreds of names, more with every edition of the database: not an enumeration for the API's description.
    if name not in ZONES:
        raise ValidationError("Неизвестная зона.")


class NewEvent(Schema):
    """An event to be announced: sides, venue's zone, start as announced."""

    code = code(required=True)
    name = line(required=True)
    sport = line(60, required=True)
    home = line(required=True)
    away = line(required=True)
    venue_zone = fields.String(
        required=True,
        validate=[validate.Length(1, 60), _known_zone],
        metadata={"description": "IANA name", "example": "Asia/Qatar"},
    )
    starts_at = Instant(required=True)


class EventShown(Schema):
    """An event as announced."""

    id = fields.Integer(required=True)
    code = fields.String(required=True)
    name = fields.String(required=True)
    sport = fields.String(required=True)
    home = fields.String(required=True)
    away = fields.String(required=True)
    venue_zone = fields.String(required=True)
    starts_at = Instant(required=True)


class NewResult(Schema):
    """A result to be entered: the score in words of the protocol, the codes of the outcomes that came true (D-22)."""

    score = line(40)
    outcomes = fields.List(code(), required=True, validate=validate.Length(1, 50))
    source = line(required=True)


class ResultShown(Schema):
    """A result somebody entered."""

    id = fields.Integer(required=True)
    event_id = fields.Integer(required=True)
    score = fields.String(allow_none=True)
    outcomes = fields.List(fields.String(), required=True)
    source = fields.String(required=True)
    entered_by = fields.Integer(required=True)
    entered_at = Instant(required=True)


class NewProtocol(Schema):
    """The confirmation of an entered result by the commission, with its members' names (T-Rules 10)."""

    result_id = fields.Integer(required=True, strict=True, validate=validate.Range(1, 2**63 - 1))
    signatories = fields.List(line(), required=True, validate=validate.Length(1, 20))


class ProtocolShown(Schema):
    """A protocol: what was fixed."""

    id = fields.Integer(required=True)
    number = fields.Integer(required=True)
    event_id = fields.Integer(required=True)
    version = fields.Integer(required=True)
    result_id = fields.Integer(required=True)
    entered_by = fields.Integer(required=True)
    confirmed_by = fields.Integer(required=True)
    signatories = fields.List(fields.String(), required=True)
    drawn_up_at = Instant(required=True)
