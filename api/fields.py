"""Fields of requests and answers: money as strings, instants with an offset, codes without surprises (D-2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any, ClassVar

import marshmallow
from marshmallow import ValidationError, fields, validate, validates_schema

from api import words
from api.paths import CODE, KEY
from ledger.money import LARGEST_AMOUNT, MoneyError, currency, format_amount, parse_amount, parse_decimal, parse_exact

BYN = currency("BYN")
LARGEST_TOLD = 10**13
"""The largest amount a request may name, in minor units: hundreds of thousands of them are still a sum that is kept."""
COEFFICIENT_PLACES = 3
AMOUNT = rf"^[0-9]{{1,{len(str(LARGEST_AMOUNT))}}}(\.[0-9]{{1,{BYN.exponent}}})?$"
SIGNED_AMOUNT = f"^-?{AMOUNT[1:]}"
COEFFICIENT = rf"^[0-9]+(\.[0-9]{{1,{COEFFICIENT_PLACES}}})?$"
PERCENT = r"^[0-9]+(\.[0-9]+)?$"
PERCENT_PLACES = 4
EXACT_PERCENT = rf"^[0-9]+(\.[0-9]{{1,{PERCENT_PLACES}}}|/[0-9]+)?$"
PERCENT_TOLD = rf"^[0-9]+(\.[0-9]{{1,{PERCENT_PLACES}}})?$"
SOME_INSTANT = "2022-11-22T13:00:00+03:00"


class Schema(marshmallow.Schema):
    """What all requests and answers are: nothing unknown, and told so in Russian.

    Of the fields in ``one_of``, all that need not be there, a request names exactly one.
    """

    error_messages = words.SCHEMA
    one_of: ClassVar[tuple[str, ...]] = ()

    @validates_schema(pass_original=True, skip_on_field_errors=False)
    def check_one_of(self, _read: dict[str, Any], told: Any, **_kwargs: Any) -> None:
        """Whatever else is wrong with the request."""
        if not isinstance(told, dict):
            return
        named = [name for name in self.one_of if name in told]
        if not self.one_of or len(named) == 1:
            return
        # Always of the first field, which is no list: what is wrong within one stands under the numbers of its items.
        said = f"Назовите одно из: {', '.join(self.one_of)}." if named else words.REQUIRED
        raise ValidationError(said, self.one_of[0])

    def properties_told(self) -> int | None:
        """How many fields a request names that must name one of some; None where fields come as they like."""
        required = sum(field.required for field in self.fields.values())
        return required + 1 if self.one_of else None


class Whole(validate.Regexp):
    """A pattern the whole text fits, a line feed behind it included; it reads alike in the API's description."""

    def __call__(self, value: Any) -> Any:
        if self.regex.fullmatch(value) is None:
            raise ValidationError(self._format_error(value))
        return value


class Money(fields.Field[int]):
    """An amount in Belarusian roubles, ``"12.50"`` outside and minor units inside; never a JSON number (D-2).

    ``positive`` refuses a zero that is sent; ``signed`` tells that what is shown may be below zero.
    """

    def __init__(self, *, positive: bool = True, signed: bool = False, **kwargs: Any) -> None:
        told = {
            "example": "12.50",
            "type": "string",
            "pattern": SIGNED_AMOUNT if signed else AMOUNT,
            "description": "BYN",
            **kwargs.pop("metadata", {}),
        }
        super().__init__(metadata=told, **kwargs)
        self._positive = positive

    def _serialize(self, value: int | None, attr: str | None, obj: object, **kwargs: Any) -> str | None:
        return None if value is None else format_amount(value, BYN)

    def _deserialize(self, value: object, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> int:
        try:
            amount = parse_amount(value, BYN)
        except MoneyError as error:
            raise ValidationError(words.MONEY[error.code]) from error
        if self._positive and amount == 0:
            raise ValidationError("Сумма должна быть больше нуля.")
        if amount > LARGEST_TOLD:
            raise ValidationError(words.MONEY["out_of_range"])
        return amount


class Instant(fields.AwareDateTime):
    """RFC 3339 with an offset; a time without one is refused, for nobody could say which instant it is."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(format="iso", metadata={"example": SOME_INSTANT, **kwargs.pop("metadata", {})}, **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> datetime:
        instant = super()._deserialize(value, attr, data, **kwargs)
        try:
            return instant.astimezone(UTC)
        except OverflowError as error:
            raise ValidationError("Момент вне календаря.") from error


class Figure(fields.Decimal):
    """An exact figure as a string of plain digits, of at most so many places; never a JSON number (D-2)."""

    def __init__(self, exact_places: int, **kwargs: Any) -> None:
        told = {"type": "string", **kwargs.pop("metadata", {})}
        super().__init__(as_string=True, metadata=told, **kwargs)
        self._exact_places = exact_places

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Decimal:
        try:
            exact = parse_decimal(value, self._exact_places)
        except MoneyError as error:
            raise ValidationError(words.MONEY[error.code]) from error
        return Decimal(exact.numerator) / exact.denominator


class Coefficient(Figure):
    """A coefficient, 1 or more, of at most three places (D-2)."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(COEFFICIENT_PLACES, metadata={"example": "1.05", "pattern": COEFFICIENT}, **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Decimal:
        exact = super()._deserialize(value, attr, data, **kwargs)
        if exact < 1:
            raise ValidationError("Коэффициент не меньше 1.")
        return exact


class Percent(Figure):
    """A percent of at most four places; what it may come to is the game's to say."""

    def __init__(self, **kwargs: Any) -> None:
        told = {"example": "70", "pattern": PERCENT_TOLD, **kwargs.pop("metadata", {})}
        super().__init__(PERCENT_PLACES, metadata=told, **kwargs)


class ExactPercent(fields.Field[Fraction]):
    """An exact percent: a decimal of at most four places, or a fraction such as ``"200/3"``; never a JSON number."""

    def __init__(self, **kwargs: Any) -> None:
        told = {"type": "string", "pattern": EXACT_PERCENT, **kwargs.pop("metadata", {})}
        super().__init__(metadata=told, **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Fraction:
        try:
            return parse_exact(value, PERCENT_PLACES)
        except MoneyError as error:
            raise ValidationError(words.MONEY[error.code]) from error


def code(example: str = "ARG-KSA", **kwargs: Any) -> fields.String:
    """A code of a pool, outcome, desk or event: short, printable, no spaces around."""
    told = {"example": example, **kwargs.pop("metadata", {})}
    return fields.String(validate=Whole(f"^{CODE}$"), metadata=told, **kwargs)


def line(maximum: int = 200, **kwargs: Any) -> fields.String:
    """A line of text a person reads."""
    return fields.String(validate=[validate.Length(1, maximum), Whole(r"^[^\x00-\x1f]+$")], **kwargs)


def word(words: Iterable[str], **kwargs: Any) -> fields.String:
    """One of a few words, as an answer shows it; each is told in the API's description, and null where it may be."""
    told: list[str | None] = [str(one) for one in words]
    return fields.String(metadata={"enum": told + [None] * bool(kwargs.get("allow_none"))}, **kwargs)


def idempotency_key(**kwargs: Any) -> fields.String:
    """What makes a repeated request the same request."""
    told = {
        "description": "Made and saved by the client before the first send, for example terminal-7-2022-11-22-000042; "
        "the same for every repeat, another for every other request.",
        **kwargs.pop("metadata", {}),
    }
    wrong = "Ключ — от 8 до 128 знаков: латинские буквы, цифры и ._~:@+=-"
    return fields.String(validate=Whole(f"^{KEY}$", error=wrong), metadata=told, **kwargs)


class IdempotencyKey(Schema):
    """The header of an act that moves money."""

    key = idempotency_key(required=True, data_key="Idempotency-Key")


class EachByItself(fields.List[Any]):
    """A list whose wrong items are no fault of the others: each is what was read, or the `ValidationError` it got."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> list[Any]:
        if not isinstance(value, list):
            raise self.make_error("invalid")
        return [self._read(item) for item in value]

    def _read(self, item: Any) -> Any:
        try:
            return self.inner.deserialize(item)
        except ValidationError as error:
            return error


class PageQuery(Schema):
    """How to read a list page by page: ``cursor`` is the ``next_cursor`` of the page before."""

    cursor = fields.Integer(load_default=0, validate=validate.Range(0, 2**63 - 1))
    limit = fields.Integer(load_default=50, validate=validate.Range(1, 200))


class Number(fields.Integer):
    """The number of a row somebody asks for: what a BIGINT identity can be."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(validate=validate.Range(1, 2**63 - 1), **kwargs)


class Day(fields.Date):
    """A day of the operator's calendar (D-1)."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(validate=validate.Range(date(1900, 1, 1), date(2999, 12, 31)), **kwargs)
