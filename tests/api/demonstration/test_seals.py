"""The seals of the demonstration: one behind every stage, so that a report as of any played hour has its rows."""

from __future__ import annotations

import pytest

from tests.api.demonstration.staged import Stage

# By hand from `bets`: 24 tickets in all are on sale until the first evening, and none is sold later.
SOLD = 24


@pytest.mark.parametrize(
    ("as_of", "tickets"),
    [("2022-11-22T09:30:00+03:00", 0), ("2022-11-22T10:10:00+03:00", SOLD), ("2022-11-22T23:59:30+03:00", SOLD)],
)
def test_the_ticket_register_as_of_an_hour_of_the_first_day(played: Stage, as_of: str, tickets: int) -> None:
    report = played.cast().accountant.get("/reports/ticket-register", as_of=as_of, limit=200)

    assert len(report["items"]) == tickets


def test_as_of_the_first_evening_one_ticket_was_cancelled_and_one_stake_fetched(played: Stage) -> None:
    """57.00 of the mistyped bet and 25.00 of the broken off match were paid that day, and nothing else in cash."""
    at = {"as_of": "2022-11-22T23:59:30+03:00", "limit": 200}
    rows = played.cast().accountant.get("/reports/ticket-register", **at)["items"]

    assert {row["paid"] for row in rows if row["paid_where"] == "K-1"} == {"57.00", "25.00"}
