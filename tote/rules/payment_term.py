"""How long a win is paid: days of the operator's calendar, and the instants they begin and end at (D-1)."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from dateutil.relativedelta import relativedelta

TOTOLOT_MONTHS = relativedelta(months=3)
SPORTLOTO_WEEKS = timedelta(weeks=12)
DAY = timedelta(days=1)
INSTANT = timedelta(microseconds=1)
CLAIM_DAYS = 10
DISPUTE_DAYS = 30


@dataclass(frozen=True, slots=True)
class PaymentTerm:
    """A win is paid from `first_day` to `last_day`, both included, that is from `start` until before `end` (UTC)."""

    first_day: date
    last_day: date
    start: datetime
    end: datetime


def totolot_payment_term(determined_at: datetime, zone: tzinfo) -> PaymentTerm:
    """Three months, counted from the day after the coefficient was determined (T-Rules 40, D-1).

    The months are added at once to that day, so 30 November to the end of February and not a day drifting from month to
    month. `ValueError` for an instant without an offset.
    """
    first_day = local_day(determined_at, zone) + DAY
    return paid_between(first_day, first_day + TOTOLOT_MONTHS, zone)


def sportloto_payment_term(determined_at: datetime, zone: tzinfo) -> PaymentTerm:
    """Twelve weeks after the day the results were determined, from its next day on (T-Rules 12, D-1).

    `ValueError` for an instant without an offset.
    """
    determined = local_day(determined_at, zone)
    return paid_between(determined + DAY, determined + SPORTLOTO_WEEKS, zone)


def paid_between(first_day: date, last_day: date, zone: tzinfo) -> PaymentTerm:
    """The term of these days, both included, in the operator's time zone."""
    return PaymentTerm(first_day, last_day, start_of_day(first_day, zone), start_of_day(last_day + DAY, zone))


def prolonged(term: PaymentTerm, stood: Iterable[tuple[datetime, datetime]], zone: tzinfo) -> PaymentTerm:
    """The term after payouts stood still in these stretches of time: each day of it they touched is given back whole.

    A day counts once, however many stretches touch it, and none before the term began. What began to stand still after
    the end, as prolonged by what stood before, adds nothing: by then the wins had lapsed (D-21, D-23).
    """
    lost: set[date] = set()
    last_day = term.last_day
    for since, until in sorted(stood):
        if since >= start_of_day(last_day + DAY, zone):
            break
        day, last_stood = max(local_day(since, zone), term.first_day), local_day(until - INSTANT, zone)
        while day <= last_stood:
            lost.add(day)
            day += DAY
        last_day = term.last_day + len(lost) * DAY
    return paid_between(term.first_day, last_day, zone)


def claims_end(outcome_at: datetime, zone: tzinfo) -> datetime:
    """Until when a claim against a result is accepted: ten days from the day of the outcome, which is not counted.

    The period ends at 24:00 of its last date, as every period does (T-Rules 33, D-1).
    """
    return start_of_day(local_day(outcome_at, zone) + (CLAIM_DAYS + 1) * DAY, zone)


def disputes_end(term: PaymentTerm, zone: tzinfo) -> datetime:
    """Until when disputes are considered: thirty days behind the last day of payment (T-Rules 45)."""
    return start_of_day(term.last_day + (DISPUTE_DAYS + 1) * DAY, zone)


def local_day(instant: datetime, zone: tzinfo) -> date:
    """The operator's date at this instant; `ValueError` for an instant without an offset."""
    if instant.utcoffset() is None:
        raise ValueError(f"{instant} names no instant: it has no offset from UTC.")
    return instant.astimezone(zone).date()


def start_of_day(day: date, zone: tzinfo) -> datetime:
    """The instant this local day begins, in UTC.

    Some zones change their clocks at midnight. Where 00:00 is skipped, the first reading (fold 0) is the very moment of
    the change, and where it comes twice, the earlier one: in both the day's beginning.
    """
    return datetime.combine(day, time.min, zone).astimezone(UTC)
