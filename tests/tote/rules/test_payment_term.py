"""Days and instants at which a Totolot win is paid (T-Rules 40, D-1)."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from tote.rules.payment_term import paid_between, start_of_day, totolot_payment_term

MINSK = ZoneInfo("Europe/Minsk")
BERLIN = ZoneInfo("Europe/Berlin")


def utc(*parts):
    return datetime(*parts, tzinfo=UTC)


def test_determined_on_10_january_it_is_paid_from_the_11th_to_11_april():
    term = totolot_payment_term(utc(2025, 1, 10, 15), MINSK)
    assert (term.first_day, term.last_day) == (date(2025, 1, 11), date(2025, 4, 11))
    # Minsk is three hours ahead of UTC: the 11th begins at 21:00 of the 10th, 11 April ends at 21:00.
    assert (term.start, term.end) == (utc(2025, 1, 10, 21), utc(2025, 4, 11, 21))


# The day is the operator's: 21:00 UTC is midnight in Minsk.
@pytest.mark.parametrize(
    ("determined_at", "first_day"),
    [
        (utc(2025, 1, 10, 20, 59, 59), date(2025, 1, 11)),
        (utc(2025, 1, 10, 21), date(2025, 1, 12)),
        (datetime(2025, 1, 10, 23, 59, tzinfo=MINSK), date(2025, 1, 11)),
    ],
)
def test_the_next_day_is_counted_in_the_operators_zone(determined_at, first_day):
    assert totolot_payment_term(determined_at, MINSK).first_day == first_day


# The following day is the anchor, and three months are added to it at once.
@pytest.mark.parametrize(
    ("determined", "first_day", "last_day"),
    [
        ((2025, 11, 29), date(2025, 11, 30), date(2026, 2, 28)),
        ((2027, 11, 29), date(2027, 11, 30), date(2028, 2, 29)),
        ((2025, 11, 30), date(2025, 12, 1), date(2026, 3, 1)),
        ((2026, 1, 30), date(2026, 1, 31), date(2026, 4, 30)),
        ((2025, 12, 30), date(2025, 12, 31), date(2026, 3, 31)),
    ],
)
def test_months_of_unequal_length(determined, first_day, last_day):
    term = totolot_payment_term(utc(*determined, 12), MINSK)
    assert (term.first_day, term.last_day) == (first_day, last_day)


def test_the_clock_may_change_within_the_term():
    # Berlin: winter time UTC+1 on 2 March 2026, summer time UTC+2 from 29 March on.
    term = totolot_payment_term(utc(2026, 3, 1, 17), BERLIN)
    assert (term.first_day, term.last_day) == (date(2026, 3, 2), date(2026, 6, 2))
    assert (term.start, term.end) == (utc(2026, 3, 1, 23), utc(2026, 6, 2, 22))


# The night of 28 to 29 March 2026 in Berlin: 02:00 becomes 03:00, so 02:30 by winter time reads 03:30.
@pytest.mark.parametrize(
    ("determined_at", "first_day"),
    [
        (utc(2026, 3, 28, 22, 59), date(2026, 3, 29)),
        (utc(2026, 3, 28, 23), date(2026, 3, 30)),
        (utc(2026, 3, 29, 1, 30), date(2026, 3, 30)),
    ],
)
def test_the_next_day_around_the_change_of_clocks(determined_at, first_day):
    term = totolot_payment_term(determined_at, BERLIN)
    assert term.first_day == first_day
    assert term.start == {29: utc(2026, 3, 28, 23), 30: utc(2026, 3, 29, 22)}[first_day.day]


def test_a_day_whose_midnight_is_skipped_begins_at_the_change():
    # São Paulo, 4 November 2018: at 00:00, UTC-3, the clock went to 01:00, UTC-2.
    assert start_of_day(date(2018, 11, 4), ZoneInfo("America/Sao_Paulo")) == utc(2018, 11, 4, 3)


def test_a_day_whose_midnight_comes_twice_begins_at_the_first():
    # Havana, 3 November 2024: at 01:00, UTC-4, the clock went back to 00:00, UTC-5.
    assert start_of_day(date(2024, 11, 3), ZoneInfo("America/Havana")) == utc(2024, 11, 3, 4)


def test_the_last_day_is_paid_whole():
    term = paid_between(date(2025, 1, 11), date(2025, 1, 11), MINSK)
    assert (term.start, term.end) == (utc(2025, 1, 10, 21), utc(2025, 1, 11, 21))


def test_a_time_of_no_zone_is_no_instant():
    with pytest.raises(ValueError, match="no offset"):
        totolot_payment_term(datetime(2025, 1, 10, 15), MINSK)  # noqa: DTZ001
