"""Every report as of a seal: whatever happens later, the file asked for again has the same bytes (DESIGN 3.8)."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from documents.version import SOFTWARE
from office.settings.of_the_operator import OPERATOR_NAME
from office.significant.kinds import REPORT_EXPORTED
from reports.registers.cut import cut_at
from reports.registers.reading import page
from reports.registers.register import REPORTS
from reports.registers.report import Wanted
from tests.events.starts import told
from tests.office import Office
from tests.records import facts_of, set_to
from tests.reports.registers.conftest import MARCH, NOON, lapse, until_march
from tests.reports.registers.reading import columns, exported, shown, table
from tests.reports.registers.test_small_day import ledger, minor

NO_POSITIONS = "pool-levels"
"""No pool of this day has positions: `test_levels.py` lets one be played."""
DAYS = {"from": "2022-11-22", "to": "2022-11-23"}


def files(office: Office, **asked: str) -> dict[str, bytes]:
    """Every report as a file."""
    return {code: exported(office, code, **asked) for code in REPORTS}


def heads(office: Office, **asked: str) -> dict[str, object]:
    """Every report's rows and totals as JSON."""
    pages = {code: shown(office.auditor, code, limit=200, **asked) for code in REPORTS}
    return {code: (page["items"], page["totals"]) for code, page in pages.items()}


def test_what_is_sealed_stays_as_it_was_whatever_happens_later(day: Office) -> None:
    """Sold, paid, counted, corrected, expired, sealed again, renamed: as of noon nothing of it is told."""
    first, told = files(day, as_of=NOON), heads(day, as_of=NOON)
    assert {code for code, written in first.items() if len(table(written)) == 1} == {"expired-tickets", NO_POSITIONS}
    until_march(day)
    lapse(day)
    renamed = day.administrator.client.patch(
        "/api/v1/users/2", json={"name": "Другое имя"}, headers=day.administrator.headers
    )
    assert renamed.status_code == 200, renamed.json
    assert files(day, as_of=NOON) == first
    assert files(day, as_of="2022-11-24T09:00:00Z") == first, "no seal came in between"
    assert heads(day, as_of=NOON) == told
    later = files(day, as_of=MARCH)
    assert {code for code in REPORTS if later[code] == first[code]} == {NO_POSITIONS}


def test_each_total_is_the_ledgers_at_its_seal(march: Office) -> None:
    """By March (see conftest). Fetched: 12.00 and 7.00 in cash, 15.00 credited less 12.00 taken back: 22.00.

    Till: 207.00, less 7.00, and 5.00; 204.50 were counted. Ivan: 48.00 less 12.00.
    """
    whole = {code: shown(march.auditor, code, as_of=MARCH)["totals"]["whole"]["money"] for code in REPORTS}
    assert whole["ticket-register"] == {"stake": "91.00", "win": "24.00", "stake_back": "30.00", "paid": "22.00"}
    assert whole["liability"] == {"stake": "11.00", "due": "20.00", "lapsed": "0.00"}
    assert whole["expired-tickets"] == {"win": "25.00", "undone": "0.00"}
    assert whole["returned-tickets"] == {"returned": "20.00", "cancelled": "10.00"}
    assert minor(whole["liability"]["due"]) == -ledger(march, "wins_payable")
    assert minor(whole["liability"]["stake"]) == -ledger(march, "pool")
    jackpot = minor(whole["expired-tickets"]["win"]) + minor(whole["pool-sheets"]["to_jackpot"])
    assert jackpot == -ledger(march, "jackpot") == 37_00
    cover = whole["fund-cover-statement"]
    assert minor(cover["desks"]) == ledger(march, "cash") == 204_50
    # Owed: 11.00 in P4, 20.00 to pay, 37.00 of jackpot: 68.00. Lies: 500.00 and the till's 204.50.
    # With the bank's 400.00 it is 1104.50; less 68.00 and ivan's 36.00 are 1000.50.
    assert (cover["owed"], cover["held"], cover["left"]) == ("68.00", "704.50", "636.50")
    assert (cover["bank"], cover["left_of_all"]) == ("400.00", "1000.50")
    movement = whole["daily-movement"]
    assert (movement["opening"], movement["closing"], movement["debit"]) == ("0.00", "0.00", movement["credit"])
    assert minor(movement["revenue"]) == -ledger(march, "withdrawal_revenue") == 24_00


def test_the_corrected_pool_and_its_tickets(march: Office) -> None:
    """The second run stands, by the protocol of the correction; each ticket as its last decision says."""
    (sheet,) = shown(march.auditor, "pool-sheets", as_of=MARCH, pool="P1")["items"]
    assert (sheet["protocol"], sheet["run_version"], sheet["wins"], sheet["to_jackpot"]) == (4, 2, "24.00", "12.00")
    rows = shown(march.auditor, "ticket-register", as_of=MARCH)["items"]
    assert columns(rows, "number", "status", "win", "paid")[:7] == [
        (1, "lost", "0.00", "12.00"),
        (2, "expired", "24.00", "0.00"),
        (3, "lost", "0.00", "0.00"),
        (4, "lost", "0.00", "0.00"),
        (5, "cancelled", "0.00", "0.00"),
        (6, "returned", "0.00", "0.00"),
        (7, "paid", "0.00", "7.00"),
    ]
    rows = shown(march.auditor, "returned-tickets", as_of=MARCH)["items"]
    assert columns(rows, "number", "reason", "status") == [
        (5, "influence", "cancelled"),
        (6, "minus_pool", "returned"),
        (7, "not_held", "paid"),
        (8, "not_held", "credited"),
    ]
    rows = shown(march.auditor, "expired-tickets", as_of=MARCH)["items"]
    assert columns(rows, "number", "stake", "win", "deadline", "booked_on", "jackpot") == [
        (2, "20.00", "24.00", "2023-02-25T21:00:00+00:00", "2023-02-26", "totolot"),
        (6, "10.00", "1.00", "2023-02-23T21:00:00+00:00", "2023-02-24", "totolot"),
    ]


def test_what_a_correction_moves_is_marked(march: Office) -> None:
    """On the 24th: the wins undone and made again, 12.00 borne by the organizer, 12.00 taken back from ivan.

    New wins and the jackpot's part are the pool's and no ticket's: the opposite beside them tells of the correction.
    """
    report = shown(march.auditor, "daily-movement", limit=200, **{"from": "2022-11-24", "to": "2022-11-24"})
    marked = [row for row in report["items"] if row["correction"]]
    assert {row["kind"] for row in marked} == {"wins_reversed", "overpaid", "win_taken_back"}
    (undone,) = {row["undoes"] for row in marked if row["kind"] == "wins_reversed"}
    assert march.auditor.get(f"/transfers/{undone}").json["kind"] == "wins"


def test_the_shift_that_was_closed(march: Office) -> None:
    (shift,) = shown(march.supervisor, "intake", as_of=MARCH)["items"]
    assert (shift["sold_tickets"], shift["sold"], shift["paid"]) == (8, "74.00", "12.00")
    assert (shift["returned_tickets"], shift["returned"]) == (1, "7.00")
    assert (shift["expected"], shift["counted"], shift["difference"]) == ("205.00", "204.50", "-0.50")


def test_what_is_over_its_term_and_not_booked_stands_apart(day: Office) -> None:
    """At eleven on the 1st of March the sweep has not come: 24.00 and 1.00 are over, the stake of ticket 6 is not."""
    until_march(day)
    report = shown(day.auditor, "liability")
    assert columns(report["items"], "number", "age", "stake", "due", "lapsed") == [
        (2, "lapsed", "0.00", "0.00", "24.00"),
        (5, "over_60", "0.00", "10.00", "0.00"),
        (6, "over_60", "0.00", "10.00", "1.00"),
        (9, "undecided", "2.00", "0.00", "0.00"),
        (10, "undecided", "4.00", "0.00", "0.00"),
        (11, "undecided", "5.00", "0.00", "0.00"),
    ]
    money = report["totals"]["whole"]["money"]
    assert minor(money["due"]) + minor(money["lapsed"]) == -ledger(day, "wins_payable") == 45_00


AGES = (
    ("2022-11-29T23:59:59+03:00", "to_7"),
    ("2022-11-30T23:59:59+03:00", "to_7"),
    ("2022-12-01T00:00:00+03:00", "to_30"),
    ("2022-12-23T23:59:59+03:00", "to_30"),
    ("2022-12-24T00:00:00+03:00", "to_60"),
    ("2023-01-22T23:59:59+03:00", "to_60"),
    ("2023-01-23T00:00:00+03:00", "over_60"),
    ("2023-02-23T23:59:50+03:00", "over_60"),
    ("2023-02-24T00:00:00+03:00", "lapsed"),
)


def test_the_age_of_what_is_owed_is_counted_in_the_operators_days(noon: Office) -> None:
    """Ticket 4 is payable from the 23rd of November: seven days later is the 30th, sixty the 22nd of January."""
    with noon.house.sessions() as session:
        now = cut_at(session, noon.house.operator, None)
        for instant, age in AGES:
            rows = page(session, REPORTS["liability"], replace(now, at=datetime.fromisoformat(instant)), Wanted(), 0, 9)
            assert {row.number: row.age for row in rows}[4] == age, instant


def test_a_start_that_came_early_and_a_term_that_was_prolonged_are_told_from_then_on(day: Office) -> None:
    """P4 began four days before the announced start. P1, paid until 24 February, was held on the 24th, 25th and 26th.

    T-Rules 40: three days go on top, until 27 February, which begins in Minsk at 21:00 UTC. Noon knows of neither.
    """
    (event,) = [one for one in day.organizer.get("/events").json["items"] if one["code"] == "E"]
    told(day, event["id"], "started", "2022-11-23T11:59:30+03:00")
    day.clock("2022-11-24T12:00:00+03:00")
    held = day.supervisor.post("/pools/P1/payout-holds", {"reason": "спор о местах"}).json
    day.clock("2022-11-26T12:00:00+03:00")
    released = day.organizer.post(f"/payout-holds/{held['id']}/release", {"reason": "спор решён"})
    assert released.status_code == 201, released.json

    def owed(**asked: str) -> dict[int, tuple[str, str | None]]:
        rows = shown(day.auditor, "liability", **asked)["items"]
        return {row["number"]: (row["age"], row["payable_until"]) for row in rows if row["number"] in (4, 9)}

    assert owed() == {4: ("to_7", "2023-02-26T21:00:00+00:00"), 9: ("undecided", None)}
    assert owed(as_of=NOON) == {4: ("to_7", "2023-02-23T21:00:00+00:00"), 9: ("future", None)}


def test_what_no_seal_holds_is_provisional_in_the_plain_report(day: Office) -> None:
    until_march(day)
    rows = shown(day.auditor, "ticket-register")["items"]
    assert [row["number"] for row in rows if row["provisional"]] == [1, 2, 3, 4, 7, 11]
    assert [row["provisional"] for row in shown(day.auditor, "intake")["items"]] == [True]
    assert {row["provisional"] for row in shown(day.auditor, "ticket-register", as_of=NOON)["items"]} == {False}
    lapse(day)
    assert {row["provisional"] for row in shown(day.auditor, "ticket-register")["items"]} == {False}
    assert {row["provisional"] for row in shown(day.auditor, "daily-movement")["items"]} == {False}


def test_the_head_of_a_report(day: Office) -> None:
    """The name is the one that held at the seal, the instant the seal's, the days those of the operator."""
    report = shown(day.auditor, "ticket-register", as_of=NOON, pool="P1", status="won", **DAYS)
    head = report["header"]
    assert head.pop("generated_at").startswith("2022-11-23T12:00:0")
    assert head.pop("as_of").startswith("2022-11-23T08:59:0")
    assert head.pop("seal") > 0
    assert head == {
        "code": "ticket-register",
        "title": "Реестр билетов",
        "operator": "ООО «Проба»",
        "from": "2022-11-22",
        "to": "2022-11-23",
        "zone": "Europe/Minsk",
        "filters": {"pool": "P1", "status": "won"},
        "note": None,
        "software": SOFTWARE,
    }
    assert shown(day.auditor, "ticket-register")["header"]["as_of"] is None
    set_to(day, OPERATOR_NAME, "ООО «Новое имя»")
    assert shown(day.auditor, "intake")["header"]["operator"] == "ООО «Новое имя»"


def test_a_file_holds_rows_only_in_the_words_of_its_readers(noon: Office) -> None:
    answer = noon.supervisor.get("/reports/ticket-register/export", as_of=NOON, pool="P1")
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert answer.headers["Content-Disposition"].startswith('attachment; filename="ticket-register-')
    assert answer.data.startswith(b"\xef\xbb\xbf")
    titles, first, *others = table(answer.data)
    assert titles[:4] == ["Номер билета", "Принят", "Касса", "Игрок, номер"]
    assert first[0] == "1" and first[1].startswith("2022-11-22T08:00:") and first[1].endswith("+03:00")
    assert first[2:15] == [
        "K-1", "", "Тотолот-Вариант", "P1", "Аргентина — Саудовская Аравия", "1", "1", "10,00",
        "выплачен", "выиграл", "12,00", "0,00", "12,00",
    ]  # fmt: skip
    assert first[16] == "K-1"
    assert [row[0] for row in others] == ["2", "3", "4", "5"]
    empty = table(exported(noon, "expired-tickets", as_of=NOON))
    assert len(empty) == 1 and empty[0][0] == "Номер билета"


def test_who_takes_a_file_is_on_record(day: Office) -> None:
    exported(day, "liability", as_of=NOON, pool="P1")
    ((subject, facts),) = facts_of(day, REPORT_EXPORTED)
    assert subject == "report:liability"
    assert facts["wanted"] == {"pool": "P1"} and facts["seal"] > 0
    assert facts["as_of"].startswith("2022-11-23T08:59:0")


def test_what_cannot_be_answered_is_refused(office: Office) -> None:
    for path in ("/reports/intake", "/reports/intake/export"):
        for query, refusal in (
            ({"as_of": "2022-11-22T08:00:00+03:00"}, (409, "nothing_sealed")),
            ({"as_of": "2022-11-22T23:00:00+03:00"}, (422, "instant_in_future")),
            ({"from": "2022-11-22", "to": "2022-11-21"}, (422, "validation_failed")),
            ({"pool": "P1"}, (422, "validation_failed")),
        ):
            answer = office.auditor.get(path, **query)
            assert (answer.status_code, answer.json["code"]) == refusal, (path, query)
    assert office.auditor.get("/reports/intake/export").json["code"] == "nothing_sealed"
    assert facts_of(office, REPORT_EXPORTED) == []
