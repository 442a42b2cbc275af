"""What making and changing logins of the office takes and shows."""

from __future__ import annotations

from typing import Any

from marshmallow import ValidationError, fields, validate, validates_schema

from api.fields import Instant, PageQuery, Schema, line, word
from api.sessions.schemas import password
from office.callers import Role

OFFICE_ROLES = [role.value for role in Role if role is not Role.PLAYER]


class NewUser(Schema):
    """A login of the office to be made."""

    login = line(60, required=True)
    name = line(required=True, metadata={"example": "Иванова Анна"})
    role = fields.String(required=True, validate=validate.OneOf(OFFICE_ROLES))
    password = password()


class UserChange(Schema):
    """What is to be another from now on: the name, the role, or both."""

    name = line()
    role = fields.String(validate=validate.OneOf(OFFICE_ROLES))

    @validates_schema
    def changes_something(self, told: dict[str, Any], **kwargs: Any) -> None:
        """A change of nothing is a mistake of the client's."""
        if not told:
            raise ValidationError("Укажите name или role.")


class UserQuery(PageQuery):
    """Which logins to list."""

    role = fields.String(validate=validate.OneOf(OFFICE_ROLES))
    blocked = fields.Boolean()


class UserShown(Schema):
    """A login of the office; ``blocked_at`` stands while it is locked."""

    id = fields.Integer(required=True)
    login = fields.String(required=True)
    name = fields.String(required=True, metadata={"example": "Иванова Анна"})
    role = word(Role, required=True)
    blocked_at = Instant(required=True, allow_none=True)
    created_at = Instant(required=True)


class UserPage(Schema):
    """A page of logins."""

    items = fields.List(fields.Nested(UserShown), required=True)
    next_cursor = fields.Integer(allow_none=True)


class OneTimePasswordShown(Schema):
    """A one-time password, shown this once: it is changed at the next sign-in, and lapses at ``until``."""

    password = fields.String(required=True)
    until = Instant(required=True)


class SessionShown(Schema):
    """An open session: since when, till when, and at which terminal."""

    id = fields.Integer(required=True)
    role = word(Role, required=True)
    terminal_id = fields.Integer(required=True, allow_none=True)
    issued_at = Instant(required=True)
    expires_at = Instant(required=True)


class SessionList(Schema):
    """The open sessions of a login."""

    items = fields.List(fields.Nested(SessionShown), required=True)
