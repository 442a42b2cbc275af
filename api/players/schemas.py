"""What registering a player takes, and what a player's page shows."""

from __future__ import annotations

from marshmallow import fields, validate

from api.fields import Instant, Money, Schema, line


class NewPlayer(Schema):
    """A registration (T-Rules 35.3): who the person is stays encrypted."""

    login = line(60, required=True)
    password = fields.String(required=True, validate=validate.Length(10, 200), load_only=True)
    surname = line(60, required=True)
    name = line(60, required=True, metadata={"example": "Пётр"})
    patronymic = line(60)
    birth_date = fields.Date(required=True, metadata={"example": "1990-05-17"})


class PlayerShown(Schema):
    """A registration: the login and the money on the game account."""

    id = fields.Integer(required=True)
    login = fields.String(required=True)
    balance = Money(required=True)
    registered_at = Instant(required=True)
