"""What signing in and making logins take and show."""

from __future__ import annotations

from marshmallow import fields, validate

from api.fields import Instant, Schema, code, line, word
from office.users import Role

OFFICE_ROLES = [role.value for role in Role if role is not Role.PLAYER]


class TerminalProof(Schema):
    """A terminal's code and its secret: a cashier signs in at one (DESIGN 4)."""

    code = code(required=True)
    secret = fields.String(required=True, validate=validate.Length(1, 200), load_only=True)


class SignIn(Schema):
    """Login and password; a cashier adds the terminal."""

    login = line(60, required=True)
    password = fields.String(required=True, validate=validate.Length(1, 200), load_only=True)
    terminal = fields.Nested(TerminalProof)


class PlayerSignIn(Schema):
    """Login and password of a registered player."""

    login = line(60, required=True)
    password = fields.String(required=True, validate=validate.Length(1, 200), load_only=True)


class Token(Schema):
    """A bearer token, shown this once."""

    token = fields.String(required=True)
    role = word(Role, required=True)
    expires_at = Instant(required=True)


class NewUser(Schema):
    """A login of the office to be made."""

    login = line(60, required=True)
    name = line(required=True, metadata={"example": "Иванова Анна"})
    role = fields.String(required=True, validate=validate.OneOf(OFFICE_ROLES))
    password = fields.String(required=True, validate=validate.Length(10, 200), load_only=True)


class UserShown(Schema):
    """A login of the office."""

    id = fields.Integer(required=True)
    login = fields.String(required=True)
    name = fields.String(required=True, metadata={"example": "Иванова Анна"})
    role = word(Role, required=True)
