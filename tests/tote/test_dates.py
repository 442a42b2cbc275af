"""The dates that decide rights, one microsecond before, at and after each (D-1; T-Rules 33, 40, 45)."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from office.settings.of_the_operator import OPERATOR_TIME_ZONE
from tests.approvals.people import code_of
from tests.events.starts import same, told
from tests.office import Office
from tests.records import let_stand, set_to

INSTANT = timedelta(microseconds=1)
BEFORE, AT, AFTER = -INSTANT, 0 * INSTANT, INSTANT
DOCUMENT = {"kind": "протокол матча", "number": "17", "issued_on": "2022-11-23", "issued_by": "Федерация"}
CLAIM = {"pool": "P1", "statement": "Указан другой счёт", "documents": [DOCUMENT]}

MINSK_IN_NOVEMBER = {
    "zone": "Europe/Minsk",
    "ended": "2022-11-22T15:00:00+03:00",
    "determined": "2022-11-22T16:00:00+03:00",
    "payable_from": "2022-11-23T00:00:00+03:00",
    "claims_until": "2022-12-03T00:00:00+03:00",
    "payable_until": "2023-02-24T00:00:00+03:00",
    "disputes_until": "2023-03-26T00:00:00+03:00",
}
"""Ended and determined on 22 November. Claims: ten days, 23 November to 2 December. Paid 23 November to 23 February,
three months from the following day. Disputes: thirty days, 24 February to 25 March; February 2023 has twenty-eight."""
BERLIN_INTO_SUMMER = {
    "zone": "Europe/Berlin",
    "ended": "2022-12-31T23:15:00+01:00",
    "determined": "2022-12-31T23:30:00+01:00",
    "payable_from": "2023-01-01T00:00:00+01:00",
    "claims_until": "2023-01-11T00:00:00+01:00",
    "payable_until": "2023-04-02T00:00:00+02:00",
    "disputes_until": "2023-05-02T00:00:00+02:00",
}
"""Ended and determined on 31 December, 23:30 in Berlin, already January in Minsk. Paid 1 January to 1 April 2023: the
clocks went forward on 26 March, so the term begins at 23:00 and ends at 22:00 of UTC. Disputes: 2 April to 1 May.
Claims: 1 to 10 January."""
BERLIN_OUT_OF_SUMMER = {
    "zone": "Europe/Berlin",
    "ended": "2023-10-28T22:15:00+02:00",
    "determined": "2023-10-28T22:30:00+02:00",
    "payable_from": "2023-10-29T00:00:00+02:00",
    "claims_until": "2023-11-08T00:00:00+01:00",
    "payable_until": "2024-01-30T00:00:00+01:00",
    "disputes_until": "2024-02-29T00:00:00+01:00",
}
"""The first day of payment, 29 October, has twenty-five hours. Paid to 29 January 2024; disputes 30 January to 28
February of a leap year; claims 29 October to 7 November."""
CALENDARS = [MINSK_IN_NOVEMBER, BERLIN_INTO_SUMMER, BERLIN_OUT_OF_SUMMER]


class Calendar:
    """A pool under a calendar: two of 10.00 on the true outcome and 10.00 beside them, each win 9.00."""

    def __init__(self, office: Office, dates: dict[str, str]) -> None:
        self.office, self.dates = office, dates
        set_to(office, OPERATOR_TIME_ZONE, OPERATOR_TIME_ZONE.kind.read(dates["zone"]))
        self.pool = office.pool()
        self.first, self.second = (office.bet(office.cashier, "1", "10.00").json for _ in range(2))
        assert office.bet(office.cashier, "2", "10.00").status_code == 201
        office.clock(dates["determined"])
        told(office, self.pool["event_id"], "started", office.organizer.get("/events/1").json["starts_at"])
        told(office, self.pool["event_id"], "ended", dates["ended"])
        assert office.decide(self.pool, "1", at=dates["determined"]).json["wins"] == "18.00"

    def come_to(self, name: str, by: timedelta) -> None:
        """Let it be an instant before, at or after one of the dates; the clock stands there."""
        let_stand(self.office, (datetime.fromisoformat(self.dates[name]) + by).isoformat())

    @property
    def status(self) -> str:
        """Where the pool stands."""
        return str(self.office.organizer.get("/pools/P1").json["status"])

    def shown(self, ticket: dict[str, str]) -> str:
        """How a ticket stands, alike in its own answer and in the list of those of that status."""
        found = self.office.organizer.get(f"/tickets/{ticket['number']}").json
        listed = self.office.organizer.get("/tickets", pool="P1", status=found["status"]).json["items"]
        assert found in listed
        return str(found["status"])


@pytest.fixture(params=CALENDARS, ids=lambda dates: f"{dates['zone']}, {dates['determined'][:10]}")
def calendar(office: Office, request: pytest.FixtureRequest) -> Calendar:
    """A settled pool under each calendar."""
    return Calendar(office, request.param)


def test_t_rules_40_a_win_is_paid_from_the_beginning_of_the_following_day(calendar: Calendar) -> None:
    calendar.come_to("payable_from", BEFORE)
    refused = calendar.office.pay(calendar.first["code"])
    assert (code_of(refused), calendar.status) == ((409, "not_payable_yet"), "settled")
    calendar.come_to("payable_from", AT)
    assert (calendar.office.pay(calendar.first["code"]).json["amount"], calendar.status) == ("9.00", "payable")
    calendar.come_to("payable_from", AFTER)
    assert (calendar.office.pay(calendar.second["code"]).json["amount"], calendar.status) == ("9.00", "payable")


def test_t_rules_40_a_win_is_paid_to_the_end_of_its_last_day(calendar: Calendar) -> None:
    """FIELD-FAULTS 017: without a sweep the desk, the ticket, the lists and the pool agree that it is over."""
    calendar.come_to("payable_until", BEFORE)
    assert calendar.office.pay(calendar.first["code"]).json["amount"] == "9.00"
    assert (calendar.shown(calendar.second), calendar.status) == ("won", "payable")
    for by in (AT, AFTER):
        calendar.come_to("payable_until", by)
        refused = calendar.office.pay(calendar.second["code"])
        assert code_of(refused) == (409, "payment_term_over")
        assert datetime.fromisoformat(refused.json["payable_until"]) == datetime.fromisoformat(
            calendar.dates["payable_until"]
        )
        assert (calendar.shown(calendar.first), calendar.shown(calendar.second)) == ("paid", "expired")
        assert calendar.status == "expired"


def test_t_rules_33_claims_are_taken_within_ten_days_of_the_outcome(calendar: Calendar) -> None:
    calendar.come_to("claims_until", BEFORE)
    assert calendar.office.supervisor.post("/claims", CLAIM).status_code == 201
    for by in (AT, AFTER):
        calendar.come_to("claims_until", by)
        refused = calendar.office.supervisor.post("/claims", CLAIM)
        assert code_of(refused) == (409, "claim_too_late")
        until = datetime.fromisoformat(refused.json["claims_until"])
        assert until == datetime.fromisoformat(calendar.dates["claims_until"])


DRAWN_UP = "2022-11-28T16:00:00+03:00"


def claims_end_at(office: Office, last: str, first_refused: str) -> None:
    """A claim is taken at the one instant and too late at the other, which the sheet tells as well."""
    office.clock(last)
    assert office.supervisor.post("/claims", CLAIM).status_code == 201
    office.clock(first_refused)
    refused = office.supervisor.post("/claims", CLAIM)
    assert code_of(refused) == (409, "claim_too_late")
    sheet = office.organizer.get("/pools/P1/sheet").json
    assert same(refused.json["claims_until"], first_refused) and same(sheet["claims_until"], first_refused)


def test_t_rules_33_the_ten_days_run_from_the_event_and_not_from_its_protocol(office: Office) -> None:
    """Played on the 22nd, its protocol drawn up on the 28th: claims to 2 December, not to the 8th."""
    assert office.decide(office.pool(), "1", at=DRAWN_UP).status_code == 201
    claims_end_at(office, "2022-12-02T23:59:00+03:00", "2022-12-03T00:00:00+03:00")


def test_t_rules_33_the_ten_days_run_from_the_end_of_the_event_where_it_is_on_record(office: Office) -> None:
    """Begun on the 22nd and ended after midnight, on the 23rd: claims to 3 December."""
    pool = office.pool()
    office.clock(DRAWN_UP)
    told(office, pool["event_id"], "started", "2022-11-22T13:00:00+03:00")
    told(office, pool["event_id"], "ended", "2022-11-23T00:10:00+03:00")
    assert office.decide(pool, "1", at=DRAWN_UP).status_code == 201
    claims_end_at(office, "2022-12-03T23:59:00+03:00", "2022-12-04T00:00:00+03:00")


def test_what_a_sheet_has_told_of_claims_is_kept_whatever_is_learnt_of_the_event_later(office: Office) -> None:
    """Settled while only the start on the 22nd was known: 2 December stays the last day, whatever is told later."""
    pool = office.pool()
    assert office.decide(pool, "1", at=DRAWN_UP).status_code == 201
    told(office, pool["event_id"], "started", "2022-11-22T13:00:00+03:00")
    told(office, pool["event_id"], "ended", "2022-11-23T00:10:00+03:00")
    claims_end_at(office, "2022-12-02T23:59:00+03:00", "2022-12-03T00:00:00+03:00")


def test_t_rules_33_what_was_called_off_before_its_start_is_claimed_against_from_its_protocol(office: Office) -> None:
    """Moved to 1 December and called off on 28 November: claims to 8 December."""
    pool = office.pool()
    told(office, pool["event_id"], "moved", "2022-12-01T13:00:00+03:00")
    assert office.decide(pool, at=DRAWN_UP).json["returned"] is True
    claims_end_at(office, "2022-12-08T23:59:00+03:00", "2022-12-09T00:00:00+03:00")


def test_t_rules_45_disputes_are_considered_for_thirty_days_after_the_term(calendar: Calendar) -> None:
    dispute = {"ticket": calendar.first["number"], "statement": "Выигрыш не выплатили в срок"}
    calendar.come_to("disputes_until", BEFORE)
    taken = calendar.office.supervisor.post("/disputes", dispute)
    assert (taken.status_code, taken.json["holds"], calendar.status) == (201, False, "expired")
    for by in (AT, AFTER):
        calendar.come_to("disputes_until", by)
        refused = calendar.office.supervisor.post("/disputes", dispute)
        assert (code_of(refused), calendar.status) == ((409, "dispute_too_late"), "archived")
        until = datetime.fromisoformat(refused.json["disputes_until"])
        assert until == datetime.fromisoformat(calendar.dates["disputes_until"])


def test_the_sheet_tells_all_four(calendar: Calendar) -> None:
    sheet = calendar.office.organizer.get("/pools/P1/sheet").json
    for name in ("payable_from", "payable_until", "claims_until", "disputes_until"):
        assert datetime.fromisoformat(sheet[name]) == datetime.fromisoformat(calendar.dates[name]), name


def test_t_rules_32_a_returned_pool_has_no_end_of_payment_nor_of_disputes(office: Office) -> None:
    """Its stakes are due at once and for ever (D-21); where others are archived, it is not, whatever held it."""
    pool = office.pool()
    ticket = office.bet(office.cashier, "1", "10.00").json
    assert office.decide(pool).json["returned"] is True
    hold = office.supervisor.post("/pools/P1/payout-holds", {"reason": "проверка"}).json["id"]
    office.clock("2022-11-25T10:00:00+03:00")
    assert office.supervisor.post(f"/payout-holds/{hold}/release", {"reason": "верно"}).status_code == 201

    sheet = office.organizer.get("/pools/P1/sheet").json
    assert sheet["payable_from"][:16] == "2022-11-22T13:00", "16:00 in Minsk, when it was determined"
    assert (sheet["payable_until"], sheet["disputes_until"]) == (None, None)
    assert sheet["claims_until"] is not None
    let_stand(office, MINSK_IN_NOVEMBER["disputes_until"])
    assert office.organizer.get("/pools/P1").json["status"] == "returned"
    dispute = {"ticket": ticket["number"], "statement": "Ставку не вернули"}
    assert office.supervisor.post("/disputes", dispute).json["holds"] is True
