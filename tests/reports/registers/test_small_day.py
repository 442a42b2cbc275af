"""Each report of the small day (see conftest), every figure by hand, and each total held against the ledger."""

from __future__ import annotations

from tests.office import Office
from tests.reports.registers.conftest import NOON
from tests.reports.registers.facts import account_of
from tests.reports.registers.reading import columns, shown


def minor(amount: str) -> int:
    """An amount in kopecks."""
    return int(amount.replace(".", ""))


def ledger(office: Office, kind: str) -> int:
    """What all accounts of a kind hold, debits less credits."""
    with office.house.sessions() as session:
        return account_of(session, kind)


def test_the_register_of_tickets(noon: Office) -> None:
    report = shown(noon.accountant, "ticket-register", as_of=NOON)
    told = columns(report["items"], "number", "stake", "status", "win", "stake_back", "paid", "paid_where")
    assert told == [
        (1, "10.00", "paid", "12.00", "0.00", "12.00", "K-1"),
        (2, "20.00", "lost", "0.00", "0.00", "0.00", None),
        (3, "10.00", "credited", "12.00", "0.00", "12.00", "игровой счёт"),
        (4, "10.00", "won", "12.00", "0.00", "0.00", None),
        (5, "10.00", "cancelled", "0.00", "10.00", "0.00", None),
        (6, "10.00", "won", "1.00", "10.00", "0.00", None),
        (7, "7.00", "returned", "0.00", "7.00", "0.00", None),
        (8, "3.00", "credited", "0.00", "3.00", "3.00", "игровой счёт"),
        (9, "2.00", "accepted", None, None, "0.00", None),
        (10, "4.00", "accepted", None, None, "0.00", None),
    ]
    whole = report["totals"]["whole"]
    assert whole["rows"] == 10
    assert whole["money"] == {"stake": "86.00", "win": "37.00", "stake_back": "30.00", "paid": "27.00"}


def test_the_register_says_of_each_state_what_it_comes_to(noon: Office) -> None:
    """Stakes by state; the stakes of all and what was fetched are those of the ledger: 12.00 paid, 15.00 credited."""
    report = shown(noon.accountant, "ticket-register", as_of=NOON)
    parts = {name: (part["rows"], part["money"]["stake"]) for name, part in report["totals"]["parts"].items()}
    assert parts == {
        "принят": (2, "6.00"),
        "выиграл": (2, "20.00"),
        "проиграл": (1, "20.00"),
        "ставка возвращается": (1, "7.00"),
        "отменён организатором": (1, "10.00"),
        "выплачен": (1, "10.00"),
        "зачислен на игровой счёт": (2, "13.00"),
    }
    money = report["totals"]["whole"]["money"]
    with noon.house.sessions() as session:
        moved = {
            kind: int(amount)
            for kind, amount in session.connection().exec_driver_sql(
                "SELECT kind, sum(amount) FROM transfers GROUP BY kind"
            )
        }
    assert minor(money["stake"]) == moved["stake"] == 86_00
    assert minor(money["paid"]) == moved["payout"] + moved["win_credited"] == 12_00 + 15_00


def test_the_register_is_asked_by_day_pool_desk_and_state(noon: Office) -> None:
    def numbers(**asked: object) -> list[int]:
        return [row["number"] for row in shown(noon.supervisor, "ticket-register", as_of=NOON, **asked)["items"]]

    desk = noon.desk["id"]
    assert numbers(pool="P3") == [7, 8]
    assert numbers(desk_id=desk, pool="P4") == [9]
    assert numbers(status="credited") == [3, 8]
    assert numbers(**{"from": "2022-11-22", "to": "2022-11-22"}) == list(range(1, 11))
    assert numbers(**{"from": "2022-11-23"}) == numbers(to="2022-11-21") == []
    answer = noon.supervisor.get("/reports/ticket-register", pool="P9")
    assert (answer.status_code, answer.json["code"]) == (404, "unknown_pool")


def test_the_sheets_of_pools(noon: Office) -> None:
    """P4 still sells. Ticket 5 was cancelled after the settlement: it stays in the figures of P1 (D-18)."""
    report = shown(noon.organizer, "pool-sheets", as_of=NOON, **{"from": "2022-11-22", "to": "2022-11-22"})
    names = ("pool", "bets", "stakes", "withdrawal", "withdrawal_returned", "fund", "division", "coefficient_display")
    assert columns(report["items"], *names) == [
        ("P1", 5, "60.00", "24.00", "0.00", "36.00", "divided", "1.2000"),
        ("P2", 1, "10.00", "4.00", "4.00", "6.00", "minus", None),
        ("P3", 2, "10.00", "4.00", "4.00", "6.00", "returned", None),
    ]
    names = ("winning_bets", "winning_stake", "wins", "to_jackpot", "from_organizer", "protocol", "run_version")
    assert columns(report["items"], *names) == [
        (3, "30.00", "36.00", "0.00", "0.00", 1, 1),
        (1, "10.00", "11.00", "0.00", "1.00", 2, 1),
        (0, "0.00", "10.00", "0.00", "0.00", 3, 1),
    ]
    money = report["totals"]["whole"]["money"]
    revenue = minor(money["withdrawal"]) - minor(money["withdrawal_returned"])
    assert revenue == -ledger(noon, "withdrawal_revenue") == 24_00
    given = minor(money["wins"]) + minor(money["to_jackpot"])
    assert given == minor(money["fund"]) + minor(money["withdrawal_returned"]) + minor(money["from_organizer"])
    assert report["totals"]["whole"]["numbers"] == {"bets": 8, "rows": 8, "winning_bets": 4}


def test_the_liability(noon: Office) -> None:
    """Determined on the 22nd, payable from the 23rd of November to the 23rd of February (D-1)."""
    report = shown(noon.accountant, "liability", as_of=NOON)
    assert columns(report["items"], "number", "age", "stake", "due", "lapsed", "payable_until") == [
        (4, "to_7", "0.00", "12.00", "0.00", "2023-02-23T21:00:00+00:00"),
        (5, "to_7", "0.00", "10.00", "0.00", None),
        (6, "to_7", "0.00", "11.00", "0.00", "2023-02-23T21:00:00+00:00"),
        (7, "to_7", "0.00", "7.00", "0.00", None),
        (9, "future", "2.00", "0.00", "0.00", None),
        (10, "future", "4.00", "0.00", "0.00", None),
    ]
    money = report["totals"]["whole"]["money"]
    assert minor(money["due"]) + minor(money["lapsed"]) == -ledger(noon, "wins_payable") == 40_00
    assert minor(money["stake"]) == -ledger(noon, "pool") == 6_00
    answer = noon.accountant.get("/reports/liability", as_of=NOON)
    assert not any(code in answer.text for code in noon.codes)
    assert report["items"][0]["code"] == "…" + noon.codes[3][-4:]


def test_returned_and_cancelled_are_kept_apart(noon: Office) -> None:
    """T-Prov 16: the stake of ticket 6 goes back from the settlement on, its win of 1.00 beside it is no part of it."""
    report = shown(noon.supervisor, "returned-tickets", as_of=NOON)
    names = ("number", "way", "reason", "decided_by", "explanation", "protocol", "returned", "cancelled", "status")
    assert columns(report["items"], *names) == [
        (5, "cancelled", "influence", "organizer", "судья матча", None, "0.00", "10.00", "cancelled"),
        (6, "returned", "minus_pool", "second-organizer", None, 2, "10.00", "0.00", "won"),
        (7, "returned", "not_held", "second-organizer", None, 3, "7.00", "0.00", "returned"),
        (8, "returned", "not_held", "second-organizer", None, 3, "3.00", "0.00", "credited"),
    ]
    assert report["totals"]["whole"]["money"] == {"returned": "20.00", "cancelled": "10.00"}
    assert shown(noon.supervisor, "returned-tickets", as_of=NOON, **{"from": "2022-11-23"})["items"] == []


def test_nothing_has_expired_yet(noon: Office) -> None:
    report = shown(noon.accountant, "expired-tickets", as_of=NOON)
    assert (report["items"], report["header"]["note"]) == ([], "Нет операций")
    assert report["totals"] == {
        "whole": {"rows": 0, "money": {"win": "0.00", "undone": "0.00"}, "numbers": {}},
        "parts": {},
    }


def test_the_cover_of_the_fund(noon: Office) -> None:
    """Tills: 100.00, 50.00 deposited, 69.00 of stakes, 12.00 paid. Ivan: 50.00 less 17.00 staked, 15.00 credited."""
    report = shown(noon.accountant, "fund-cover-statement", as_of=NOON)
    assert columns(report["items"], "side", "account", "subject", "owed", "held") == [
        ("fund", "76.2", None, "6.00", "0.00"),
        ("fund", "76.3", None, "0.00", "0.00"),
        ("fund", "76.4", None, "40.00", "0.00"),
        ("players", "76.1", None, "48.00", "0.00"),
        ("cover", "55", None, "0.00", "500.00"),
        ("cover", "50", "desk:K-1", "0.00", "207.00"),
        ("beside", "57", None, "0.00", "0.00"),
        ("beside", "51", None, "0.00", "400.00"),
    ]
    assert report["totals"]["whole"]["money"] == {
        "owed": "46.00",
        "held": "707.00",
        "special_account": "500.00",
        "desks": "207.00",
        "safe": "0.00",
        "in_transit": "0.00",
        "bank": "400.00",
        "left": "661.00",
        "left_of_all": "1013.00",
    }


def test_the_movement_of_a_day(noon: Office) -> None:
    """On the 23rd one ticket was paid: 12.00 from the wins payable out of the till."""
    report = shown(noon.accountant, "daily-movement", as_of=NOON, **{"from": "2022-11-23", "to": "2022-11-23"})
    names = ("account", "title", "subject", "ticket", "kind", "debit", "credit", "correction", "revenue")
    assert columns(report["items"], *names) == [
        ("76.4", "Выигрыши к выплате", "pool:P1", 1, "payout", "12.00", "0.00", None, "0.00"),
        ("50", "Касса", "desk:K-1", 1, "payout", "0.00", "12.00", None, "0.00"),
    ]
    order = ("opening", "debit", "credit", "closing", "revenue")
    parts = {
        name: (part["rows"], *(part["money"][sum_] for sum_ in order))
        for name, part in report["totals"]["parts"].items()
    }
    assert parts["50 Касса"] == (1, "219.00", "0.00", "12.00", "207.00", "0.00")
    assert parts["76.4 Выигрыши к выплате"] == (1, "-52.00", "12.00", "0.00", "-40.00", "0.00")
    assert parts["46 Изъятие (выручка)"] == (0, "-24.00", "0.00", "0.00", "-24.00", "0.00")
    assert report["totals"]["whole"]["money"] == {
        "opening": "0.00",
        "debit": "12.00",
        "credit": "12.00",
        "closing": "0.00",
        "revenue": "0.00",
    }


def test_the_movement_of_the_first_day_makes_the_balances(noon: Office) -> None:
    """Of the day before nothing opens, and of the 22nd all is moved; revenue gets 32.00 and gives 8.00 back."""
    days = {"from": "2022-11-22", "to": "2022-11-22"}
    report = shown(noon.accountant, "daily-movement", as_of=NOON, limit=200, **days)
    parts = {name: part["money"] for name, part in report["totals"]["parts"].items()}
    assert {money["opening"] for money in parts.values()} == {"0.00"}
    assert parts["50 Касса"] == {
        "opening": "0.00",
        "debit": "219.00",
        "credit": "0.00",
        "closing": "219.00",
        "revenue": "0.00",
    }
    revenue = parts["46 Изъятие (выручка)"]
    assert (revenue["credit"], revenue["debit"], revenue["revenue"]) == ("32.00", "8.00", "24.00")
    shown_revenue = [minor(row["revenue"]) for row in report["items"] if row["revenue"] != "0.00"]
    assert sorted(shown_revenue) == [-4_00, -4_00, 4_00, 4_00, 24_00]
    whole = report["totals"]["whole"]
    assert whole["money"]["debit"] == whole["money"]["credit"]
    assert sum(minor(row["debit"]) for row in report["items"]) == minor(whole["money"]["debit"])
    assert whole["rows"] == len(report["items"])


def test_the_movement_of_one_account(noon: Office) -> None:
    (till,) = noon.accountant.get("/accounts", kind="cash").json["items"]
    report = shown(noon.accountant, "daily-movement", as_of=NOON, account_id=till["id"], limit=200)
    assert {row["subject"] for row in report["items"]} == {"desk:K-1"}
    assert [row["kind"] for row in report["items"]] == ["desk_float", "deposit", *["stake"] * 7, "payout"]
    assert report["totals"]["parts"]["50 Касса"]["money"]["closing"] == "207.00"


def test_the_intake_of_the_shift(noon: Office) -> None:
    """Seven tickets for 69.00 sold; 50.00 deposited besides; nothing is counted while the shift is open."""
    report = shown(noon.supervisor, "intake", as_of=NOON)
    names = ("desk", "cashier", "sold_tickets", "sold", "paid_tickets", "paid", "returned", "cancelled")
    assert columns(report["items"], *names) == [("K-1", "cashier", 7, "69.00", 1, "12.00", "0.00", "0.00")]
    names = ("opening_cash", "received", "paid_out", "expected", "counted", "difference", "closed_at")
    assert columns(report["items"], *names) == [("100.00", "119.00", "12.00", "207.00", None, None, None)]
    assert minor(report["items"][0]["expected"]) == ledger(noon, "cash")
