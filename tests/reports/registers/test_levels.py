"""Registers of pools of positions: levels, bets beside tickets. The figures are of `tests/reports/positions.py`."""

from __future__ import annotations

from typing import Any

from sqlalchemy import func, select

from ledger.amount_in_words import counted
from reports.bet_words import BETS
from reports.registers.tickets import _counted
from tests.office import Office
from tests.reports.positions import CAME, FIRST, SPORTLOTO, TOTOLOT, announced, bet, correct, determine, settle, sold
from tests.reports.registers.reading import columns, exported, shown, table
from tests.significant.hooked import seal_all

BROUGHT = ("pool", "level", "fund_display", "winning_bets", "winning_stake", "coefficient_display")
BREACH = {"reason": "under_age", "explanation": "проба"}
SEALED, LATER = "2022-11-22T17:00:00+03:00", "2022-11-22T18:00:00+03:00"


def played(office: Office, came: dict[str, str | None] | None = None, **terms: Any) -> dict[str, Any]:
    """The pool of stakes, settled."""
    pool, _ = sold(office, TOTOLOT, **terms)
    determine(office, pool, came or CAME)
    settle(office, pool)
    return pool


def levels(office: Office, **asked: Any) -> list[tuple[Any, ...]]:
    """What the register of levels tells that each brought."""
    return columns(shown(office.accountant, "pool-levels", **asked)["items"], *BROUGHT)


def test_t_rules_36_2_the_levels_of_settled_pools(office: Office) -> None:
    """Of 2.34 on 7.00 are shown 0.3342: 0.334285… is cut, not rounded. Sportloto shares by number (T-Rules 11.3)."""
    first, _ = sold(office, TOTOLOT)
    second, _ = sold(office, SPORTLOTO, "P2")
    sold(office, TOTOLOT, "P3")
    determine(office, first, CAME)
    determine(office, second, CAME)
    settle(office, first)
    settle(office, second)
    report = shown(office.accountant, "pool-levels")
    assert columns(report["items"], *BROUGHT, "win_per_bet_display") == [
        ("P1", 1, "5.4600", 3, "5.00", "1.0920", None),
        ("P1", 2, "2.3400", 2, "7.00", "0.3342", None),
        ("P2", 1, "7.3500", 3, "7.50", None, "2.4500"),
        ("P2", 2, "3.1500", 2, "5.00", None, "1.5750"),
    ]
    terms = columns(report["items"], "lowest", "highest", "share", "division", "protocol", "run_version")
    assert terms[:2] == [("100", "100", "70", "divided", 1, 1), ("200/3", "9999/100", "30", "divided", 1, 1)]
    assert report["totals"]["whole"]["numbers"] == {"winning_bets": 10}
    assert report["totals"]["whole"]["money"] == {"winning_stake": "24.50"}
    assert {row["provisional"] for row in report["items"]} == {True}
    assert [row[0] for row in levels(office, pool="P2")] == ["P2", "P2"]
    assert levels(office, **{"from": "2022-11-23"}) == []


def test_the_pages_of_levels_are_the_whole(office: Office) -> None:
    played(office)
    found, cursor = [], 0
    while cursor is not None:
        page = shown(office.accountant, "pool-levels", limit=1, cursor=cursor)
        found += columns(page["items"], "pool", "level")
        cursor = page["next_cursor"]
    assert found == [("P1", 1), ("P1", 2)]


def test_as_of_a_seal_the_levels_stay_what_they_were(office: Office) -> None:
    """Corrected to 1, 1, 2: 5.46 on 3.00 is 1.82, 2.34 on 5.00 is 0.468 (D-14)."""
    pool = played(office)
    seal_all(office)
    office.clock(SEALED)
    before = [("P1", 1, "5.4600", 3, "5.00", "1.0920"), ("P1", 2, "2.3400", 2, "7.00", "0.3342")]
    after = [("P1", 1, "5.4600", 1, "3.00", "1.8200"), ("P1", 2, "2.3400", 3, "5.00", "0.4680")]
    file = exported(office, "pool-levels", as_of=SEALED)
    correct(office, pool, {**CAME, "B": "1"})
    settle(office, pool)
    assert levels(office) == after
    seal_all(office)
    office.clock(LATER)
    assert (levels(office, as_of=SEALED), levels(office, as_of=LATER)) == (before, after)
    assert exported(office, "pool-levels", as_of=SEALED) == file
    titles, first, _ = table(file)
    assert titles[5:10] == ["Уровень", "Совпадение от, %", "Совпадение до, %", "Доля фонда, %", "Фонд уровня"]
    assert first[4:13] == ["раздел фонда", "1", "100", "100", "70", "5.4600", "3", "5,00", "1.0920"]


def test_a_level_nobody_reached_brings_nothing(office: Office) -> None:
    played(office, {"A": "X", "B": "1", "C": "1"})
    assert levels(office) == [("P1", 1, "5.4600", 0, "0.00", None), ("P1", 2, "2.3400", 0, "0.00", None)]
    (sheet,) = shown(office.accountant, "pool-sheets")["items"]
    assert (sheet["division"], sheet["to_jackpot"]) == ("no_winners", "7.80")


def test_t_rules_32_the_levels_of_a_returned_pool_have_nothing(office: Office) -> None:
    played(office, {**CAME, "B": None})
    assert levels(office) == [("P1", 1, "0.0000", 0, "0.00", None), ("P1", 2, "0.0000", 0, "0.00", None)]
    assert {row["division"] for row in shown(office.accountant, "pool-levels")["items"]} == {"returned"}


def test_t_prov_16_the_levels_of_a_minus_pool_bring_nothing_of_a_fund(office: Office) -> None:
    """Both rows of the only ticket win: each stake goes back with a tenth, and no fund is shared."""
    pool = announced(office, TOTOLOT)
    bet(office.cashier, FIRST, "6.00")
    determine(office, pool, CAME)
    assert settle(office, pool)["minus_pool"] is True
    assert levels(office) == [("P1", 1, "0.0000", 1, "3.00", None), ("P1", 2, "0.0000", 1, "3.00", None)]


def test_the_sheets_of_pools_count_bets_beside_tickets(office: Office) -> None:
    """Two rows are cancelled while the pool sells, three after its closing: 10.00 on three rows are left (D-18)."""
    pool, (_, second, _) = sold(office, TOTOLOT)
    gone = bet(office.cashier, FIRST, "2.00")["number"]
    sold(office, SPORTLOTO, "P2")
    office.pool("P3")
    assert office.bet(office.cashier, "1", "1.00", "P3").status_code == 201
    assert office.organizer.post(f"/tickets/{gone}/cancellation", BREACH).status_code == 201
    office.clock("2022-11-22T16:00:00+03:00")
    for code in ("P1", "P2", "P3"):
        assert office.organizer.post(f"/pools/{code}/closing").status_code == 201
    seal_all(office)
    office.clock(SEALED)
    cancelled = office.organizer.post(f"/tickets/{second}/cancellation", BREACH)
    assert cancelled.status_code == 201, cancelled.json

    def counts(**asked: str) -> list[tuple[Any, ...]]:
        return columns(shown(office.accountant, "pool-sheets", **asked)["items"], "pool", "bets", "rows", "stakes")

    others = [("P2", 3, 6, "15.00"), ("P3", 1, 1, "1.00")]
    assert counts(as_of=SEALED) == [("P1", 3, 6, "13.00"), *others]
    assert counts() == [("P1", 2, 3, "10.00"), *others]
    assert shown(office.accountant, "pool-sheets")["totals"]["whole"]["numbers"]["rows"] == 10
    assert pool["code"] == "P1"


def test_the_register_of_tickets_says_how_many_positions_and_bets(office: Office) -> None:
    sold(office, TOTOLOT)
    office.pool("P2")
    office.bet(office.cashier, "X", "1.00", "P2")
    report = shown(office.accountant, "ticket-register")
    assert columns(report["items"], "outcome", "rows", "stake") == [
        ("3 позиции, 2 ставки", 2, "6.00"),
        ("3 позиции, 3 ставки", 3, "3.00"),
        ("3 позиции, 1 ставка", 1, "4.00"),
        ("X", 1, "1.00"),
    ]
    assert report["totals"]["whole"]["numbers"] == {"rows": 7}


def test_the_database_counts_in_russian_as_the_papers_do(office: Office) -> None:
    numbers = func.generate_series(0, 230).column_valued("number")
    with office.house.sessions() as session:
        told = session.execute(select(numbers, _counted(numbers, BETS))).all()
    assert len(told) == 231
    assert [form for _, form in told] == [counted(number, BETS) for number, _ in told]
