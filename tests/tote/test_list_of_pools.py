"""The list of pools: every pool as it stands, and the database asked as often for thirty of them as for three."""

from __future__ import annotations

from tests.office import EVENT, POOL, Office
from tests.tote.test_sales import asked

STATEMENTS_A_PAGE = 5
"""Who calls; that each is planned by itself; the pools; their outcomes; how they stand. A stop is one more."""


def announce(office: Office, codes: list[str]) -> None:
    """Pools on one match."""
    assert office.treasury
    match = office.organizer.post("/events", {**EVENT, "code": f"E-{codes[0]}"}).json
    for code in codes:
        assert office.organizer.post("/pools", {**POOL, "code": code, "event_id": match["id"]}).status_code == 201


def statements_for(office: Office, pools: int) -> int:
    """How often the database is asked for the whole list, which has so many pools."""
    with asked(office) as heard:
        page = office.organizer.get("/pools", limit=200).json
    assert len(page["items"]) == pools
    return len([told for told in heard if told != "commit"])


def test_thirty_pools_ask_as_often_as_three(office: Office) -> None:
    announce(office, ["A1", "A2", "A3"])
    three = statements_for(office, 3)
    announce(office, [f"B{number}" for number in range(27)])
    thirty = statements_for(office, 30)
    assert thirty == three <= STATEMENTS_A_PAGE + 1
    for code in ("A1", "B3", "B4"):
        told = {"scope": "pool", "subject": code, "reason": "проверка"}
        assert office.organizer.post("/sales-stops", told).status_code == 201
    assert statements_for(office, 30) == thirty + 1


def test_each_pool_stands_as_it_does(office: Office) -> None:
    """Six pools, one after another as far as each has come, their outcomes in the order they were announced in."""
    settled, confirmed, closed = (office.pool(code) for code in ("P1", "P2", "P3"))
    office.pool("P4")
    office.pool("P5", opens_at="2022-11-22T12:00:00+03:00")
    reversed_ = [{"code": "2", "name": "Вторая"}, {"code": "1", "name": "Первая"}]
    office.pool("P6", outcomes=reversed_)
    told = {"scope": "pool", "subject": "P6", "reason": "проверка"}
    assert office.organizer.post("/sales-stops", told).status_code == 201

    items = {item["code"]: item for item in office.organizer.get("/pools").json["items"]}
    assert list(items) == ["P6", "P5", "P4", "P3", "P2", "P1"]
    statuses = {code: item["status"] for code, item in items.items()}
    assert statuses == dict.fromkeys(("P1", "P2", "P3", "P4", "P6"), "open") | {"P5": "announced"}
    assert {code: item["stop"] and item["stop"]["reason"] for code, item in items.items()} == {
        **dict.fromkeys(("P1", "P2", "P3", "P4", "P5"), None),
        "P6": "проверка",
    }
    assert items["P6"]["outcomes"] == reversed_
    assert items["P1"]["outcomes"] == POOL["outcomes"]

    office.decide(settled, "1")
    office.determine(confirmed, "1")
    assert office.organizer.post(f"/pools/{closed['code']}/closing").status_code == 201
    later = {item["code"]: item["status"] for item in office.organizer.get("/pools").json["items"]}
    assert later == {
        "P1": "settled",
        "P2": "result_confirmed",
        "P3": "withdrawal_taken",
        **dict.fromkeys(("P4", "P5", "P6"), "closed"),
    }
    assert office.organizer.get("/pools/P3").json["status"] == "withdrawal_taken"


def test_the_command_names_its_columns_and_says_in_russian_where_a_pool_stands(office: Office) -> None:
    office.pool()
    office.bet(office.cashier, "1", "1.50")

    listed = office.app.test_cli_runner().invoke(args=["pools", "list"]).output.splitlines()

    assert [line.split("\t")[:5] for line in listed] == [
        ["Пул", "Состояние", "Билетов", "Ставок", "Сумма ставок"],
        ["P1", "идёт приём ставок", "1", "1", "1.50"],
    ]
