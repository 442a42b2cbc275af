"""Money as whole minor units of a currency, and the only ways in and out of text (D-2).

No amount passes through a float. Exact intermediate figures are `Fraction`s of minor units; every rounding is named at
the place where it happens, so that no default mode ever decides about a kopeck.
"""

import re
from dataclasses import dataclass
from fractions import Fraction

LARGEST_AMOUNT = 2**63 - 1
"""The most minor units one amount may hold: what a BIGINT column takes."""

_PLAIN_DECIMAL = re.compile(r"([0-9]+)(?:\.([0-9]+))?")
_PLAIN_FRACTION = re.compile(r"([0-9]{1,19})/([0-9]{1,19})")


class MoneyError(ValueError):
    """An amount, decimal or currency that cannot be taken; `code` is stable, `message` is for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


@dataclass(frozen=True, slots=True)
class Currency:
    """A currency by its ISO 4217 code; `exponent` is how many decimals its minor unit stands for."""

    code: str
    exponent: int


# BYR is the rouble before 2016 and had no kopecks; old tickets and journals still speak of it.
CURRENCIES = {known.code: known for known in map(Currency, ("BYN", "RUB", "USD", "EUR", "BYR"), (2, 2, 2, 2, 0))}


def currency(code: object) -> Currency:
    """The currency of this ISO 4217 code; `MoneyError` `unknown_currency` names the known ones."""
    known = CURRENCIES.get(code) if isinstance(code, str) else None
    if known is None:
        raise MoneyError("unknown_currency", f"Unknown currency {code!r:.40}; known: {', '.join(CURRENCIES)}.")
    return known


def parse_amount(text: object, currency: Currency) -> int:
    """Minor units told by a string such as `"12.50"`; never negative (D-2).

    Raises `MoneyError`: `not_a_string`, `not_plain_decimal` (signs, exponents, spaces, NaN, digits of other scripts),
    `too_many_places`, `out_of_range`.
    """
    whole, places = _parts(text, currency.exponent)
    minor = int(whole + places.ljust(currency.exponent, "0"))
    if minor > LARGEST_AMOUNT:
        raise MoneyError("out_of_range", f"Amount {text} is more than can be kept.")
    return minor


def parse_decimal(text: object, places: int) -> Fraction:
    """An exact unsigned decimal, a percent or a coefficient, of at most so many places.

    Raises `MoneyError` with the codes of `parse_amount`.
    """
    whole, decimals = _parts(text, places)
    return Fraction(int(whole + decimals), 10 ** len(decimals))


def parse_exact(text: object, places: int) -> Fraction:
    """An exact unsigned number told as a decimal of at most so many places, or as a fraction such as `"200/3"`.

    Raises `MoneyError` `not_plain_fraction`, and the codes of `parse_amount`.
    """
    if not isinstance(text, str) or "/" not in text:
        return parse_decimal(text, places)
    plain = _PLAIN_FRACTION.fullmatch(text)
    if plain is None or not int(plain[2]):
        raise MoneyError("not_plain_fraction", f"Expected a fraction such as 200/3, not {text[:40]!r}.")
    return Fraction(int(plain[1]), int(plain[2]))


def _parts(text: object, most_places: int) -> tuple[str, str]:
    if not isinstance(text, str):
        # A JSON number may have lost digits before it reached us: 12345678901234567.89 arrives as another amount.
        raise MoneyError("not_a_string", f'Expected a string such as "12.50", not {type(text).__name__}.')
    plain = _PLAIN_DECIMAL.fullmatch(text)
    if plain is None:
        raise MoneyError("not_plain_decimal", f"Expected plain digits such as 12.50, not {text[:40]!r}.")
    whole, places = plain[1], plain[2] or ""
    if len(places) > most_places:
        raise MoneyError("too_many_places", f"At most {most_places} decimal places are allowed, not {len(places)}.")
    if len(whole) > len(str(LARGEST_AMOUNT)):
        # int() of endless digits is slow and in the end refused by Python itself; no amount is that long.
        raise MoneyError("out_of_range", f"{text[:40]}… has too many digits.")
    return whole, places


def format_amount(minor: int, currency: Currency) -> str:
    """The amount as text with all places of its currency: 1250 is `"12.50"`; signed only with `-`."""
    sign = "-" if minor < 0 else ""
    if not currency.exponent:
        return f"{sign}{abs(minor)}"
    whole, rest = divmod(abs(minor), 10**currency.exponent)
    return f"{sign}{whole}.{rest:0{currency.exponent}d}"


def floor_units(exact: Fraction) -> int:
    """The greatest whole number of units not above `exact`: wins of a pool (D-3)."""
    return exact.numerator // exact.denominator


def ceil_units(exact: Fraction) -> int:
    """The smallest whole number of units not under `exact`: prize funds (D-3), the 10 % of a minus pool (D-5)."""
    return -(-exact.numerator // exact.denominator)


def half_up_units(exact: Fraction) -> int:
    """The nearest whole number of units, a half away from zero, as PostgreSQL's `round(numeric)` does (D-8, D-13)."""
    nearest = (2 * abs(exact.numerator) + exact.denominator) // (2 * exact.denominator)
    return -nearest if exact.numerator < 0 else nearest


def format_fraction(exact: Fraction) -> str:
    """The exact value in lowest terms, always with its denominator: `"27/40"`, `"720/1"`."""
    return f"{exact.numerator}/{exact.denominator}"


def display_fraction(exact: Fraction, places: int = 4) -> str:
    """The value for the eye: so many places, the rest cut off toward zero: 2/3 is `"0.6666"`."""
    scaled = abs(exact.numerator) * 10**places // exact.denominator
    return format_amount(-scaled if exact.numerator < 0 else scaled, Currency("", places))
