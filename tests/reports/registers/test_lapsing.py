"""A win that was held before its term ended is owed by the liability as by the ticket, until the hold ends (D-23)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.office import Office
from tests.reports.registers.reading import columns, shown
from tests.significant.hooked import seal_all
from tests.tote.test_claims import claim, decide, entered
from tests.tote.test_holds import hold, release

LAST_DAY, PAST = "2023-02-23T23:00:00+03:00", "2023-02-24T10:00:00+03:00"


@pytest.fixture
def tickets(office: Office) -> list[dict[str, Any]]:
    """10.00 twice on 1 and 30.00 on 2: fund 30.00, each win 15.00, paid until 23 February, 24:00 in Minsk."""
    pool = office.pool()
    won = [office.bet(office.cashier, "1", "10.00").json for _ in range(2)]
    assert office.bet(office.cashier, "2", "30.00").status_code == 201
    assert office.decide(pool, "1").status_code == 201
    return won


def owed(office: Office, **asked: str) -> list[tuple[Any, ...]]:
    """How old each ticket's win is, what is due and what has lapsed."""
    return columns(shown(office.accountant, "liability", **asked)["items"], "age", "due", "lapsed")


DUE, LAPSED = ("over_60", "15.00", "0.00"), ("lapsed", "0.00", "15.00")


def test_a_pool_held_before_the_end_of_the_term_owes_its_wins(office: Office, tickets: list[dict[str, Any]]) -> None:
    """Determined on 22 November: on 24 February the wins are 93 days old. A day held is a day more, to the 24th."""
    office.clock(LAST_DAY)
    held = hold(office)["id"]
    office.clock(PAST)
    assert owed(office) == [DUE, DUE]
    assert office.cashier.get(f"/tickets/{tickets[0]['number']}").json["status"] == "won"
    seal_all(office)
    office.clock("2023-02-24T11:00:00+03:00")
    assert release(office, held).status_code == 201
    assert owed(office) == [DUE, DUE], "two days were held, of the 23rd and the 24th"
    assert owed(office, as_of="2023-02-24T10:59:00+03:00") == [DUE, DUE]
    office.clock("2023-02-26T00:00:00+03:00")
    assert owed(office) == [LAPSED, LAPSED]


def test_a_ticket_claimed_in_time_is_owed_and_its_neighbour_lapses(
    office: Office, tickets: list[dict[str, Any]]
) -> None:
    """A claim of the tenth day, undecided on 24 February, is about its ticket alone (T-Rules 33)."""
    number = entered(claim(office, tickets[0]["number"]))
    office.clock(PAST)
    assert owed(office) == [DUE, LAPSED]
    decide(office.organizer, "claims", number)
    assert owed(office) == [DUE, LAPSED], "it has its days back"


def test_a_hold_behind_the_end_of_the_term_owes_nothing_more(office: Office, tickets: list[dict[str, Any]]) -> None:
    office.clock(PAST)
    hold(office)
    assert owed(office) == [LAPSED, LAPSED]
    assert office.cashier.get(f"/tickets/{tickets[0]['number']}").json["status"] == "expired"
