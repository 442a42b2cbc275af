"""What validation says to a person, in Russian; imported before any schema is made."""

from __future__ import annotations

from typing import Any

from marshmallow import fields, validate

REQUIRED = "Поле обязательно."
FIELDS: dict[type[fields.Field[Any]], dict[str, str]] = {
    fields.Field: {
        "required": REQUIRED,
        "null": "Поле не может быть пустым.",
        "validator_failed": "Неправильное значение.",
    },
    fields.String: {"invalid": "Нужна строка.", "invalid_utf8": "Строка не в UTF-8."},
    fields.Integer: {"invalid": "Нужно целое число.", "too_large": "Число слишком велико."},
    fields.Boolean: {"invalid": "Нужно true или false."},
    fields.Date: {
        "invalid": "Нужна дата вида 2022-11-22.",
        "invalid_awareness": "Нужна дата без времени.",
        "format": "Дату нельзя записать.",
    },
    fields.DateTime: {
        "invalid": "Нужен момент вида 2022-11-22T13:00:00+03:00.",
        "invalid_awareness": "Укажите смещение от UTC, например +03:00.",
        "format": "Момент нельзя записать.",
    },
    fields.AwareDateTime: {"invalid_awareness": "Укажите смещение от UTC, например +03:00."},
    fields.List: {"invalid": "Нужен список."},
    fields.Nested: {"type": "Нужен объект JSON."},
    fields.Enum: {
        "unknown": "Допустимо одно из: {choices}.",
        "by_name": "Нужно имя.",
        "must_be_string": "Нужна строка.",
    },
}
SCHEMA = {"unknown": "Неизвестное поле.", "type": "Нужен объект JSON."}
MONEY = {
    "not_a_string": "Нужна строка в кавычках, например «12.50», а не число.",
    "not_plain_decimal": "Нужны цифры с точкой, например 12.50.",
    "not_plain_fraction": "Нужна дробь, например 200/3.",
    "too_many_places": "Слишком много знаков после точки.",
    "out_of_range": "Число слишком велико.",
}


def speak_russian() -> None:
    """Put the words in place of the library's own."""
    for kind, words in FIELDS.items():
        kind.default_error_messages = {**kind.default_error_messages, **words}
    validate.Length.message_min = "Не короче {min}."
    validate.Length.message_max = "Не длиннее {max}."
    validate.Length.message_all = "Длина от {min} до {max}."
    validate.Length.message_equal = "Длина ровно {equal}."
    validate.Range.message_min = "Не меньше {{min}}."
    validate.Range.message_max = "Не больше {{max}}."
    validate.Range.message_all = "От {{min}} до {{max}}."
    validate.OneOf.default_message = "Допустимо одно из: {choices}."
    validate.Regexp.default_message = "Недопустимые знаки или длина."


speak_russian()
