"""Examples for the API's description, put together from its schemas: a field's own example, or what its form allows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

FORMS: dict[str, Any] = {
    "date": "2022-11-22",
    "date-time": "2022-11-22T13:00:00+03:00",
    "uuid": "7d3f9c52-2f0e-4c1b-9a57-0c4f6b1d8e21",
    "integer": 1,
    "number": 1,
    "boolean": False,
    "null": None,
    "string": "…",
}
"""What stands for a value by its format, or else by its type."""
TEXTS = {
    "amount": "12.50",
    "annulled_by": "Дисциплинарный комитет ФИФА",
    "away": "Саудовская Аравия",
    "cash_register": "SN-100200",
    "cashier": "Иванова А. А.",
    "certificate": "100-1",
    "code": "ARG-KSA",
    "counted": "100.00",
    "currency": "BYN",
    "desk": "K-1",
    "detail": "Что случилось и что делать.",
    "document": "паспорт MP…",
    "event": "Аргентина — Саудовская Аравия",
    "home": "Аргентина",
    "issued_by": "РУВД",
    "key": "terminal-7-2022-11-22-000042",
    "kind": "паспорт",
    "login": "ivanova",
    "name": "Аргентина — Саудовская Аравия",
    "operator": "ООО «Тотализатор»",
    "outcome": "1",
    "outcome_name": "Победа хозяев",
    "password": "correct horse battery",
    "patronymic": "Петрович",
    "period": "first_half",
    "person": "П…",
    "place": "Минск, пр. Победителей, 1",
    "player": "ivan",
    "pool": "ARG-KSA",
    "pool_name": "Исход матча",
    "reason": "Решение организатора",
    "remarks": "без замечаний",
    "score": "2:1",
    "secret": "pX3vQ0mB8nYt5kLs2wRz7cHd",
    "signatories": "Первый член комиссии",
    "source": "протокол матча",
    "sport": "football",
    "subject": "operator",
    "surname": "Петров",
    "title": "Касса",
    "token": "4yQk0vB1n7Xo3mTz9cLr5eWs8hPd2aJf",
    "venue": "Стадион «Лусаил»",
    "venue_zone": "Asia/Qatar",
}
"""What stands for a text of this name that has no example of its own."""


def example_of(schema: Mapping[str, Any], schemas: Mapping[str, Mapping[str, Any]], name: str = "") -> Any:
    """A value the schema allows for a field of this name; ``schemas`` are the components a reference may name."""
    if "$ref" in schema:
        return example_of(schemas[schema["$ref"].rpartition("/")[2]], schemas, name)
    if "example" in schema:
        return schema["example"]
    if "enum" in schema:
        return schema["enum"][0]
    for several in ("anyOf", "allOf"):
        if several in schema:
            return example_of(schema[several][0], schemas, name)
    return _by_form(schema, schemas, name)


def _by_form(schema: Mapping[str, Any], schemas: Mapping[str, Mapping[str, Any]], name: str) -> Any:
    kind = schema.get("type", "object")
    kind = kind if isinstance(kind, str) else kind[0]
    if kind == "array":
        return [example_of(schema.get("items", {}), schemas, name)] * max(1, schema.get("minItems", 1))
    if kind == "object":
        told = {field: example_of(form, schemas, field) for field, form in _shown(schema).items()}
        values = schema.get("additionalProperties")
        return told if told or not isinstance(values, Mapping) else {"…": example_of(values, schemas)}
    text = TEXTS.get(name, FORMS[kind]) if kind == "string" else FORMS[kind]
    return FORMS.get(schema.get("format", ""), text)


def _shown(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of an example: where not all may be there together, those that must, and the first of the others."""
    fields, required = schema.get("properties", {}), schema.get("required", ())
    room = schema.get("maxProperties", len(fields)) - len(required)
    others = [name for name in fields if name not in required][: max(room, 0)]
    return {name: form for name, form in fields.items() if name in required or name in others}
