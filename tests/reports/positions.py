"""Two pools of three positions, their bets and figures worked by hand: one by stakes, one at a price.

A ticket, as rows of A, B, C, and what its rows match of 1, X, 2:

| ticket | how | rows | matches |
|---|---|---|---|
| first | marks 1; 1 or X; 2 | 1 1 2, 1 X 2 | 2, 3 |
| second | uploaded | 1 X 2, 1 X 2, 2 2 X | 3, 3, 0 |
| third | marks X; X; 2 | X X 2 | 2 |

Three matches are level 1, with 70 percent of the fund, two are level 2, with 30: a bound of 200/3 takes them in.

Totolot: stakes of 6.00 (3.00 a row), 3.00 (1.00 a row) and 4.00 make 13.00, withdrawn 5.20, a fund of 7.80. Level 1:
5.46 on 5.00 is 1.092, so that rows win 3.27, 1.09, 1.09. Level 2: 2.34 on 7.00 is 0.334285…, rows win 1.00 and 1.33.
7.78 in all, 0.02 to the jackpot.

Sportloto: six rows at 2.50 make 15.00, withdrawn 4.50, a fund of 10.50. Level 1: 7.35 among 3 rows is 2.45. Level 2:
3.15 among 2 rows is 1.575, paid 1.57. 10.49 in all, 0.01 to the jackpot.
"""

from __future__ import annotations

from typing import Any

from tests.office import EVENT, POOL, Member, Office

THREE = [{"code": "1", "name": "П1"}, {"code": "X", "name": "Ничья"}, {"code": "2", "name": "П2"}]
NAMES = {"A": "Динамо — Торпедо", "B": "Шахтёр — Неман", "C": "Гомель — Минск"}
LEVELS = [{"from": "100", "to": "100", "share": "70"}, {"from": "200/3", "to": "99.99", "share": "30"}]
TOTOLOT: dict[str, Any] = {
    **{name: told for name, told in POOL.items() if name != "outcomes"},
    "name": "Три матча тура",
    "game": "totolot_position",
    "positions": [{"code": code, "name": name, "outcomes": THREE} for code, name in NAMES.items()],
    "levels": LEVELS,
}
SPORTLOTO: dict[str, Any] = {
    **{name: told for name, told in TOTOLOT.items() if name not in ("minimum_stake", "maximum_stake")},
    "game": "sportloto_position",
    "price": "2.50",
    "fund_percent": "70",
}
FIRST: dict[str, Any] = {"marks": [["1"], ["1", "X"], ["2"]]}
SECOND: dict[str, Any] = {"uploaded": "1X2\n1X2\n22X"}
THIRD: dict[str, Any] = {"marks": [["X"], ["X"], ["2"]]}
CAME: dict[str, str | None] = {"A": "1", "B": "X", "C": "2"}


def announced(office: Office, game: dict[str, Any], code: str = "P1", **terms: Any) -> dict[str, Any]:
    """A pool of these terms on an event of its own."""
    assert office.treasury
    event = office.organizer.post("/events", {**EVENT, "code": f"E-{code}"})
    assert event.status_code == 201, event.json
    answer = office.organizer.post("/pools", {**game, "code": code, "event_id": event.json["id"], **terms})
    assert answer.status_code == 201, answer.json
    return dict(answer.json)


def bet(member: Member, on: dict[str, Any], stake: str, pool: str = "P1") -> dict[str, Any]:
    """A ticket on marks or rows."""
    answer = member.post("/pool-bets", {"pool": pool, "stake": stake, **on})
    assert answer.status_code == 201, answer.json
    return dict(answer.json)


def sold(office: Office, game: dict[str, Any], code: str = "P1", **terms: Any) -> tuple[dict[str, Any], list[int]]:
    """A pool with the three tickets: its announcement, and their numbers."""
    pool = announced(office, game, code, **terms)
    stakes = ("6.00", "3.00", "4.00") if game is TOTOLOT else ("5.00", "7.50", "2.50")
    made = zip((FIRST, SECOND, THIRD), stakes, strict=True)
    return pool, [bet(office.cashier, on, stake, code)["number"] for on, stake in made]


def determine(office: Office, pool: dict[str, Any], came: dict[str, str | None]) -> None:
    """Close the pool, and fix by two persons what came true in the positions."""
    office.clock("2022-11-22T16:00:00+03:00")
    assert office.organizer.post(f"/pools/{pool['code']}/closing").status_code == 201
    drawn_up = office.confirm(pool, office.enter(pool, standing="held", positions=came))
    assert drawn_up.status_code == 201, drawn_up.json


def settle(office: Office, pool: dict[str, Any]) -> dict[str, Any]:
    """Settle by the protocol in force: the sheet."""
    answer = office.organizer.post(f"/pools/{pool['code']}/settlement")
    assert answer.status_code == 201, answer.json
    return dict(answer.json)


def correct(office: Office, pool: dict[str, Any], came: dict[str, str | None]) -> None:
    """Correct the protocol in force by two persons."""
    corrected = office.correct(pool, standing="held", positions=came)
    assert corrected.status_code == 201, corrected.json
