"""Days and instants at which a Totolot win is paid (T-Rules 40, D-1)."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from tote.rules.payment_term import paid_between, prolonged, start_of_day, totolot_payment_term

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


class TestProlonged:
    """Days of payment that a hold took are given back whole (decision 0023). Paid 23 November to 23 February."""

    TERM = paid_between(date(2022, 11, 23), date(2023, 2, 23), MINSK)

    @staticmethod
    def at(day: int, month: int, hour: int = 12, year: int = 2022) -> datetime:
        return datetime(year, month, day, hour, tzinfo=MINSK)

    def last_day(self, *stood: tuple[datetime, datetime]) -> date:
        return prolonged(self.TERM, stood, MINSK).last_day

    def test_nothing_stood_still(self) -> None:
        assert prolonged(self.TERM, [], MINSK) == self.TERM

    def test_each_day_that_was_touched_counts_and_none_twice(self) -> None:
        """1 and 2 December, then 2 and 3 December: three days."""
        first, second = (self.at(1, 12), self.at(2, 12)), (self.at(2, 12), self.at(3, 12))
        assert self.last_day(first) == date(2023, 2, 25)
        assert self.last_day(first, second) == self.last_day(second, first) == date(2023, 2, 26)

    def test_until_midnight_the_new_day_is_not_touched(self) -> None:
        assert self.last_day((self.at(1, 12, 0), self.at(2, 12, 0))) == date(2023, 2, 24)

    def test_days_before_the_term_do_not_count(self) -> None:
        assert self.last_day((self.at(20, 11), self.at(22, 11, 23))) == date(2023, 2, 23)
        assert self.last_day((self.at(20, 11), self.at(24, 11))) == date(2023, 2, 25)

    def test_what_began_within_the_prolonged_term_prolongs_it_and_what_began_behind_it_does_not(self) -> None:
        """23 February is touched: 24 is the last day. On 24 a second hold begins: 25. One on 26 comes too late."""
        first = (self.at(23, 2, year=2023), self.at(23, 2, 20, year=2023))
        second = (self.at(24, 2, year=2023), self.at(24, 2, 20, year=2023))
        late = (self.at(26, 2, 0, year=2023), self.at(27, 2, year=2023))
        assert self.last_day(first) == date(2023, 2, 24)
        assert self.last_day(first, second) == date(2023, 2, 25)
        assert self.last_day(first, second, late) == date(2023, 2, 25)

    def test_the_end_is_a_beginning_of_a_day_on_either_side_of_a_change_of_clocks(self) -> None:
        """To 25 March 2023 in Berlin, prolonged over the night of the 26th: from +01:00 to +02:00."""
        berlin = ZoneInfo("Europe/Berlin")
        term = paid_between(date(2022, 12, 26), date(2023, 3, 25), berlin)
        stood = datetime(2023, 3, 25, 12, tzinfo=berlin), datetime(2023, 3, 26, 12, tzinfo=berlin)
        longer = prolonged(term, [stood], berlin)
        assert (longer.last_day, longer.end) == (date(2023, 3, 27), datetime(2023, 3, 27, 22, tzinfo=UTC))
