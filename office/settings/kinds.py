"""What a setting's value may be: how each kind is read from JSON, checked, and written back."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Generic, Protocol, TypeVar
from zoneinfo import ZoneInfo, available_timezones

from ledger.money import MoneyError, currency, format_amount, parse_amount

Value = TypeVar("Value")
BYN = currency("BYN")
JSON = str | int | bool | list[str]


class WrongValueError(ValueError):
    """A value its setting cannot have; the text says what it may be, in Russian."""


class ValueKind(Protocol[Value]):
    """A kind of value."""

    def read(self, told: object) -> Value:
        """The value a JSON value means.

        Raises:
            WrongValueError: it is none of this kind.
        """
        ...

    def write(self, value: Value) -> JSON:
        """The value as JSON; what was read is written back alike."""
        ...


@dataclass(frozen=True)
class WholeNumber:
    """A whole number within bounds, both inclusive: times, days, seconds."""

    least: int
    most: int

    def read(self, told: object) -> int:
        if not isinstance(told, int) or isinstance(told, bool) or not self.least <= told <= self.most:
            raise WrongValueError(f"Нужно целое число от {self.least} до {self.most}.")
        return told

    def write(self, value: int) -> int:
        return value


@dataclass(frozen=True)
class Amount:
    """An amount of money in minor units within bounds, a string outside (D-2)."""

    least: int
    most: int

    def read(self, told: object) -> int:
        bounds = f"от {format_amount(self.least, BYN)} до {format_amount(self.most, BYN)}"
        try:
            amount = parse_amount(told, BYN)
        except MoneyError:
            raise WrongValueError(f"Нужна сумма строкой, {bounds}.") from None
        if not self.least <= amount <= self.most:
            raise WrongValueError(f"Сумма должна быть {bounds}.")
        return amount

    def write(self, value: int) -> str:
        return format_amount(value, BYN)


@dataclass(frozen=True)
class Switch:
    """On or off."""

    def read(self, told: object) -> bool:
        if not isinstance(told, bool):
            raise WrongValueError("Нужно true или false.")
        return told

    def write(self, value: bool) -> bool:
        return value


@dataclass(frozen=True)
class Line:
    """A line of text people read."""

    longest: int = 200

    def read(self, told: object) -> str:
        printable = isinstance(told, str) and told.isprintable()
        if not isinstance(told, str) or not printable or told != told.strip() or not 1 <= len(told) <= self.longest:
            raise WrongValueError(f"Нужна строка текста до {self.longest} знаков, без пробелов по краям.")
        return told

    def write(self, value: str) -> str:
        return value


NO_ZONES = {"localtime", "Factory"}
"""Names that mean another zone on each machine, or none."""


@dataclass(frozen=True)
class Zone:
    """A time zone by its IANA name (D-1)."""

    def read(self, told: object) -> ZoneInfo:
        if not isinstance(told, str) or told not in available_timezones() - NO_ZONES:
            raise WrongValueError("Нужно имя часового пояса IANA, например Europe/Minsk.")
        return ZoneInfo(told)

    def write(self, value: ZoneInfo) -> str:
        return value.key


@dataclass(frozen=True)
class Words:
    """A set of words out of those there are."""

    known: frozenset[str]

    def read(self, told: object) -> frozenset[str]:
        words = told if isinstance(told, list) else [None]
        if not all(isinstance(word, str) and word in self.known for word in words):
            raise WrongValueError(f"Нужен список из слов: {', '.join(sorted(self.known))}.")
        return frozenset(words)

    def write(self, value: frozenset[str]) -> list[str]:
        return sorted(value)


@dataclass(frozen=True)
class Setting(Generic[Value]):
    """A setting: its stable name, what its values are, what holds until somebody sets it, what people read.

    A change must be made at least ``notice`` before it takes effect, so that no work under way meets two values.
    """

    name: str
    kind: ValueKind[Value]
    default: Value
    title: str
    notice: timedelta = timedelta(0)
