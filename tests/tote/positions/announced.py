"""Pools of positions as tests announce, sell and decide them through the API."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from werkzeug.test import TestResponse

from tests.office import EVENT, POOL, Member, Office

TWO_LEVELS = [{"from": "100", "to": "100", "share": "60"}, {"from": "75", "to": "75", "share": "40"}]
FREE_STAKES = ("minimum_stake", "maximum_stake")


def positions(count: int, codes: Sequence[str] = ("1", "X", "2")) -> list[dict[str, Any]]:
    """So many matches, each with these outcomes."""
    outcomes = [{"code": code, "name": f"Исход {code}"} for code in codes]
    return [{"code": str(number), "name": f"Матч {number}", "outcomes": outcomes} for number in range(1, count + 1)]


def asked(office: Office, code: str = "P1", **terms: Any) -> dict[str, Any]:
    """The announcement of a Totolot pool of four matches on two levels, on an event of its own, or on other terms."""
    assert office.treasury
    event = office.organizer.post("/events", {**EVENT, "code": f"E-{code}"}).json
    shared = {name: told for name, told in POOL.items() if name != "outcomes"}
    game = "sportloto_position" if "price" in terms else "totolot_position"
    limits = dict.fromkeys(FREE_STAKES) if "price" in terms else {}
    of_positions = {"game": game, "positions": positions(4), "levels": TWO_LEVELS, **limits}
    told = {**shared, **of_positions, "code": code, "event_id": event["id"], **terms}
    return {name: value for name, value in told.items() if value is not None}


def announced(office: Office, code: str = "P1", **terms: Any) -> dict[str, Any]:
    """The pool as it was announced."""
    answer = office.organizer.post("/pools", asked(office, code, **terms))
    assert answer.status_code == 201, answer.json
    return dict(answer.json)


def mark(member: Member, marks: str, stake: str, pool: str = "P1", key: str | None = None) -> TestResponse:
    """Ask for a ticket; marks position by position: ``1 1X 2 12``."""
    body = {"pool": pool, "marks": [list(codes) for codes in marks.split()], "stake": stake}
    return member.post("/pool-bets", body, key)


def upload(member: Member, rows: str, stake: str, pool: str = "P1") -> TestResponse:
    """Ask for a ticket of rows told one by one, divided by blanks."""
    return member.post("/pool-bets", {"pool": pool, "uploaded": "\n".join(rows.split()), "stake": stake})


def sold(answer: TestResponse) -> int:
    """The number of the ticket that was sold."""
    assert answer.status_code == 201, answer.json
    return int(answer.json["number"])


def came_true(outcomes: str) -> dict[str, str | None]:
    """What came true in each position, ``-`` where it was not held: ``1X2-``."""
    return {str(number): None if code == "-" else code for number, code in enumerate(outcomes, 1)}


def decided(office: Office, pool: dict[str, Any], outcomes: str) -> dict[str, Any]:
    """Close the pool, fix the result and settle, at four in the afternoon: its sheet."""
    office.clock("2022-11-22T16:00:00+03:00")
    assert office.organizer.post(f"/pools/{pool['code']}/closing").status_code == 201
    fixed(office, pool, outcomes)
    answer = office.organizer.post(f"/pools/{pool['code']}/settlement")
    assert answer.status_code == 201, answer.json
    return dict(answer.json)


def corrected(office: Office, pool: dict[str, Any], outcomes: str) -> dict[str, Any]:
    """Correct the protocol in force and settle by the new one: the pool's sheet."""
    latest = office.organizer.get(f"/events/{pool['event_id']}/protocols").json["items"][0]["number"]
    fixed(office, pool, outcomes, corrects=latest, reason="clerical_error")
    answer = office.organizer.post(f"/pools/{pool['code']}/settlement")
    assert answer.status_code == 201, answer.json
    return dict(answer.json)


def fixed(office: Office, pool: dict[str, Any], outcomes: str, **told: Any) -> None:
    """Two persons fix what came true in the positions."""
    result = office.enter(pool, outcomes=[], standing="held", positions=came_true(outcomes), **told)
    drawn_up = office.confirm(pool, result)
    assert drawn_up.status_code == 201, drawn_up.json


def paid(office: Office, number: int) -> tuple[str, str, str]:
    """How a ticket stands, what it won and what of its stake it is given back."""
    ticket = office.organizer.get(f"/tickets/{number}").json
    return ticket["status"], ticket["win"], ticket["stake_back"]


def figures(sheet: dict[str, Any]) -> tuple[str, ...]:
    """Pool, withdrawal, fund, wins, jackpot, organizer's own money."""
    return tuple(sheet[name] for name in ("pool", "withdrawal", "fund", "wins", "to_jackpot", "from_organizer"))


def levels(sheet: dict[str, Any], *named: str) -> list[tuple[Any, ...]]:
    """These columns of each level."""
    return [tuple(level[name] for name in named) for level in sheet["levels"]]
