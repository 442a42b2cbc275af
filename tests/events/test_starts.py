"""The start as announced stays readable; corrected, moved and actual starts are facts of their own (D-15, RULES 3)."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from db.session import transaction
from events.starts.standing import start_of, starts_of
from office.significant.kinds import START_CHANGED
from tests.approvals.people import code_of
from tests.events.starts import said, same, told
from tests.office import EVENT, Office
from tests.records import facts_of

ANNOUNCED = "2022-11-22T13:00:00+03:00"
LATER = "2022-11-22T14:30:00+03:00"
NEXT_DAY = "2022-11-23T13:00:00+03:00"
WHISTLE = "2022-11-22T13:02:07.000001+03:00"
FINAL_WHISTLE = "2022-11-22T14:58:00+03:00"


def test_what_was_announced_stays_readable_under_every_later_word(office: Office) -> None:
    event = office.pool()["event_id"]
    told(office, event, "corrected", LATER)
    told(office, event, "moved", NEXT_DAY)
    told(office, event, "moved", ANNOUNCED)
    office.clock("2022-11-22T15:00:00+03:00")
    told(office, event, "started", WHISTLE)
    told(office, event, "ended", FINAL_WHISTLE)

    shown = office.cashier.get(f"/events/{event}").json
    assert same(shown["starts_at"], ANNOUNCED)
    assert same(shown["start_in_force"], WHISTLE) and same(shown["started_at"], WHISTLE)
    assert same(shown["ended_at"], FINAL_WHISTLE)
    listed = office.auditor.get(f"/events/{event}/start-changes", limit=3).json
    assert [change["turn"] for change in listed["items"]] == ["ended", "started", "moved"]
    older = office.auditor.get(f"/events/{event}/start-changes", cursor=listed["next_cursor"]).json["items"]
    assert [change["turn"] for change in older] == ["moved", "corrected"]
    was = [change["was"] for change in (*listed["items"], *older)]
    assert all(map(same, was, (WHISTLE, ANNOUNCED, NEXT_DAY, LATER, ANNOUNCED)))
    assert {change["source"] for change in older} == {"сообщение федерации"}
    assert {change["reason"] for change in older} == {"проверено по телефону"}


def test_every_word_has_a_source_a_reason_and_an_instant(office: Office) -> None:
    event = office.pool()["event_id"]
    path = f"/events/{event}/start-changes"
    whole = {"turn": "corrected", "instant": LATER, "source": "федерация", "reason": "опечатка"}
    for missing in whole:
        assert office.organizer.post(path, {**whole, missing: None}).status_code == 422
        part = {name: value for name, value in whole.items() if name != missing}
        assert office.organizer.post(path, part).status_code == 422, missing
    assert said(office, event, "not_started", LATER).status_code == 422
    assert said(office, event, "postponed", LATER).status_code == 422
    assert said(office, 99, "corrected", LATER).json["code"] == "not_found"
    assert office.auditor.get(path).json["items"] == []


def test_an_instant_is_kept_with_its_offset_and_one_without_is_refused(office: Office) -> None:
    """FIELD-FAULTS 110: 29 March 2026, 01:30 at +03:00 is 22:30 UTC of the day before; 01:30 of nowhere is nothing."""
    event = office.pool()["event_id"]
    told(office, event, "moved", "2026-03-29T01:30:00+03:00")
    with office.house.sessions() as session:
        start = start_of(session, event)
    assert start.in_force == datetime(2026, 3, 28, 22, 30, tzinfo=UTC)
    assert start.in_force.utcoffset() is not None
    assert start.announced == datetime(2022, 11, 22, 10, 0, tzinfo=UTC)
    assert said(office, event, "moved", "2026-03-29T01:30:00").status_code == 422


def test_what_cannot_be_so_is_refused(office: Office) -> None:
    event = office.pool()["event_id"]
    assert code_of(said(office, event, "corrected", ANNOUNCED)) == (409, "start_unchanged")
    assert code_of(said(office, event, "moved", ANNOUNCED)) == (409, "start_unchanged")
    assert code_of(said(office, event, "started", ANNOUNCED)) == (422, "instant_in_future")
    assert code_of(said(office, event, "ended", "2022-11-22T07:00:00+03:00")) == (409, "event_not_started")
    assert code_of(said(office, event, "not_started")) == (409, "event_not_started")
    office.clock("2022-11-22T15:00:00+03:00")
    told(office, event, "started", WHISTLE)
    for turn in ("corrected", "moved"):
        assert code_of(said(office, event, turn, NEXT_DAY)) == (409, "event_started")
    assert code_of(said(office, event, "started", WHISTLE)) == (409, "start_unchanged")
    assert code_of(said(office, event, "ended", "2022-11-22T16:00:00+03:00")) == (422, "instant_in_future")
    assert code_of(said(office, event, "ended", WHISTLE)) == (422, "end_before_start")
    assert code_of(said(office, event, "ended", "2022-11-22T13:02:07+03:00")) == (422, "end_before_start")
    told(office, event, "ended", "2022-11-22T13:02:07.000002+03:00")
    late = said(office, event, "started", "2022-11-22T13:02:07.000002+03:00")
    assert code_of(late) == (422, "end_before_start")


def test_an_actual_start_that_was_mistaken_is_replaced_or_taken_back(office: Office) -> None:
    event = office.pool()["event_id"]
    office.clock("2022-11-22T15:00:00+03:00")
    told(office, event, "started", WHISTLE)
    told(office, event, "started", "2022-11-22T13:05:00+03:00")
    assert same(office.cashier.get(f"/events/{event}").json["started_at"], "2022-11-22T13:05:00+03:00")
    told(office, event, "ended", FINAL_WHISTLE)
    told(office, event, "not_started")
    shown = office.cashier.get(f"/events/{event}").json
    assert (shown["started_at"], shown["ended_at"]) == (None, None)
    assert same(shown["start_in_force"], ANNOUNCED)
    assert code_of(said(office, event, "ended", FINAL_WHISTLE)) == (409, "event_not_started")
    told(office, event, "moved", NEXT_DAY)


def test_a_result_is_entered_from_the_start_in_force_on(office: Office) -> None:
    """Moved from 13:00 to 14:30: at 14:29:30 it has not begun, at 14:30 it has."""
    event = office.pool()["event_id"]
    told(office, event, "moved", LATER)
    result = {"outcomes": ["1"], "source": "протокол матча"}
    office.clock("2022-11-22T14:29:30+03:00")
    assert code_of(office.organizer.post(f"/events/{event}/results", result)) == (409, "event_not_started")
    office.clock(LATER)
    assert office.organizer.post(f"/events/{event}/results", result).status_code == 201


def test_what_has_a_protocol_is_moved_no_more_but_its_actual_start_may_still_be_told(office: Office) -> None:
    pool = office.pool()
    office.determine(pool, "1")
    assert code_of(said(office, pool["event_id"], "moved", NEXT_DAY)) == (409, "result_already_fixed")
    told(office, pool["event_id"], "started", WHISTLE)


def test_lists_go_by_the_start_in_force_and_read_it_in_bulk(office: Office) -> None:
    events = [office.pool(code)["event_id"] for code in ("P1", "P2", "P3")]
    told(office, events[0], "moved", NEXT_DAY)
    told(office, events[1], "corrected", "2022-11-22T12:00:00+03:00")
    office.clock("2022-11-22T12:30:00+03:00")
    told(office, events[2], "started", "2022-11-22T12:29:00+03:00")

    def listed(**asked: str) -> list[int]:
        return [event["id"] for event in office.organizer.get("/events", **asked).json["items"]]

    assert (listed(upcoming="true"), listed(upcoming="false")) == ([events[0]], [events[2], events[1]])
    with office.house.sessions() as session:
        assert starts_of(session, events) == {event: start_of(session, event) for event in events}
        assert starts_of(session, []) == {}


def test_a_ticket_carries_the_start_that_was_scheduled_when_it_was_sold(office: Office) -> None:
    """D-15 counts from the date on the ticket: a later word leaves the paper as it is, its duplicate too."""
    event = office.pool()["event_id"]
    first = office.bet(office.cashier, "1", "1.00", key="sold-before-it-moved").json
    told(office, event, "moved", NEXT_DAY)
    second = office.bet(office.cashier, "1", "1.00").json
    told(office, event, "corrected", LATER)
    office.clock("2022-11-22T12:50:00+03:00")
    told(office, event, "started", "2022-11-22T12:49:00+03:00")
    assert same(first["event_starts_at"], ANNOUNCED) and same(second["event_starts_at"], NEXT_DAY)
    for ticket in (first, second):
        shown = office.organizer.get(f"/tickets/{ticket['number']}").json
        assert shown["event_starts_at"] == ticket["event_starts_at"]
    assert office.bet(office.cashier, "1", "1.00", key="sold-before-it-moved").json == first


def test_an_unexpected_start_is_a_significant_event_and_the_whistle_in_time_is_none(office: Office) -> None:
    event = office.pool()["event_id"]
    told(office, event, "moved", LATER)
    office.clock("2022-11-22T15:00:00+03:00")
    told(office, event, "started", WHISTLE)
    told(office, event, "ended", FINAL_WHISTLE)
    assert [(subject, facts["turn"]) for subject, facts in facts_of(office, START_CHANGED)] == [
        (f"event:{event}", "moved")
    ]
    told(office, event, "started", "2022-11-22T13:05:00+03:00")
    told(office, event, "not_started")
    turns = [facts["turn"] for _, facts in facts_of(office, START_CHANGED)]
    assert turns == ["moved", "started", "not_started"]


def test_a_start_is_never_edited(office: Office) -> None:
    event = office.pool()["event_id"]
    told(office, event, "moved", LATER)
    for change in ("UPDATE events SET starts_at = now()", "UPDATE start_changes SET instant = now()"):
        with pytest.raises(DBAPIError, match="append-only"), transaction(office.owner) as session:
            session.execute(text(change))


def test_a_pool_is_announced_by_the_start_in_force(office: Office) -> None:
    """Sales till 12:55 fit the announced 13:00 and a start moved to the next day, but none brought forward to 12:54."""
    event = office.pool()["event_id"]
    told(office, event, "moved", "2022-11-22T12:54:59.999999+03:00")
    terms = {"event_id": event, "closes_at": "2022-11-22T12:55:00+03:00"}
    body = {**POOL_TERMS, **terms, "code": "P-LATE"}
    assert code_of(office.organizer.post("/pools", body)) == (422, "pool_terms_wrong")
    body["closes_at"] = "2022-11-22T12:54:59.999999+03:00"
    assert office.organizer.post("/pools", body).status_code == 201
    told(office, event, "moved", NEXT_DAY)
    body.update(code="P-NEXT", closes_at=NEXT_DAY)
    assert office.organizer.post("/pools", body).status_code == 201


POOL_TERMS = {
    "name": "Исход матча",
    "game": "totolot_variant",
    "opens_at": "2022-11-22T08:00:00+03:00",
    "minimum_stake": "1.00",
    "maximum_stake": "10000.00",
    "outcomes": [{"code": "1", "name": "П1"}, {"code": "X", "name": "Ничья"}],
}


def test_a_venue_may_be_named(office: Office) -> None:
    told_venue = {**EVENT, "code": "E-V", "venue": "Стадион «Лусаил»"}
    assert office.organizer.post("/events", told_venue).json["venue"] == "Стадион «Лусаил»"
    assert office.organizer.post("/events", {**EVENT, "code": "E-N"}).json["venue"] is None


def test_the_tote_returns_nothing_for_a_move_however_far(office: Office) -> None:
    """B-Rules 24 return what is moved by more than three days, T-Rules know no such rule: ten days on the pool settles.

    10.00 on 1 and 30.00 on 2, a fund of 24.00 for the one winning bet.
    """
    pool = office.pool()
    for outcome, stake in (("1", "10.00"), ("2", "30.00")):
        assert office.bet(office.cashier, outcome, stake).status_code == 201
    told(office, pool["event_id"], "moved", "2022-12-02T13:00:00+03:00")
    sheet = office.decide(pool, "2", at="2022-12-02T16:00:00+03:00").json
    assert (sheet["pool"], sheet["fund"], sheet["wins"]) == ("40.00", "24.00", "24.00")
    statuses = [office.organizer.get(f"/tickets/{number}").json["status"] for number in (1, 2)]
    assert statuses == ["lost", "won"]
