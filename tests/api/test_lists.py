"""Lists read page by page: every row once whatever the page's size, and only those that were asked for."""

from __future__ import annotations

import re
from typing import Any

import pytest
from sqlalchemy import text

from db.session import transaction
from ledger.tickets import OPEN
from office.callers import Caller, Role
from tests.office import EVENT, Member, Office
from tests.plans import plans_of
from tote.orders import Order
from tote.sales import place

BETS = 572
STAKED = "2205.06"
"""572 bets of 1.00, 1.01, … 6.71: 572.00 and 571 · 572 / 2 = 163306 kopecks besides."""

OFTEN = 14
"""Five times until a statement is prepared, five until PostgreSQL thinks of a plan for any values, and some more."""
PLANS = text("""
    SELECT custom_plans, generic_plans FROM pg_prepared_statements
    WHERE statement ~ 'FROM tickets|tickets_1' AND statement !~ 'pg_prepared_statements'
""")


def pages(member: Member, path: str, limit: int, **asked: Any) -> list[list[dict[str, Any]]]:
    """All pages of a list, as a client reads them."""
    read, cursor = [], 0
    while cursor is not None:
        answer = member.get(path, limit=limit, cursor=cursor, **asked)
        assert answer.status_code == 200, answer.json
        read.append(answer.json["items"])
        cursor = answer.json["next_cursor"]
    return read


def rows(member: Member, path: str, **asked: Any) -> list[dict[str, Any]]:
    """All rows of a list."""
    return [row for page in pages(member, path, 200, **asked) for row in page]


def ids(member: Member, path: str, **asked: Any) -> list[int]:
    """The numbers of all rows of a list, in its order."""
    return [row.get("id", row.get("number")) for row in rows(member, path, **asked)]


def kopecks(found: list[dict[str, Any]], name: str = "amount") -> int:
    """The sum of amounts as they are shown."""
    return sum(int(row[name].replace(".", "")) for row in found)


@pytest.fixture
def sold_out(office: Office) -> Member:
    """A pool with 572 bets of one player, settled on the outcome that every second of them named."""
    pool = office.pool()
    player = office.player("ivan", STAKED)
    buyer = Caller(Role.PLAYER, player_id=player.get("/players/me").json["id"])
    with transaction(office.house.sessions) as session:
        for number in range(BETS):
            place(session, office.house.counter, Order("P1", "12"[number % 2], 1_00 + number), buyer)
    assert office.decide(pool, "1").status_code == 201
    return player


@pytest.mark.parametrize("limit", [200, 37])
def test_the_journal_read_by_pages_is_the_ledger(office: Office, sold_out: Member, limit: int) -> None:
    """FIELD-FAULTS 083: every id exactly once, the newest first, and the sums are those of the ledger."""
    read = pages(office.accountant, "/transfers", limit)
    entries = [entry for page in read for entry in page]
    with office.owner() as session:
        ledger = text("SELECT array_agg(id ORDER BY id DESC), sum(amount) FROM transfers")
        written, moved = session.execute(ledger).one()
    assert [entry["id"] for entry in entries] == written and len(written) > BETS
    assert kopecks(entries) == moved
    assert {len(page) for page in read[:-1]} == {limit} and 0 < len(read[-1]) <= limit
    assert kopecks([entry for entry in entries if entry["kind"] == "stake"]) == 2205_06


def test_an_accounts_entries_make_its_balance(office: Office, sold_out: Member) -> None:
    """The player's account: the deposit and the wins came in, the stakes went out, the balance is what is left."""
    (account,) = rows(office.accountant, "/accounts", kind="player")
    assert account["subject"] == "player:1"
    entries = rows(office.accountant, "/transfers", account_id=account["id"])
    owed = kopecks([entry for entry in entries if entry["credit_account_id"] == account["id"]])
    taken = kopecks([entry for entry in entries if entry["debit_account_id"] == account["id"]])
    assert taken == 2205_06
    assert owed - taken == int(sold_out.get("/players/me").json["balance"].replace(".", "")) > 0
    assert {(entry["credit_kind"], entry["debit_kind"]) for entry in entries if entry["kind"] == "stake"} == {
        ("pool", "player")
    }


def test_rows_that_come_while_one_reads_tear_no_page(office: Office) -> None:
    office.pool()
    before = [office.bet(office.cashier, "1", "1.00").json["number"] for _ in range(7)]
    first = office.supervisor.get("/tickets", limit=3).json
    office.bet(office.cashier, "1", "1.00")
    office.bet(office.cashier, "1", "1.00")
    second = office.supervisor.get("/tickets", limit=3, cursor=first["next_cursor"]).json
    third = office.supervisor.get("/tickets", limit=3, cursor=second["next_cursor"]).json
    read = [ticket["number"] for page in (first, second, third) for ticket in page["items"]]
    assert (read, third["next_cursor"]) == (before[::-1], None)


def test_the_journal_is_read_by_kind_ticket_shift_and_day(office: Office) -> None:
    office.pool()
    office.player("ivan", "10.00")
    ticket = office.bet(office.cashier, "1", "10.00").json["number"]
    second = office.another_cashier(2)
    office.bet(second, "2", "20.00")
    office.clock("2022-11-23T00:00:00+03:00")
    office.move("collection", "5.00", desk_id=office.desk["id"])

    def kinds(**asked: Any) -> list[str]:
        return [entry["kind"] for entry in rows(office.accountant, "/transfers", **asked)]

    assert kinds(ticket_id=ticket) == ["stake"]
    assert kinds(shift_id=office.shift_id) == ["collection", "stake", "deposit"]
    assert kinds(day="2022-11-23") == ["collection_received", "collection"]
    assert kinds(day="2022-11-22", kind="stake") == ["stake", "stake"]
    assert kinds(kind="own_money_in") == ["own_money_in"]
    assert kinds(kind="nothing") == []
    entry = office.accountant.get("/transfers", kind="collection").json["items"][0]
    assert (entry["debit_kind"], entry["credit_subject"], entry["amount"], entry["booked_on"]) == (
        "cash_in_transit",
        "desk:K-1",
        "5.00",
        "2022-11-23",
    )
    assert office.accountant.get(f"/transfers/{entry['id']}").json == entry
    assert office.accountant.get("/transfers/999999").status_code == 404


def test_the_office_reads_tickets_by_pool_desk_player_status_and_day(office: Office) -> None:
    """Two pools, two desks and a player; of the 30.00 in the first the 10.00 on 2 wins, the 20.00 on 1 are lost."""
    first = office.pool()
    office.pool("P2", closes_at="2022-11-22T12:59:00+03:00")
    player, second = office.player("ivan", "20.00"), office.another_cashier(2)
    at_first = office.bet(office.cashier, "1", "10.00").json
    at_second = office.bet(second, "2", "10.00").json
    online = office.bet(player, "1", "10.00").json
    other = office.bet(player, "1", "10.00", pool="P2").json
    office.decide(first, "2")
    numbers = {
        "P1": ids(office.supervisor, "/tickets", pool="P1"),
        "P2": ids(office.trader, "/tickets", pool="P2"),
        "desk": ids(office.accountant, "/tickets", desk_id=office.desk["id"]),
        "player": ids(office.organizer, "/tickets", player_id=online["player_id"]),
        "lost": ids(office.supervisor, "/tickets", status="lost"),
        "won": ids(office.supervisor, "/tickets", status="won", pool="P1"),
        "day": ids(office.supervisor, "/tickets", day="2022-11-22"),
        "day before": ids(office.supervisor, "/tickets", day="2022-11-21"),
        "mine": ids(player, "/tickets", pool="P1"),
    }
    one, two, three, four = (ticket["number"] for ticket in (at_first, at_second, online, other))
    assert numbers == {
        "P1": [three, two, one],
        "P2": [four],
        "desk": [one],
        "player": [four, three],
        "lost": [three, one],
        "won": [two],
        "day": [four, three, two, one],
        "day before": [],
        "mine": [three],
    }
    answer = office.supervisor.get("/tickets")
    assert not any(ticket["code"] in answer.text for ticket in (at_first, at_second, online, other))
    assert answer.json["items"][0]["code_masked"] == "…" + other["code"][-4:]
    assert office.supervisor.get("/tickets", pool="P9").json["code"] == "unknown_pool"


def test_tickets_of_a_status_that_is_open_are_found_by_an_index(office: Office, sold_out: Member) -> None:
    """All of 572 bets are lost or credited: what is open is looked for among itself."""
    with transaction(office.owner) as session:
        session.execute(text("ANALYZE ticket_states"))
    with plans_of(office, "tickets") as plans:
        assert [ids(office.supervisor, "/tickets", status=status) for status in OPEN] == [[]] * 4
    # What is won has a second index, that of the sweep.
    assert [bool(re.search("ix_ticket_states_(open|won)", plan)) for plan in plans] == [True] * 4, plans


@pytest.mark.parametrize(
    ("path", "asked"), [("/tickets", {"status": "accepted"}), ("/players/me/bets", {"active": True})]
)
def test_what_is_open_is_found_by_an_index_among_all_that_has_ended(
    office: Office, sold_out: Member, path: str, asked: dict[str, Any]
) -> None:
    """Of 572 bets all have ended, and one more runs."""
    office.clock("2022-11-22T10:00:00+03:00")
    office.pool("P2")
    running = office.bet(sold_out, "1", "1.00", pool="P2").json["number"]
    with transaction(office.owner) as session:
        session.execute(text("ANALYZE ticket_states"))
    reader = office.supervisor if path == "/tickets" else sold_out
    with plans_of(office, "tickets") as plans:
        assert ids(reader, path, **asked) == [running]
    (plan,) = plans
    assert "ix_ticket_states_open" in plan, plan


@pytest.mark.parametrize(
    ("path", "asked"),
    [("/tickets", {"pool": "P1", "day": "2022-11-22"}), ("/reports/ticket-register", {"from": "2022-11-22"})],
)
def test_a_list_asked_again_and_again_is_planned_for_what_it_is_asked(
    office: Office, path: str, asked: dict[str, str]
) -> None:
    """A prepared statement planned once for any values reads far more than a day and a pool leave of a long table."""
    office.pool()
    office.bet(office.cashier, "1", "10.00")
    for _ in range(OFTEN):
        assert len(rows(office.accountant, path, **asked)) == 1
    with office.house.sessions() as session:
        prepared = session.execute(PLANS).all()
    assert sum(each for each, _ in prepared) >= OFTEN - 5, "prepared on one connection, as a thread of a server asks"
    assert sum(any_values for _, any_values in prepared) == 0


def test_a_day_of_tickets_is_the_operators_day(office: Office) -> None:
    """D-1: 22 November in Minsk ends at 21:00 UTC; what is bet from then on is of the 23rd."""
    event = office.organizer.post("/events", {**EVENT, "code": "E", "starts_at": "2022-11-27T22:00:00+03:00"}).json
    office.pool("P", event_id=event["id"], closes_at="2022-11-27T21:55:00+03:00")
    for instant in ("2022-11-22T23:59:00+03:00", "2022-11-23T00:00:00+03:00"):
        office.clock(instant)
        office.bet(office.cashier, "1", "1.00", pool="P")
    assert [ids(office.supervisor, "/tickets", day=day) for day in ("2022-11-22", "2022-11-23")] == [[1], [2]]


def test_shifts_are_listed_by_desk_and_whether_they_are_open(office: Office) -> None:
    office.pool()
    second = office.another_cashier(2)
    office.bet(second, "1", "7.50")
    assert second.post("/shifts/1/closing", {"counted": "7.50"}).status_code == 201
    assert second.post("/shifts", {"counted": "7.50"}).json["id"] == 2
    assert office.cashier and office.shift_id == 3
    found = {
        "all": ids(office.supervisor, "/shifts"),
        "open": ids(office.supervisor, "/shifts", open="true"),
        "closed": ids(office.auditor, "/shifts", open="false"),
        "of the desk": ids(office.accountant, "/shifts", desk_id=1),
        "own": ids(office.cashier, "/shifts"),
    }
    assert found == {"all": [3, 2, 1], "open": [3, 2], "closed": [1], "of the desk": [2, 1], "own": [3]}
    sheets = rows(office.supervisor, "/shifts")
    alone = [office.supervisor.get(f"/shifts/{number}").json for number in (3, 2, 1)]
    assert sheets == [{name: told for name, told in one.items() if name != "desk_cash"} for one in alone]
    assert [(sheet["received"], sheet["counted_cash"]) for sheet in sheets] == [
        ("0.00", None),
        ("0.00", None),
        ("7.50", "7.50"),
    ]


def test_events_are_listed_by_sport_and_whether_they_are_to_come(office: Office) -> None:
    for number, (sport, starts_at) in enumerate(
        (("football", "13:00"), ("hockey", "19:00"), ("football", "22:00")), start=1
    ):
        event = {**EVENT, "code": f"E-{number}", "sport": sport, "starts_at": f"2022-11-22T{starts_at}:00+03:00"}
        assert office.organizer.post("/events", event).json["id"] == number
    office.clock("2022-11-22T19:00:00+03:00")
    found = {
        "all": ids(office.organizer, "/events"),
        "football": ids(office.organizer, "/events", sport="football"),
        "to come": ids(office.organizer, "/events", upcoming="true"),
        "begun": ids(office.organizer, "/events", upcoming="false"),
        "football to come": ids(office.organizer, "/events", upcoming="true", sport="football"),
    }
    assert found == {
        "all": [3, 2, 1],
        "football": [3, 1],
        "to come": [3],
        "begun": [2, 1],
        "football to come": [3],
    }


def test_results_and_the_protocol_of_an_event_are_listed(office: Office) -> None:
    """A first entry is mistaken, the second one is confirmed: both stand, and the protocol says which counts."""
    pool = office.pool()
    office.clock("2022-11-22T16:00:00+03:00")
    path = f"/events/{pool['event_id']}"
    for score, outcome in (("1:0", "1"), ("1:2", "2")):
        entry = {"score": score, "outcomes": [outcome], "source": "протокол матча"}
        assert office.organizer.post(path + "/results", entry).status_code == 201
    protocol = {"result_id": 2, "signatories": ["Первый член", "Второй член"]}
    drawn_up = office.second_organizer.post(path + "/protocols", protocol).json
    results = rows(office.auditor, path + "/results")
    assert [(result["id"], result["score"]) for result in results] == [(2, "1:2"), (1, "1:0")]
    assert office.auditor.get(path + "/results/1").json == results[1]
    assert rows(office.auditor, path + "/protocols") == [drawn_up]
    other = office.organizer.post("/events", {**EVENT, "code": "E-9"}).json["id"]
    assert rows(office.auditor, f"/events/{other}/results") == rows(office.auditor, f"/events/{other}/protocols") == []
    assert office.auditor.get("/events/99/results").status_code == 404
    assert office.auditor.get("/events/99/protocols").status_code == 404


def test_payouts_are_listed_by_desk_and_shift(office: Office) -> None:
    """Of 40.00 a fund of 24.00 for two winning bets of 10.00: 12.00 each, paid at the desk of each."""
    pool = office.pool()
    second = office.another_cashier(2)
    tickets = [office.bet(member, "1", "10.00").json["code"] for member in (second, office.cashier)]
    for member in (second, office.cashier):
        office.bet(member, "2", "10.00")
    office.decide(pool, "1")
    office.clock("2022-11-23T10:00:00+03:00")
    for code, member in zip(tickets, (second, office.cashier), strict=True):
        assert office.pay(code, member).json["amount"] == "12.00"
    found = {
        "all": ids(office.auditor, "/payouts"),
        "desk": ids(office.auditor, "/payouts", desk_id=office.desk["id"]),
        "shift": ids(office.auditor, "/payouts", shift_id=office.shift_id),
        "own": ids(second, "/payouts"),
    }
    assert found == {"all": [1, 2], "desk": [2], "shift": [2], "own": [1]}
    assert office.auditor.get("/payouts/1").json == rows(office.auditor, "/payouts")[0]
    assert office.auditor.get("/payouts/3").status_code == 404


def test_players_are_listed_by_their_logins_and_by_nothing_else(office: Office) -> None:
    """D-16: the list names logins; a sign of a pattern in what is asked is a sign like any other."""
    for login in ("ivan", "ivanna", "olga", "i%n"):
        office.player(login, "10.00" if login == "ivan" else "0.00")
    answer = office.supervisor.get("/players")
    assert [row["login"] for row in answer.json["items"]] == ["i%n", "olga", "ivanna", "ivan"]
    assert answer.json["items"][0].keys() == {"id", "login", "registered_at", "blocked_at"}
    assert "Игрок" not in answer.text and "1990" not in answer.text
    found = {
        begin: [row["login"] for row in rows(office.supervisor, "/players", login=begin)]
        for begin in ("IVAN", "i%", "x")
    }
    assert found == {"IVAN": ["ivanna", "ivan"], "i%": ["i%n"], "x": []}
    assert office.supervisor.get("/players/1").json["balance"] == "10.00"
    assert office.supervisor.get("/players/9").status_code == 404


@pytest.mark.parametrize(
    ("path", "asked"),
    [
        ("/transfers", {"account_id": 0}),
        ("/transfers", {"day": "22.11.2022"}),
        ("/transfers", {"day": "0001-01-01"}),
        ("/transfers", {"day": "9999-12-31"}),
        ("/transfers", {"cursor": -1}),
        ("/transfers", {"limit": 201}),
        ("/accounts", {"kind": "till"}),
        ("/tickets", {"status": "burnt"}),
        ("/tickets", {"player_id": 2**63}),
        ("/tickets", {"colour": "red"}),
        ("/shifts", {"open": "perhaps"}),
        ("/players", {"login": ""}),
    ],
)
def test_what_a_list_cannot_be_asked_is_422_and_named(office: Office, path: str, asked: dict[str, Any]) -> None:
    answer = office.auditor.get(path, **asked)
    assert (answer.status_code, answer.json["code"]) == (422, "validation_failed")
    assert set(answer.json["errors"]["query"]) == set(asked)
