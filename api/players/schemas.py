"""What registering a player takes, and what a player's page shows."""

from __future__ import annotations

from marshmallow import fields

from api.fields import Instant, Money, PageQuery, Schema, line
from api.persons.schemas import NewDetails, NewDocument
from api.sessions.schemas import password


class NewPlayer(NewDetails):
    """A registration (T-Rules 35.3): who the person is stays encrypted. A document is asked for on doubt."""

    login = line(60, required=True)
    password = password()


class PlayerShown(Schema):
    """A registration: the login and the money on the game account."""

    id = fields.Integer(required=True)
    login = fields.String(required=True)
    balance = Money(required=True)
    registered_at = Instant(required=True)


class PlayerQuery(PageQuery):
    """Which registrations to list."""

    login = line(60, metadata={"description": "начало логина"})


class PlayerListed(Schema):
    """A registration in a list: the login alone, and whether it was blocked."""

    id = fields.Integer(required=True)
    login = fields.String(required=True)
    registered_at = Instant(required=True)
    blocked_at = Instant(required=True, allow_none=True)


class PlayerPage(Schema):
    """A page of registrations, the newest first."""

    items = fields.List(fields.Nested(PlayerListed), required=True)
    next_cursor = fields.Integer(allow_none=True)


class IdentityShown(Schema):
    """A player who forgot the password shows the document of whoever registered (T-Rules 35.3)."""

    login = line(60, required=True)
    surname = line(60, required=True)
    name = line(60, required=True)
    patronymic = line(60)
    birth_date = fields.Date(required=True)
    document = fields.Nested(NewDocument, required=True)


class PlayerLocked(Schema):
    """A registration; ``blocked_at`` stands while it is locked."""

    id = fields.Integer(required=True)
    login = fields.String(required=True)
    blocked_at = Instant(required=True, allow_none=True)
