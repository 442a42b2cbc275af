"""What all papers write alike: whose they are, amounts, codes beside names."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from fractions import Fraction

from documents.table import NO_BREAK, Heading, figure_text
from events.models import Standing
from ledger.money import currency
from office.operator import Operator

STANDINGS = {Standing.HELD: "состоялось", Standing.NOT_HELD: "не состоялось", Standing.INTERRUPTED: "прервано"}
"""How an event stands by its protocol (T-Rules 32)."""


def heading(
    operator: Operator, title: str, made_at: datetime, covers: str = "", filters: Sequence[str] | None = None
) -> Heading:
    """The heading of a document made at an instant; ``covers`` is the "as of" of that instant where nothing is said."""
    local = operator.local(made_at)
    said = covers or f"по состоянию на {local:%d.%m.%Y %H:%M:%S}"
    return Heading(title, operator.name_at(made_at), said, local, filters)


def amount(minor: int, money: str) -> Decimal:
    """An amount of minor units with the places of its currency, as tables take it."""
    return Decimal(minor).scaleb(-currency(money).exponent)


def amount_text(minor: int, money: str) -> str:
    """An amount with its currency: 1 234,50 BYN."""
    return f"{figure_text(amount(minor, money))}{NO_BREAK}{money}"


def named(name: str, code: str) -> str:
    """A name with its code (T-Rules 25)."""
    return f"{name} (шифр {code})"


def percent_text(percent: Fraction) -> str:
    """An exact percent without its sign: 66,67 where it ends behind the comma, and otherwise as a fraction, 200/3."""
    decimal = Decimal(percent.numerator) / percent.denominator
    return f"{decimal.normalize():f}".replace(".", ",") if Fraction(decimal) == percent else str(percent)
