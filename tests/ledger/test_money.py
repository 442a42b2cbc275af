"""Amounts in and out of text, and every rounding by its name."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.money import (
    CURRENCIES,
    LARGEST_AMOUNT,
    MoneyError,
    ceil_units,
    currency,
    display_fraction,
    floor_units,
    format_amount,
    format_fraction,
    half_up_units,
    parse_amount,
    parse_decimal,
)

BYN = currency("BYN")
BYR = currency("BYR")


def refusal(act, *told):
    with pytest.raises(MoneyError) as refused:
        act(*told)
    return refused.value


@pytest.mark.parametrize(("code", "exponent"), [("BYN", 2), ("RUB", 2), ("USD", 2), ("EUR", 2), ("BYR", 0)])
def test_decimals_come_from_the_currency(code, exponent):
    assert currency(code).exponent == exponent


@pytest.mark.parametrize("code", ["XXX", "byn", "", None, 933, ["BYN"]])
def test_an_unknown_currency_is_told_the_known_ones(code):
    refused = refusal(currency, code)
    assert refused.code == "unknown_currency"
    assert "BYN, RUB, USD, EUR, BYR" in refused.message


@pytest.mark.parametrize(
    ("text", "told_in", "minor"),
    [
        ("12.50", BYN, 1250),
        ("12.5", BYN, 1250),
        ("12", BYN, 1200),
        ("0.01", BYN, 1),
        ("0.1", BYN, 10),
        ("0", BYN, 0),
        ("007.00", BYN, 700),
        ("15000", BYR, 15000),
        # As a float this would be …568; as text every kopeck stays.
        ("12345678901234567.89", BYN, 1234567890123456789),
        ("92233720368547758.07", BYN, LARGEST_AMOUNT),
    ],
)
def test_amounts_are_read_exactly(text, told_in, minor):
    assert parse_amount(text, told_in) == minor


@pytest.mark.parametrize(
    ("told", "code"),
    [
        (12.5, "not_a_string"),
        (12345678901234567.89, "not_a_string"),
        (100, "not_a_string"),
        (True, "not_a_string"),
        (None, "not_a_string"),
        ("-100.00", "not_plain_decimal"),
        ("-0", "not_plain_decimal"),
        ("+1", "not_plain_decimal"),
        ("1e3", "not_plain_decimal"),
        ("NaN", "not_plain_decimal"),
        ("Infinity", "not_plain_decimal"),
        ("", "not_plain_decimal"),
        (" 1", "not_plain_decimal"),
        ("1\n", "not_plain_decimal"),
        ("1 000", "not_plain_decimal"),
        ("1_000", "not_plain_decimal"),
        ("1,50", "not_plain_decimal"),
        ("1.", "not_plain_decimal"),
        (".5", "not_plain_decimal"),
        ("1.2.3", "not_plain_decimal"),
        ("0x10", "not_plain_decimal"),
        ("١٢", "not_plain_decimal"),
        ("１２", "not_plain_decimal"),
        ("1²", "not_plain_decimal"),
        ("12.500", "too_many_places"),
        ("0.001", "too_many_places"),
        ("92233720368547758.08", "out_of_range"),
        ("9" * 10_000, "out_of_range"),
    ],
)
def test_what_is_no_amount_is_refused(told, code):
    assert refusal(parse_amount, told, BYN).code == code


def test_a_currency_without_decimals_takes_none():
    assert refusal(parse_amount, "15000.0", BYR).code == "too_many_places"


@pytest.mark.parametrize(
    ("minor", "told_in", "text"),
    [
        (1250, BYN, "12.50"),
        (5, BYN, "0.05"),
        (0, BYN, "0.00"),
        (-5, BYN, "-0.05"),
        (-123456, BYN, "-1234.56"),
        (15000, BYR, "15000"),
        (-15000, BYR, "-15000"),
        (LARGEST_AMOUNT, BYN, "92233720368547758.07"),
    ],
)
def test_amounts_are_written_with_all_places(minor, told_in, text):
    assert format_amount(minor, told_in) == text


@given(minor=st.integers(0, LARGEST_AMOUNT), told_in=st.sampled_from(list(CURRENCIES.values())))
def test_what_is_written_is_read_back(minor, told_in):
    text = format_amount(minor, told_in)
    assert parse_amount(text, told_in) == minor
    assert Decimal(text).scaleb(told_in.exponent) == minor


# Each row: exact value, down, up, nearest with a half away from zero. 12.5 is the half a kopeck of 0.125: the default
# of Python would say 12, PostgreSQL and we say 13.
@pytest.mark.parametrize(
    ("exact", "floor", "ceiling", "half_up"),
    [
        (Fraction(25, 2), 12, 13, 13),
        (Fraction(27, 2), 13, 14, 14),
        (Fraction(1, 3), 0, 1, 0),
        (Fraction(2, 3), 0, 1, 1),
        (Fraction(5), 5, 5, 5),
        (Fraction(0), 0, 0, 0),
        (Fraction(-25, 2), -13, -12, -13),
        (Fraction(-1, 3), -1, 0, 0),
        (Fraction(10**30 + 1, 10), 10**29, 10**29 + 1, 10**29),
    ],
)
def test_each_rounding_does_what_its_name_says(exact, floor, ceiling, half_up):
    assert (floor_units(exact), ceil_units(exact), half_up_units(exact)) == (floor, ceiling, half_up)


@pytest.mark.parametrize(
    ("text", "exact"),
    [("60", Fraction(60)), ("82.5", Fraction(165, 2)), ("1.005", Fraction(201, 200)), ("1.10", Fraction(11, 10))],
)
def test_decimals_are_exact(text, exact):
    assert parse_decimal(text, 3) == exact


@pytest.mark.parametrize(
    ("told", "code"), [("1.0005", "too_many_places"), (1.05, "not_a_string"), ("-1", "not_plain_decimal")]
)
def test_what_is_no_decimal_is_refused(told, code):
    assert refusal(parse_decimal, told, 3).code == code


@pytest.mark.parametrize(
    ("exact", "text", "shown"),
    [
        (Fraction(54, 80), "27/40", "0.6750"),
        (Fraction(720), "720/1", "720.0000"),
        (Fraction(2, 3), "2/3", "0.6666"),
        (Fraction(-2, 3), "-2/3", "-0.6666"),
        (Fraction(-1, 100_000), "-1/100000", "0.0000"),
        (Fraction(0), "0/1", "0.0000"),
    ],
)
def test_fractions_are_told_exactly_and_shown_cut(exact, text, shown):
    assert format_fraction(exact) == text
    assert display_fraction(exact) == shown
