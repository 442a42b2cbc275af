"""What registering a player takes, and what a player's page shows."""

from __future__ import annotations

from marshmallow import fields, validate

from api.fields import Instant, Money, Schema, line
from api.persons.schemas import NewDetails


class NewPlayer(NewDetails):
    """A registration (T-Rules 35.3): who the person is stays encrypted. A document is asked for on doubt."""

    login = line(60, required=True)
    password = fields.String(required=True, validate=validate.Length(10, 200), load_only=True)


class PlayerShown(Schema):
    """A registration: the login and the money on the game account."""

    id = fields.Integer(required=True)
    login = fields.String(required=True)
    balance = Money(required=True)
    registered_at = Instant(required=True)
