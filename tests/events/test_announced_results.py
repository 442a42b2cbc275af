"""The organizer announces the results to everybody (T-Rules 10, 31): by the protocols in force, page by page."""

from __future__ import annotations

from typing import Any

from tests.events.test_protocol_sheet import AFTER, fixed
from tests.office import Member, Office


def announced(member: Member, **asked: Any) -> tuple[list[dict[str, Any]], int | None]:
    """A page of results as a member reads it, and the cursor of the next."""
    page = member.get("/results", **asked).json
    return page["items"], page["next_cursor"]


def test_t_rules_31_players_and_cashiers_read_the_results(office: Office) -> None:
    event, player = office.pool()["event_id"], office.player("ivan")
    office.clock(AFTER)
    entry = {"outcomes": ["X"], "source": "табло"}
    assert office.organizer.post(f"/events/{event}/results", entry).status_code == 201
    assert announced(player) == ([], None), "entered is not yet confirmed"
    drawn = fixed(office, event)
    (result,), following = announced(player)
    assert announced(office.cashier) == ([result], None) == announced(office.auditor) and following is None
    assert {name: result[name] for name in ("event_code", "protocol", "standing", "outcomes", "score")} == {
        "event_code": "E-P1",
        "protocol": 1,
        "standing": "held",
        "outcomes": ["2"],
        "score": "1:2",
    }
    assert result["drawn_up_at"] == drawn["drawn_up_at"]
    assert [(one["title"], one["home"], one["away"]) for one in result["scores"]] == [
        ("1-й тайм", 1, 0),
        ("Основное время", 1, 2),
    ]
    assert not {"signatories", "entered_by", "confirmed_by"} & result.keys(), "who drew it up is the office's to know"


def test_a_corrected_result_is_told_as_it_is_now(office: Office) -> None:
    event = office.pool()["event_id"]
    office.clock(AFTER)
    fixed(office, event)
    fixed(office, event, "1", corrects=1, reason="clerical_error")
    (result,), _ = announced(office.cashier)
    assert (result["protocol"], result["corrects"], result["outcomes"]) == (2, 1, ["1"])


def test_results_are_read_page_by_page_the_latest_protocol_first(office: Office) -> None:
    events = [office.pool(code)["event_id"] for code in ("P1", "P2", "P3")]
    office.clock(AFTER)
    for event in (events[1], events[0], events[2]):
        fixed(office, event)
    first, following = announced(office.cashier, limit=2)
    rest, end = announced(office.cashier, limit=2, cursor=following)
    assert [result["event_id"] for result in (*first, *rest)] == [events[2], events[0], events[1]]
    assert (following, end) == (2, None)
