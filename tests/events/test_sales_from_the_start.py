"""From an event's start on no pool of it sells; what was sold later is told (T-Rules 28, 29; FIELD-FAULTS 034)."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from time import sleep
from typing import Any

from sqlalchemy import text

from db.session import transaction
from office.callers import Caller, Role
from office.significant.kinds import BETS_AFTER_START
from tests.approvals.people import code_of
from tests.events.starts import said, same, told
from tests.office import POOL, Member, Office
from tests.records import facts_of
from tote.announcing import Announcement, announce
from tote.orders import Order
from tote.sales import place

MICROSECOND = timedelta(microseconds=1)
NOON = "2022-11-22T12:00:00+03:00"
HALF_PAST = "2022-11-22T12:30:00+03:00"
STOPPED_AT = text("SELECT stop_met((SELECT id FROM pools WHERE code = :pool), '1', NULL, :at)")
CASHIER = text("SELECT users.id, terminals.id FROM users, terminals WHERE login = :login AND code = :terminal")
WAITING = text("""
    SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
""")


def stop_at(office: Office, at: datetime, pool: str = "P1") -> int | None:
    """The stop that a bet of this instant meets."""
    with office.owner() as session:
        found: int | None = session.scalar(STOPPED_AT, {"pool": pool, "at": at})
        return found


def late(office: Office, event: int) -> list[int]:
    """The tickets the house lists as placed too late."""
    return [ticket["number"] for ticket in office.organizer.get(f"/events/{event}/late-tickets").json["items"]]


def resumption(office: Office, stop: int) -> Any:
    """The organizer wants sales to go on."""
    return office.organizer.post(f"/sales-stops/{stop}/resumption", {"reason": "Проверено"})


def test_t_rules_28_from_an_actual_start_on_nothing_is_sold(office: Office) -> None:
    """Kicked off at 12:00 in place of 13:00: sales till 12:55 end at once, of this event and no other."""
    event = office.pool()["event_id"]
    office.pool("P2")
    assert office.bet(office.cashier, "1", "1.00").status_code == 201
    office.clock(NOON)
    change = told(office, event, "started", NOON)
    refused = office.bet(office.cashier, "1", "1.00").json
    assert (refused["code"], refused["stop"], refused["reason"]) == (
        "sales_stopped",
        change["stop_id"],
        "Событие началось.",
    )
    assert same(refused["since"], change["entered_at"])
    assert office.bet(office.cashier, "1", "1.00", pool="P2").status_code == 201
    assert change["late_tickets"] == {"items": [], "next_cursor": None}


def test_a_start_that_leaves_all_sales_before_it_stops_nothing(office: Office) -> None:
    event = office.pool()["event_id"]
    office.clock("2022-11-22T12:56:00+03:00")
    assert told(office, event, "corrected", "2022-11-22T12:58:00+03:00")["stop_id"] is None
    assert told(office, event, "started", "2022-11-22T12:55:30+03:00")["stop_id"] is None
    assert office.organizer.get("/sales-stops").json["items"] == []


def test_t_rules_29_tickets_placed_at_the_start_or_after_it_are_told(office: Office) -> None:
    """The start told late, to the microsecond: a bet of that very instant is late, one a microsecond before is not."""
    event = office.pool()["event_id"]
    tickets = [office.bet(office.cashier, "1", "1.00").json for _ in range(3)]
    middle = datetime.fromisoformat(tickets[1]["placed_at"])
    first, second, third = (ticket["number"] for ticket in tickets)
    for start, found in (
        (middle - MICROSECOND, [third, second]),
        (middle, [third, second]),
        (middle + MICROSECOND, [third]),
    ):
        change = told(office, event, "started", start.isoformat())
        assert [ticket["number"] for ticket in change["late_tickets"]["items"]] == found
        assert late(office, event) == found
    assert first not in late(office, event)
    (shown,) = office.organizer.get(f"/events/{event}/late-tickets").json["items"]
    assert (shown["pool"], shown["outcome"], shown["stake"], shown["status"]) == ("P1", "1", "1.00", "accepted")
    assert [facts["bets"] for _, facts in facts_of(office, BETS_AFTER_START)] == [2, 2, 1]
    told(office, event, "not_started")
    assert late(office, event) == []


def test_late_tickets_are_read_page_by_page_and_are_those_of_the_event_alone(office: Office) -> None:
    event = office.pool()["event_id"]
    office.pool("P2")
    office.bet(office.cashier, "1", "1.00", pool="P2")
    numbers = [office.bet(office.cashier, "1", "1.00").json["number"] for _ in range(3)]
    told(office, event, "started", "2022-11-22T08:00:00+03:00")
    page = office.organizer.get(f"/events/{event}/late-tickets", limit=2).json
    rest = office.organizer.get(f"/events/{event}/late-tickets", limit=2, cursor=page["next_cursor"]).json
    assert [one["number"] for one in (*page["items"], *rest["items"])] == numbers[::-1]
    assert rest["next_cursor"] is None


def test_a_start_brought_forward_ends_sales_at_its_instant(office: Office) -> None:
    """Corrected from 13:00 to 12:30 with sales till 12:55: the last bet a microsecond before, none from 12:30 on."""
    event = office.pool()["event_id"]
    stop = told(office, event, "corrected", HALF_PAST)["stop_id"]
    at = datetime.fromisoformat(HALF_PAST)
    assert [stop_at(office, instant) for instant in (at - MICROSECOND, at, at + MICROSECOND)] == [None, stop, stop]
    assert office.bet(office.cashier, "1", "1.00").status_code == 201
    office.clock(HALF_PAST)
    assert office.bet(office.cashier, "1", "1.00").json["code"] == "sales_stopped"
    assert late(office, event) == [], "no actual start is on record: nobody can say that a bet was late"


def test_a_planned_end_of_sales_goes_with_the_start_it_was_planned_for(office: Office) -> None:
    event = office.pool()["event_id"]
    first = told(office, event, "corrected", HALF_PAST)["stop_id"]
    second = told(office, event, "corrected", NOON)["stop_id"]
    assert told(office, event, "moved", "2022-11-22T14:00:00+03:00")["stop_id"] is None
    standing = {stop["id"]: stop["standing"] for stop in office.organizer.get("/sales-stops").json["items"]}
    assert standing == {first: "ended", second: "ended"}
    office.clock(HALF_PAST)
    assert office.bet(office.cashier, "1", "1.00").status_code == 201


def test_sales_that_a_past_start_stopped_go_on_by_somebodys_decision_once_it_is_moved(office: Office) -> None:
    """12:30 passes, then the match is moved to 14:00: sales till 12:55 may go on, but not by themselves."""
    event = office.pool()["event_id"]
    stop = told(office, event, "corrected", HALF_PAST)["stop_id"]
    office.clock("2022-11-22T12:31:00+03:00")
    assert code_of(resumption(office, stop)) == (409, "event_started")
    told(office, event, "moved", "2022-11-22T14:00:00+03:00")
    assert office.bet(office.cashier, "1", "1.00").json["code"] == "sales_stopped"
    assert resumption(office, stop).status_code == 201
    assert office.bet(office.cashier, "1", "1.00").status_code == 201


def test_nobody_resumes_the_sales_of_a_started_event(office: Office) -> None:
    """Neither the stop that the start threw, nor one planned for it, nor one that stood before; nor by command."""
    event = office.pool()["event_id"]
    manual = office.organizer.post("/sales-stops", {"scope": "event", "subject": "E-P1", "reason": "слухи"}).json["id"]
    planned = told(office, event, "corrected", HALF_PAST)["stop_id"]
    assert code_of(resumption(office, planned)) == (409, "event_started")
    office.clock(NOON)
    thrown = told(office, event, "started", NOON)["stop_id"]
    assert thrown not in (None, manual, planned)
    for stop in (manual, thrown):
        assert code_of(resumption(office, stop)) == (409, "event_started")
    told_again = ["resume-sales", str(thrown), "--by", "organizer", "--reason", "Проверено"]
    done = office.app.test_cli_runner().invoke(args=told_again)
    assert done.exit_code == 1 and "до начала события" in done.output
    assert office.bet(office.cashier, "1", "1.00").json["code"] == "sales_stopped"
    assert office.organizer.post("/pools/P1/closing").status_code == 201
    assert resumption(office, thrown).status_code == 201, "with nothing left to sell it holds nothing"
    assert resumption(office, manual).status_code == 201


def test_a_start_recorded_by_mistake_is_taken_back_and_the_scheduled_one_still_ends_sales(office: Office) -> None:
    """Scheduled for 12:30 with sales till 12:55, started by mistake at 12:00: sales go on, and end at 12:30."""
    event = office.pool()["event_id"]
    told(office, event, "corrected", HALF_PAST)
    office.clock(NOON)
    thrown = told(office, event, "started", NOON)["stop_id"]
    planned = told(office, event, "not_started")["stop_id"]
    assert office.bet(office.cashier, "1", "1.00").json["stop"] == thrown
    assert resumption(office, thrown).status_code == 201
    assert office.bet(office.cashier, "1", "1.00").status_code == 201
    office.clock(HALF_PAST)
    assert office.bet(office.cashier, "1", "1.00").json["stop"] == planned


def test_a_trader_tells_starts_too_and_nobody_else(office: Office) -> None:
    event = office.pool()["event_id"]
    office.clock(NOON)
    assert said(office, event, "started", NOON, by=office.supervisor).json["code"] == "forbidden"
    assert said(office, event, "started", NOON, by=office.trader).status_code == 201
    assert office.bet(office.cashier, "1", "1.00").json["code"] == "sales_stopped"


def eventually(holds: Callable[[], bool]) -> None:
    """Wait, ten seconds at most, for what is bound to come."""
    for _ in range(1000):
        if holds():
            return
        sleep(0.01)
    raise AssertionError("it never came")


def waiting(office: Office, sessions: int) -> bool:
    """Whether so many sessions wait for a gate."""
    with office.owner() as session:
        return session.scalar(WAITING) == sessions


def apart(office: Office, member: Member) -> Member:
    """The same person at a client of their own, for a thread."""
    return Member(office.app.test_client(), member.token)


def seller(office: Office) -> Caller:
    """The cashier at the terminal, as an act knows them."""
    with office.owner() as session:
        user, terminal = session.execute(CASHIER, {"login": "cashier", "terminal": "T-1"}).one()
    return Caller(Role.CASHIER, user_id=user, terminal_id=terminal)


def test_a_bet_under_way_is_waited_for_and_the_one_behind_the_start_is_refused(office: Office) -> None:
    """A bet holds its gates and is not committed; the start waits for it and finds it late; the next bet waits too."""
    event = office.pool()["event_id"]
    organizer, cashier = apart(office, office.organizer), apart(office, office.cashier)
    office.clock(NOON)
    with ThreadPoolExecutor(2) as threads, office.house.sessions() as selling:
        number = place(selling, office.house.counter, Order("P1", "1", 100), seller(office))
        start = threads.submit(said, office, event, "started", NOON, by=organizer)
        eventually(lambda: waiting(office, 1))
        behind = threads.submit(office.bet, cashier, "1", "1.00")
        eventually(lambda: waiting(office, 2))
        selling.commit()
        answer, refused = start.result(timeout=30), behind.result(timeout=30)
    assert answer.status_code == 201, answer.json
    assert [ticket["number"] for ticket in answer.json["late_tickets"]["items"]] == [number]
    assert (refused.json["code"], refused.json["stop"]) == ("sales_stopped", answer.json["stop_id"])
    placed = datetime.fromisoformat(office.organizer.get(f"/tickets/{number}").json["placed_at"])
    assert placed < datetime.fromisoformat(answer.json["entered_at"])
    assert late(office, event) == [number]


def test_a_pool_being_announced_while_the_start_is_told_does_not_sell_either(office: Office) -> None:
    """The announcement has read the old start and is not committed; the start waits for it and stops its sales."""
    event = office.pool(closes_at="2022-11-22T09:00:00+03:00")["event_id"]
    office.clock(NOON)
    with ThreadPoolExecutor(1) as threads, office.house.sessions() as announcing:
        announced = announce_second_pool(announcing, event)
        start = threads.submit(said, office, event, "started", NOON)
        eventually(lambda: waiting(office, 1))
        announcing.commit()
        answer = start.result(timeout=30)
    assert answer.json["stop_id"] is not None
    assert office.bet(office.cashier, "1", "1.00", pool=announced).json["stop"] == answer.json["stop_id"]


def announce_second_pool(session: Any, event: int) -> str:
    """A pool of the event selling till 12:55, its transaction left open; its code."""
    announcement = Announcement(
        code="P-2",
        name="Исход",
        game=str(POOL["game"]),
        event_id=event,
        opens_at=datetime.fromisoformat("2022-11-22T08:00:00+03:00"),
        closes_at=datetime.fromisoformat("2022-11-22T12:55:00+03:00"),
        minimum_stake=100,
        maximum_stake=100_00,
        outcomes=(("1", "П1"), ("2", "П2")),
    )
    return announce(session, announcement, money="BYN", announced_by=1).code


def test_a_start_that_is_refused_stops_nothing_and_leaves_nothing(office: Office) -> None:
    event = office.pool()["event_id"]
    assert said(office, event, "started", "2022-11-22T12:00:00+03:00").json["code"] == "instant_in_future"
    assert office.bet(office.cashier, "1", "1.00").status_code == 201
    with transaction(office.owner) as session:
        assert session.scalar(text("SELECT count(*) FROM start_changes")) == 0
        assert session.scalar(text("SELECT count(*) FROM sales_stops")) == 0
