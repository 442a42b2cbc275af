"""What is written down by itself: large bets and wins, cash that differs, work that fails, clocks, broken books."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest
from structlog.testing import capture_logs

from api.house import House
from api.sweeps import watched
from api.tasks import SWEEPS
from db.cluster import free_port
from db.instants import now
from db.session import transaction
from db.urls import DatabaseUrls, conninfo
from ledger.money import MoneyError
from office.significant.clocks import compare_clocks
from office.significant.thresholds import AUDIT_HOUR, LARGE_BET_FROM, LARGE_WIN_FROM
from reports.night_audit import audit_if_due
from tests.office import KEYS, OPERATOR, Office
from tests.records import set_to
from tests.significant.hooked import seal_all


def events(office: Office, *kinds: str) -> list[tuple[str, str, dict[str, Any]]]:
    """Kind, subject and facts of the events of these kinds, in their order."""
    with psycopg.connect(conninfo(office.urls.app)) as connection:
        return connection.execute(
            "SELECT kind, subject, facts FROM significant_events WHERE kind = ANY(%s) ORDER BY id", (list(kinds),)
        ).fetchall()


def test_a_bet_of_the_limit_is_written_down_with_its_ticket_and_one_below_is_not(office: Office) -> None:
    """The limit is 1000.00."""
    office.pool(maximum_stake="5000.00")
    player = office.player("ivan", "3000.00")
    assert office.bet(office.cashier, "1", "999.99").status_code == 201
    at_desk = office.bet(office.cashier, "1", "1000.00").json["number"]
    online = office.bet(player, "2", "1500.00", key="a-large-bet").json["number"]
    assert office.bet(player, "2", "1500.00", key="a-large-bet").status_code == 201, "a repeat is no other bet"
    assert office.bet(player, "2", "2000.00").json["code"] == "insufficient_funds"

    found = office.administrator.get("/significant-events", kind="large_bet").json["items"]

    assert [(event["subject"], event["facts"]) for event in found] == [
        (f"ticket:{online}", {"pool": "P1", "stake": "1500.00", "currency": "BYN"}),
        (f"ticket:{at_desk}", {"pool": "P1", "stake": "1000.00", "currency": "BYN"}),
    ]
    assert (found[0]["player_id"] is not None, found[0]["user_id"]) == (True, None)
    assert (found[1]["player_id"], found[1]["user_id"] is not None, found[1]["terminal_id"] is not None) == (
        None,
        True,
        True,
    )


def test_a_changed_limit_counts_from_the_next_bet(office: Office) -> None:
    office.pool()
    office.bet(office.cashier, "1", "50.00")
    set_to(office, LARGE_BET_FROM, 40_00)
    office.bet(office.cashier, "1", "51.00")
    assert [facts["stake"] for _, _, facts in events(office, "large_bet")] == ["51.00"]


def test_large_wins_are_written_down_as_they_are_credited_and_paid_each_once(office: Office) -> None:
    """Pool 30000.00, fund 60 % 18000.00, on outcome 1 9000.00: coefficient 2; wins 12000.00, 4000.00 and 2000.00.

    The limit is 4000.00: the player's 12000.00 as it is credited, the cash ticket's 4000.00 as it is paid.
    """
    set_to(office, LARGE_WIN_FROM, 4_000_00)
    pool = office.pool(maximum_stake="30000.00")
    player = office.player("ivan", "7000.00")
    online = office.bet(player, "1", "6000.00").json["number"]
    small = office.bet(player, "1", "1000.00")
    cash = office.bet(office.cashier, "1", "2000.00").json
    office.bet(office.cashier, "2", "21000.00")
    assert small.status_code == 201
    assert office.decide(pool, "1").status_code == 201

    credited = ("large_win", f"ticket:{online}", {"win": "12000.00", "currency": "BYN", "end": "win_credited"})
    assert events(office, "large_win") == [credited]
    assert office.organizer.post("/pools/P1/settlement").status_code == 201
    assert events(office, "large_win") == [credited]

    office.clock("2022-11-23T10:00:00+03:00")
    assert office.pay(cash["code"]).status_code == 201
    paid = ("large_win", f"ticket:{cash['number']}", {"win": "4000.00", "currency": "BYN", "end": "payout"})
    assert events(office, "large_win") == [credited, paid]
    shown = office.administrator.get("/significant-events", kind="large_win").json["items"]
    assert (shown[0]["user_id"] is not None, shown[0]["player_id"]) == (True, None)
    assert (shown[1]["user_id"], shown[1]["player_id"] is not None) == (None, True)


@pytest.mark.parametrize(("counted", "difference"), [("90.00", "-10.00"), ("110.00", "10.00"), ("90.01", None)])
def test_cash_that_differs_at_the_end_of_a_shift(office: Office, counted: str, difference: str | None) -> None:
    """The shift opened on 100.00 and moved nothing; the limit is 10.00 either way."""
    assert office.cashier.post(f"/shifts/{office.shift_id}/closing", {"counted": counted}).status_code in (200, 201)
    told = {"difference": difference, "expected": "100.00", "counted": counted, "currency": "BYN"}
    expected = [] if difference is None else [("cash_differs", f"shift:{office.shift_id}", told)]
    assert events(office, "cash_differs") == expected


def fail(_house: object) -> None:
    """Work that is never done."""
    raise MoneyError("too_long", "secret text")


@pytest.mark.parametrize(
    ("sweep", "kinds"),
    [("close_due_pools", ("sweep_failed", "sweep_recovered")), ("seal", ("seal_failed", "seal_recovered"))],
)
def test_work_that_fails_minute_after_minute_is_told_once_and_once_when_it_works_again(
    office: Office, sweep: str, kinds: tuple[str, str]
) -> None:
    broken, mended = kinds
    for _ in range(2):
        for _ in range(3):
            with pytest.raises(MoneyError):
                watched(office.house, sweep, fail)
        for _ in range(2):
            watched(office.house, sweep, lambda _house: None)
    told = [(kind, subject, facts) for kind, subject, facts in events(office, *kinds)]
    assert (
        told
        == [
            (broken, f"sweep:{sweep}", {"error": "MoneyError"}),
            (mended, f"sweep:{sweep}", {}),
        ]
        * 2
    )


def test_without_a_database_the_sweeps_own_error_is_what_is_raised() -> None:
    nowhere = f"postgresql://nobody@127.0.0.1:{free_port()}/nothing"
    here = House(OPERATOR, lambda: DatabaseUrls(nowhere, nowhere), lambda: KEYS)
    with capture_logs() as logged, pytest.raises(MoneyError):
        watched(here, "seal", fail)
    assert [(entry["event"], entry["sweep"]) for entry in logged] == [("sweep_not_noted", "seal")]


def ahead(seconds: float) -> Callable[[], datetime]:
    """A machine whose clock is ahead."""
    return lambda: now() + timedelta(seconds=seconds)


def test_clocks_that_part_are_told_once_and_once_when_they_meet_again(office: Office) -> None:
    """The tolerance is five seconds, either way."""
    for seconds in (0, 4, 60, 61, -30, 0, 1):
        with transaction(office.house.sessions) as session:
            compare_clocks(session, ahead(seconds))
    found = events(office, "clock_differs", "clock_agrees")
    assert [kind for kind, _, _ in found] == ["clock_differs", "clock_agrees"]
    assert 59.5 < float(found[0][2]["ahead_seconds"]) < 60.5


def test_a_slow_answer_of_the_database_is_no_difference_of_clocks(office: Office) -> None:
    """Thirty seconds between asking and the answer: it may have been given anywhere between."""
    readings = iter([now(), now() + timedelta(seconds=30)])
    with transaction(office.house.sessions) as session:
        assert compare_clocks(session, lambda: next(readings)) is None
    assert events(office, "clock_differs") == []


def test_the_books_are_audited_once_a_day_at_the_hour(office: Office) -> None:
    """The hour is four in the morning in Minsk."""

    def audited(instant: str) -> bool:
        office.clock(instant)
        return audit_if_due(office.house.sessions, office.house.operator)

    assert audited("2022-11-22T08:00:00+03:00"), "never done"
    assert not audited("2022-11-22T23:00:00+03:00")
    assert not audited("2022-11-23T03:59:00+03:00")
    assert audited("2022-11-23T04:00:10+03:00")
    assert not audited("2022-11-23T04:01:00+03:00")
    set_to(office, AUDIT_HOUR, 5)
    assert audited("2022-11-23T05:00:10+03:00")
    assert events(office, "books_audited", "books_broken") == [("books_audited", "audit:books", {"breaches": {}})] * 3


def test_broken_books_and_seals_are_told_by_promise_and_fault(office: Office, tmp_path: Path) -> None:
    """A balance a kopeck too high, and a sealed event changed, by an owner who put the guards off."""
    office.player("ivan", "10.00")
    seal_all(office)
    with psycopg.connect(conninfo(office.urls.owner)) as owner:
        owner.execute("UPDATE balances SET balance = balance + 1")
        owner.execute("ALTER TABLE clock_shifts DISABLE TRIGGER USER")
        owner.execute("UPDATE clock_shifts SET reason = 'changed'")
        owner.execute("ALTER TABLE clock_shifts ENABLE ALWAYS TRIGGER append_only")
    SWEEPS["audit_books"](office.house)
    with psycopg.connect(conninfo(office.urls.owner)) as owner:
        owner.execute("UPDATE balances SET balance = balance - 1")

    assert events(office, "books_broken") == [
        ("books_broken", "audit:books", {"breaches": {"остаток игрового счёта равен его переводам": 1}})
    ]
    assert events(office, "seals_broken") == [("seals_broken", "audit:seals", {"findings": {"changed": 1}})]


def test_of_two_workers_one_audits(office: Office) -> None:
    with psycopg.connect(conninfo(office.urls.app)) as other:
        other.execute("SELECT pg_advisory_xact_lock(7120019)")
        assert not audit_if_due(office.house.sessions, office.house.operator)
    assert audit_if_due(office.house.sessions, office.house.operator)
