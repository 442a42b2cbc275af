"""Who lives in the town of a soak, and what lies about there for thieves."""

from __future__ import annotations

from random import Random

from sqlalchemy import text

from db.session import transaction
from tests.office import BANK_ACCOUNT, EVENT, POOL, Office
from tests.prove.soak.hostile import Hostile, Prey
from tests.prove.soak.offices import Accountant, Auditor, Display, Organizer, Reader
from tests.prove.soak.person import LASTING, Person, Town
from tests.prove.soak.public import Cashier, Player

PLAYERS, HOSTILE, DISPLAYS = 8, 9, 4
BALANCE = "90000.00"
FOR_LATER = {"opens_at": "2022-11-22T08:00:00+03:00", "closes_at": "2090-01-01T12:00:00+03:00"}
EXPIRED = "UPDATE access_tokens SET expires_at = issued_at WHERE player_id = :player"


def honest(town: Town, chance: Random) -> list[Person]:
    """Players, cashiers at three desks, and the office."""
    served = town.ground.served
    office, logins = served.office, [f"player-{number}" for number in range(PLAYERS)]
    people: list[Person] = []
    for login in logins:
        member = office.player(login, BALANCE)
        assert member.put("/players/me/bank-account", BANK_ACCOUNT).status_code == 200
        people.append(Player(town, login, member.token, _own(chance)))
    supervisor = office.supervisor.token
    beside = office.cashier_at(office.desk, "T-12", "cashier-12", cash=None)
    for name, member in (("cashier-1", office.cashier), ("cashier-2", beside)):
        people.append(Cashier(town, name, member.token, _own(chance), logins, supervisor))
    for number in (3, 4):
        desk = office.register_desk(f"K-{number}")
        member = office.cashier_at(desk, f"T-{number}", f"cashier-{number}")
        name = f"cashier-{number}"
        people.append(Cashier(town, name, member.token, _own(chance), logins, supervisor, desk["id"]))
    for kind, name, member in (
        (Accountant, "accountant", office.accountant),
        (Auditor, "auditor", office.auditor),
        (Organizer, "organizer", office.second_organizer),
        (Reader, "reader", office.trader),
        (Reader, "supervisor", office.supervisor),
    ):
        people.append(kind(town, name, member.token, _own(chance)))
    return people


def hostile(town: Town, chance: Random) -> list[Person]:
    """Thieves with accounts, each with a bet of his own under a key; what they are after is somebody else's."""
    office = town.ground.served.office
    prey = _prey(town)
    people: list[Person] = []
    for number in range(HOSTILE):
        login, key = f"thief-{number}", f"soak-thief-{number}-his-own"
        member = office.player(login, "1000.00")
        town.tell(office.bet(member, "1", "1.00", prey.pool, key).json or {})
        own = Prey(prey.pool, prey.ticket, prey.player, key, prey.dead_tokens, prey.cashier)
        people.append(Hostile(town, login, member.token, _own(chance), own))
    return people


def displays(town: Town, streams: str, chance: Random) -> list[Display]:
    """Boards on walls, which somebody of the office signed in."""
    token = town.ground.served.office.trader.token
    return [Display(town, streams, token, _own(chance)) for _ in range(DISPLAYS)]


def _prey(town: Town) -> Prey:
    office = town.ground.served.office
    pool = _open_for_long(office)
    victim = office.player("victim", "100.00")
    ticket = office.bet(victim, "2", "5.00", pool)
    assert ticket.status_code == 201, ticket.json
    town.tell(ticket.json or {})
    late = office.player("signed-in-long-ago")
    with transaction(office.owner) as session:
        session.execute(text(EXPIRED), {"player": late.get("/players/me").json["id"]})
    gone = office.player("signed-out")
    assert gone.client.delete("/api/v1/sessions/current", headers=gone.headers).status_code == 200
    desk = office.register_desk("K-9")
    guesser = office.cashier_at(desk, "T-9", "cashier-9")
    dead = (late.token, gone.token, "A" * 43)
    player = victim.get("/players/me").json["id"]
    return Prey(pool, ticket.json["number"], player, "", dead, guesser.token)


def _open_for_long(office: Office) -> str:
    announced = office.organizer.post("/events", {**EVENT, "code": "E-LONG", "starts_at": "2090-01-01T13:00:00+03:00"})
    assert announced.status_code == 201, announced.json
    pool = {**POOL, "code": LASTING, "event_id": announced.json["id"], **FOR_LATER}
    made = office.organizer.post("/pools", pool)
    assert made.status_code == 201, made.json
    return LASTING


def _own(chance: Random) -> Random:
    return Random(chance.random())
