"""What is whose: a cashier sees the own desk only, a player the own tickets only, whatever number they try.

FIELD-FAULTS 115: what is another's is answered in the words of what is not there, 404 and never 403.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from office.callers import Role
from tests.api.test_rights import ROUTES
from tests.office import BANK_ACCOUNT, EVENT, Member, Office

CASHIER, PLAYER = Role.CASHIER, Role.PLAYER
OWN_DESK, OWN, PUBLIC = "what belongs to the own desk", "what is the own", "what everybody may see"

OWNERSHIP = {
    "GET /api/v1/desks": {CASHIER: OWN_DESK},
    "GET /api/v1/desks/<int:desk_id>": {CASHIER: OWN_DESK},
    "GET /api/v1/desks/<int:desk_id>/assignments": {CASHIER: OWN_DESK},
    "GET /api/v1/desks/<int:desk_id>/cash": {CASHIER: OWN_DESK},
    "GET /api/v1/terminals": {CASHIER: OWN_DESK},
    "GET /api/v1/terminals/<int:terminal_id>": {CASHIER: OWN_DESK},
    "GET /api/v1/shifts": {CASHIER: OWN_DESK},
    "GET /api/v1/shifts/<int:shift_id>": {CASHIER: OWN_DESK},
    "POST /api/v1/tickets/<int:number>/prints": {CASHIER: OWN_DESK, PLAYER: OWN},
    "POST /api/v1/shifts/<int:shift_id>/closing": {CASHIER: OWN_DESK},
    "POST /api/v1/payouts/<int:number>/fiscal-receipt": {CASHIER: OWN_DESK},
    "POST /api/v1/shifts/<int:shift_id>/fiscal-report": {CASHIER: OWN_DESK},
    "GET /api/v1/shifts/<int:shift_id>/report": {CASHIER: OWN_DESK},
    "GET /api/v1/cash-deliveries": {CASHIER: OWN_DESK},
    "GET /api/v1/cash-deliveries/<int:number>": {CASHIER: OWN_DESK},
    "POST /api/v1/desk-floats/<int:number>/reception": {CASHIER: OWN_DESK},
    "GET /api/v1/payouts": {CASHIER: OWN_DESK},
    "GET /api/v1/payouts/<int:number>": {CASHIER: OWN_DESK},
    "GET /api/v1/documents/payout-slips/<int:number>": {CASHIER: OWN_DESK},
    "GET /api/v1/documents/shift-reports/<int:shift_id>": {CASHIER: OWN_DESK},
    "GET /api/v1/documents/payout-journal": {CASHIER: OWN_DESK},
    "GET /api/v1/approvals": {CASHIER: OWN},
    "GET /api/v1/approvals/<int:approval_id>": {CASHIER: OWN},
    "POST /api/v1/approvals/<int:approval_id>/decision": {CASHIER: OWN},
    "GET /api/v1/tickets": {CASHIER: OWN_DESK, PLAYER: OWN},
    "GET /api/v1/tickets/<int:number>": {CASHIER: OWN_DESK, PLAYER: OWN},
    "GET /api/v1/tickets/<int:number>/rows": {CASHIER: OWN_DESK, PLAYER: OWN},
    "GET /api/v1/idempotency-keys/<key:key>": {CASHIER: OWN, PLAYER: OWN},
    "GET /api/v1/players/me": {PLAYER: OWN},
    "GET /api/v1/players/<int:player_id>": {PLAYER: OWN},
    "GET /api/v1/players/me/statement": {PLAYER: OWN},
    "GET /api/v1/players/me/bets": {PLAYER: OWN},
    "GET /api/v1/players/me/withdrawals": {PLAYER: OWN},
    "GET /api/v1/events": {CASHIER: PUBLIC, PLAYER: PUBLIC},
    "GET /api/v1/events/<int:event_id>": {CASHIER: PUBLIC, PLAYER: PUBLIC},
    "GET /api/v1/results": {CASHIER: PUBLIC, PLAYER: PUBLIC},
    "GET /api/v1/pools": {CASHIER: PUBLIC, PLAYER: PUBLIC},
    "GET /api/v1/pools/<code:code>": {CASHIER: PUBLIC, PLAYER: PUBLIC},
    "GET /api/v1/pools/<code:code>/totals": {CASHIER: PUBLIC, PLAYER: PUBLIC},
}
"""Every list and every path with a number that a cashier or a player may call, and what each of them finds there.

A new one is written here as well, or this file's first test fails.
"""

BODIES = {
    "POST /api/v1/shifts/<int:shift_id>/closing": {"counted": "0.00"},
    "POST /api/v1/shifts/<int:shift_id>/fiscal-report": {"number": "1"},
    "POST /api/v1/payouts/<int:number>/fiscal-receipt": {"number": "1"},
    "POST /api/v1/desk-floats/<int:number>/reception": {"counted": "5.00"},
    "POST /api/v1/tickets/<int:number>/prints": {"format": "pdf"},
    "POST /api/v1/approvals/<int:approval_id>/decision": {"decision": "withdrawn", "reason": "передумал"},
}
REFUSED = {"GET /api/v1/tickets/<int:number>/rows": "rows_not_uploaded"}
"""What the own is refused with in this town: `tests/tote/test_uploaded_rows.py` looks into tickets with rows."""
UNKNOWN = "999999"


@dataclass(frozen=True)
class Side:
    """One of two who must not see each other's: how the side asks, and what is there to be named, by its noun."""

    member: Member
    things: dict[str, str]


@dataclass(frozen=True)
class Town:
    """Two desks with a shift, a ticket, a payout and change under way each; two players with ticket and withdrawal."""

    office: Office
    cashiers: tuple[Side, Side]
    players: tuple[Side, Side]

    def sides(self, role: Role) -> tuple[Side, Side]:
        """Both holders of a role."""
        return self.cashiers if role is CASHIER else self.players


@pytest.fixture
def town(office: Office) -> Town:
    """Of five bets of 10.00 a fund of 30.00: the two on 1, one at each desk, win 15.00 each and are paid there."""
    pool = office.pool()
    cashiers = [office.cashier, office.another_cashier(2)]
    players = [office.player(login, "20.00") for login in ("ivan", "olga")]
    for desk, login in enumerate(("cashier", "cashier-2"), start=1):
        assert office.administrator.post(f"/desks/{desk}/assignments", {"cashier": login}).status_code == 201
    sold = [bet(office, cashier, "1", f"key-of-desk-{number}") for number, cashier in enumerate(cashiers)]
    online = [bet(office, player, "2", f"key-of-player-{number}") for number, player in enumerate(players)]
    bet(office, cashiers[1], "2", "another-key")
    for player in players:
        assert player.put("/players/me/bank-account", BANK_ACCOUNT).status_code == 200
        assert player.post("/players/me/withdrawals", {"amount": "1.00"}).status_code == 201
    office.decide(pool, "1")
    office.clock("2022-11-23T10:00:00+03:00")
    presented = list(zip(sold, cashiers, strict=True))
    proposed = [office.propose_payout(ticket["code"], cashier).json for ticket, cashier in presented]
    paid = [office.pay(ticket["code"], cashier).json for ticket, cashier in presented]
    changes = [
        office.accountant.post("/desk-floats", {"desk_id": desk, "amount": "5.00"}).json["number"] for desk in (1, 2)
    ]
    desks = [
        at_desk(
            cashier,
            number,
            tickets=sold[number]["number"],
            payouts=paid[number]["number"],
            approvals=proposed[number]["id"],
            **dict.fromkeys(("desk-floats", "cash-deliveries"), changes[number]),
        )
        for number, cashier in enumerate(cashiers)
    ]
    return Town(
        office,
        (desks[0], desks[1]),
        (on_the_page(players[0], 0, online[0]), on_the_page(players[1], 1, online[1])),
    )


def at_desk(cashier: Member, number: int, **things: int) -> Side:
    """A cashier's side: desks, terminals and shifts were made in one order, so that their numbers are the same."""
    made = dict.fromkeys(("desks", "terminals", "shifts"), str(number + 1))
    named = {noun: str(thing) for noun, thing in things.items()}
    named |= {"payout-slips": named["payouts"], "shift-reports": made["shifts"]}
    return Side(cashier, {**made, **named, "idempotency-keys": f"key-of-desk-{number}"})


def on_the_page(player: Member, number: int, ticket: dict[str, Any]) -> Side:
    """A player's side."""
    registration = str(player.get("/players/me").json["id"])
    key = f"key-of-player-{number}"
    return Side(player, {"players": registration, "tickets": str(ticket["number"]), "idempotency-keys": key})


def bet(office: Office, member: Member, outcome: str, key: str) -> dict[str, Any]:
    """A bet of 10.00 under this key."""
    answer = office.bet(member, outcome, "10.00", key=key)
    assert answer.status_code == 201, answer.json
    return dict(answer.json)


def asked(member: Member, route: str, number: str) -> tuple[int, Any]:
    """Call a route for the thing with this number; the status, and what was answered."""
    method, _, rule = route.partition(" ")
    path = rule.removeprefix("/api/v1").replace(rule[rule.index("<") : rule.index(">") + 1], number)
    answer = member.get(path) if method == "GET" else member.post(path, BODIES[route])
    return answer.status_code, answer.json


def named(route: str) -> str:
    """What a route names by its number: the noun in front of it."""
    return route[: route.index("<")].rstrip("/").rpartition("/")[2]


def owned(numbered: bool) -> list[tuple[str, Role]]:
    """The routes, by a number or as a list, at which a role finds only the own."""
    return [
        (route, role)
        for route, sees in OWNERSHIP.items()
        for role, what in sees.items()
        if what != PUBLIC and ("<" in route) == numbered
    ]


def test_every_list_and_number_a_cashier_or_player_may_ask_for_is_in_the_table() -> None:
    to_be_told = {
        route: roles & {CASHIER, PLAYER}
        for route, roles in ROUTES.items()
        if roles and roles & {CASHIER, PLAYER} and (route.startswith("GET ") or "<" in route)
    }
    assert {route: set(sees) for route, sees in OWNERSHIP.items()} == to_be_told


def test_by_its_number_one_finds_the_own_and_is_told_of_no_other(town: Town) -> None:
    for route, role in owned(numbered=True):
        for mine, theirs in (town.sides(role), town.sides(role)[::-1]):
            status, answer = asked(mine.member, route, theirs.things[named(route)])
            assert (status, answer["code"]) == (404, "not_found"), (route, role)
            unknown = UNKNOWN if named(route) != "idempotency-keys" else "a-key-of-nobody"
            assert (status, answer) == asked(mine.member, route, unknown), (route, role)
            status, answer = asked(mine.member, route, mine.things[named(route)])
            assert status in (200, 201) or answer["code"] == REFUSED.get(route), (route, role, answer)


LISTED: dict[tuple[str, Role], tuple[str, Callable[[dict[str, Any]], str]]] = {
    ("GET /api/v1/desks", CASHIER): ("desks", lambda row: str(row["id"])),
    ("GET /api/v1/terminals", CASHIER): ("desks", lambda row: str(row["desk_id"])),
    ("GET /api/v1/shifts", CASHIER): ("desks", lambda row: str(row["desk_id"])),
    ("GET /api/v1/approvals", CASHIER): ("approvals", lambda row: str(row["id"])),
    ("GET /api/v1/cash-deliveries", CASHIER): ("desks", lambda row: str(row["desk_id"])),
    ("GET /api/v1/payouts", CASHIER): ("payouts", lambda row: str(row["number"])),
    ("GET /api/v1/tickets", CASHIER): ("desks", lambda row: str(row["desk_id"])),
    ("GET /api/v1/tickets", PLAYER): ("players", lambda row: str(row["player_id"])),
    ("GET /api/v1/players/me", PLAYER): ("players", lambda row: str(row["id"])),
    ("GET /api/v1/players/me/statement", PLAYER): ("players", lambda row: str(row["player_id"])),
    ("GET /api/v1/players/me/bets", PLAYER): ("tickets", lambda row: str(row["number"])),
    ("GET /api/v1/players/me/withdrawals", PLAYER): ("players", lambda row: str(row["player_id"])),
}
"""By what a row of each list tells whose it is."""


FILES = {("GET /api/v1/documents/payout-journal", CASHIER)}
"""Lists that are files: `tests/reports/test_payout_journal.py` looks into them."""


def test_no_list_holds_anything_of_anothers(town: Town) -> None:
    assert set(LISTED) | FILES == set(owned(numbered=False))
    for (route, role), (noun, whose) in LISTED.items():
        for side in town.sides(role):
            answer = side.member.get(route.removeprefix("GET /api/v1")).json
            assert {whose(row) for row in answer.get("items", [answer])} == {side.things[noun]}, (route, role)


def test_no_filter_reaches_beyond_the_own(town: Town) -> None:
    """Asked for another's desk or self by a filter, a list answers as for one that is not there."""
    cashier, other = town.cashiers
    for path in ("/terminals", "/shifts", "/payouts", "/tickets", "/cash-deliveries"):
        answers = [cashier.member.get(path, desk_id=number) for number in (other.things["desks"], UNKNOWN)]
        assert [answer.status_code for answer in answers] == [404, 404], path
        assert answers[0].json == answers[1].json
        assert cashier.member.get(path, desk_id=cashier.things["desks"]).status_code == 200
    assert cashier.member.get("/payouts", shift_id=other.things["shifts"]).json["items"] == []
    assert cashier.member.get("/tickets", player_id=town.players[0].things["players"]).json["items"] == []
    player, stranger = town.players
    answers = [player.member.get("/tickets", player_id=number) for number in (stranger.things["players"], UNKNOWN)]
    assert [answer.status_code for answer in answers] == [404, 404] and answers[0].json == answers[1].json
    assert player.member.get("/tickets", desk_id=cashier.things["desks"]).json["items"] == []


def test_what_is_public_is_the_same_for_all(town: Town) -> None:
    paths = ("/events", "/events/1", "/pools", "/pools/P1")
    for path in paths:
        answers = [side.member.get(path) for side in (*town.cashiers, *town.players)]
        assert {answer.status_code for answer in answers} == {200}
        assert all(answer.json == town.office.organizer.get(path).json for answer in answers)


def test_a_number_under_anothers_path_is_not_there(town: Town) -> None:
    """An event's result asked for under another event, an assignment ended under another desk."""
    office = town.office
    other = office.organizer.post("/events", {**EVENT, "code": "E-2"}).json["id"]
    for event, status in ((1, 200), (other, 404)):
        assert office.supervisor.get(f"/events/{event}/results/1").status_code == status
    protocol = {"result_id": 1, "signatories": ["Член комиссии"]}
    answer = office.second_organizer.post(f"/events/{other}/protocols", protocol)
    assert (answer.status_code, answer.json["code"]) == (404, "not_found")
    first, second = (side.things["desks"] for side in town.cashiers)
    (assignment,) = office.supervisor.get(f"/desks/{first}/assignments").json["items"]
    path = f"/assignments/{assignment['id']}/ending"
    answers = [office.administrator.post(f"/desks/{desk}{path}", {"reason": "уволен"}) for desk in (second, first)]
    assert [answer.status_code for answer in answers] == [404, 201]
