"""What settings take and show."""

from __future__ import annotations

from typing import Any

from marshmallow import fields

from api.fields import Instant, Schema, line

VALUE = {"description": "строка, целое число, true или false, список строк: по виду настройки"}


def told_value(**kwargs: Any) -> fields.Raw:
    """A setting's value: JSON whose kind the setting knows."""
    return fields.Raw(metadata=VALUE, **kwargs)


class SettingVersionShown(Schema):
    """A version of a setting: what it is from an instant on, what it would have been, who decided it, when and why."""

    id = fields.Integer(required=True)
    name = fields.String(required=True)
    value = told_value(required=True)
    old = told_value(required=True)
    effective_from = Instant(required=True)
    reason = fields.String(required=True)
    changed_by = fields.Integer(required=True)
    recorded_at = Instant(required=True)


class SettingShown(Schema):
    """A setting: its value at the instant asked for, what holds while nobody has set it, what is planned after it."""

    name = fields.String(required=True)
    title = fields.String(required=True)
    kind = fields.String(required=True, metadata={"example": "whole_number"})
    bounds = fields.Dict(keys=fields.String(), required=True, metadata={"description": "пределы значений этого вида"})
    value = told_value(required=True)
    unset = told_value(required=True)
    notice_seconds = fields.Integer(required=True, metadata={"description": "за сколько секунд объявляется изменение"})
    at = Instant(required=True)
    planned = fields.List(fields.Nested(SettingVersionShown), required=True)


class SettingList(Schema):
    """All settings."""

    items = fields.List(fields.Nested(SettingShown), required=True)


class AtQuery(Schema):
    """The instant to show; now if none is named."""

    at = Instant(load_default=None)


class NewSettingVersion(Schema):
    """Another value for a setting, from an instant on or as soon as it can be."""

    value = told_value(required=True)
    reason = line(required=True)
    effective_from = Instant(load_default=None)


class SettingVersionPage(Schema):
    """A page of versions, the latest made first."""

    items = fields.List(fields.Nested(SettingVersionShown), required=True)
    next_cursor = fields.Integer(allow_none=True)
