"""The whole description against real workers: whatever is sent, every answer is one that it tells, and none a 5xx.

Right and wrong requests come from the description itself (schemathesis), by people who may call an operation and by
people who may not, in a house where pools, bets, tickets and shifts exist. Afterwards the books are right.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import httpx
import pytest
from sqlalchemy import text
from sqlalchemy.orm import Session

from db.session import transaction
from office.callers import Caller, Role
from office.tokens import caller_of, issue_token
from tests.office import MATCH_DAY, PASSWORD, Member, Office
from tests.prove.fuzzing import PHASES, Run, run
from tests.prove.served import Served, sized

pytestmark = pytest.mark.prove
WANTED, EXAMPLES = sized(600, 20_000), sized(2, 60)
SEED = 140
LEAVING = {"end_own_session", "change_own_password"}
"""What ends the session it comes on."""
SELLING = "place_bet"
RESUMED = """
    INSERT INTO sales_resumptions (stop_id, resumed_at, reason, resumed_by)
    SELECT id, clock_timestamp(), 'проба', stopped_by FROM sales_stops
    WHERE id NOT IN (SELECT stop_id FROM sales_resumptions)
"""
UNLOCKED = """
    UPDATE players SET blocked_at = NULL, password_until = NULL
    WHERE id NOT IN (SELECT player_id FROM registration_endings)
    AND person_id NOT IN (SELECT person_id FROM person_erasures)
"""
"""Whose registration was ended, or who was forgotten, stays locked: nothing undoes that."""
NOT_DECIDED = {400, 401, 403, 404, 405}
"""What a stranger may be told: never that a request was carried out, or why the trade would refuse it."""


class Town:
    """A house with something of everything in it, and a token of every role."""

    def __init__(self, served: Served) -> None:
        office = served.office
        office.clock(MATCH_DAY)
        self.url = served.workers.url
        # The first shift is nobody's who bets here: number one is what is tried first, and a closing would end it.
        served.another_desk()
        settled, *others = self._pools = [served.pool() for _ in range(sized(3, 20))]
        # Two pools that nobody is told to close; one of them is what the description's examples bet on.
        self._for_bets = [office.pool(code)["code"] for code in ("ARG-KSA", "KEPT-OPEN")]
        # Nor is the first player anybody who calls: number one is what is locked.
        office.player("first-player")
        player = office.player("known-player", "500.00")
        bets = [
            office.bet(buyer, outcome, "5.00", pool["code"], f"known-{pool['code']}-{outcome}").json["number"]
            for pool in (settled, others[0])
            for buyer in (office.cashier, player)
            for outcome in "12"
        ]
        office.decide(settled, "1")
        office.clock(MATCH_DAY)
        self._ids = {"number": bets, "desk_id": [office.desk["id"]]}
        present = {Role.ADMINISTRATOR: office.administrator, Role.CASHIER: office.cashier, Role.PLAYER: player}
        members = {role: present.get(role) or _hired(office, role) for role in Role}
        self._office = office
        with office.house.sessions() as session:
            self._callers = {role: caller_of(session, member.token) for role, member in members.items()}
            # Keys are a caller's own, and the tool begins anew with them at each operation: whoever does all the others
            # has used them before bets come to be placed.
            self._seller = caller_of(session, office.another_cashier(9).token)

    def tokens(self, roles: Mapping[str, Sequence[Role]], place: int) -> dict[str, str]:
        """For each operation a fresh token of the first (0) or the last (-1) of its roles; all is open and unlocked.

        Whatever an earlier run stopped or locked goes on, and signing out ends a session that nothing else comes on.
        """
        with transaction(self._office.owner) as session:
            session.execute(text("UPDATE users SET blocked_at = NULL, password_until = NULL"))
            session.execute(text(UNLOCKED))
            session.execute(text("DELETE FROM open_sales_stops"))
            session.execute(text(RESUMED))
            fresh = {role: _token(session, caller) for role, caller in self._callers.items()}
            leaving = {role: _token(session, caller) for role, caller in self._callers.items()}
            selling = {**fresh, Role.CASHIER: _token(session, self._seller)}
        return {
            operation: (leaving if operation in LEAVING else selling if operation == SELLING else fresh)[named[place]]
            for operation, named in roles.items()
            if named
        }

    @property
    def known(self) -> dict[str, list[Any]]:
        """Values that exist, by the parameter or field they may stand for."""
        bet = {
            "pool": self._for_bets,
            "outcome": ["1", "X", "2"],
            "stake": ["1.00", "2.5"],
        }
        codes = [pool["code"] for pool in self._pools]
        ids = {**self._ids, "event_id": [pool["event_id"] for pool in self._pools]}
        people = {"player": ["known-player"], "login": ["known-player", "known-auditor"], "password": [PASSWORD]}
        return {
            **{f"body.{name}": values for name, values in {**bet, **ids, **people}.items()},
            **{f"body.lines[*].{name}": values for name, values in bet.items()},
            **{f"path.{name}": values for name, values in {**ids, "code": codes, "name": ["tote"]}.items()},
            "path.key": [f"known-{code}-1" for code in codes[:2]],
            # So many that seldom one is drawn twice: a reused key is refused before the trade is asked.
            "header.Idempotency-Key": [f"drawn-key-{number:06}" for number in range(sized(2_000, 50_000))],
        }


def _token(session: Session, caller: Caller | None) -> str:
    assert caller is not None, "whoever was hired is somebody"
    return issue_token(session, caller)[0]


def _hired(office: Office, role: Role) -> Member:
    office.hire(f"known-{role}", role)
    return office.sign_in(f"known-{role}")


@pytest.fixture(scope="module")
def town(house_of_file: Served) -> Iterator[Town]:
    """The house before anybody calls; when all have called, every kopeck of it is where the books say."""
    yield Town(house_of_file)
    # A cashier may have closed the shift on less than was there: what is owed need not be covered any more.
    house_of_file.books_hold(covered=False)


@pytest.fixture(scope="module")
def roles(town: Town) -> dict[str, list[Role]]:
    """The roles of each operation, as the description tells them; none for what is for anybody."""
    paths = httpx.get(f"{town.url}/api/openapi.json").json()["paths"]
    acts = [act for acts in paths.values() for act in acts.values() if "operationId" in act]
    return {act["operationId"]: [Role(name) for name in act.get("x-roles", ())] for act in acts}


def calm(met: Run) -> None:
    """Nothing was wrong, and nothing answered by a 5xx."""
    assert not met.wrongs, "\n\n".join(f"{count} times {wrong}" for wrong, count in met.wrongs.most_common(10))
    assert not [name for name, statuses in met.statuses.items() if any(status >= 500 for status in statuses)]


def test_every_answer_to_whatever_is_sent_is_one_the_description_tells(
    town: Town, roles: dict[str, list[Role]]
) -> None:
    """At the limits of every form and at random, by the first role that may; then at random by the last."""
    sent = 0
    while sent < WANTED:
        thorough, random = (
            run(town.url, town.tokens(roles, place), town.known, examples=EXAMPLES, seed=SEED + sent, phases=phases)
            for place, phases in ((0, PHASES), (-1, ("fuzzing",)))
        )
        calm(thorough)
        calm(random)
        assert thorough.statuses.keys() == roles.keys(), "every operation is called"
        assert {201, 422} <= thorough.statuses["place_bet"].keys(), "bets are taken and refused"
        sent += thorough.requests + random.requests


def test_a_stranger_is_told_nothing_but_that_he_is_one(town: Town, roles: dict[str, list[Role]]) -> None:
    """Each operation by a role it does not name: 403 before anything is looked at, and nothing else for anything."""
    strangers = {name: [role for role in Role if role not in named][:1] for name, named in roles.items() if named}
    tokens = town.tokens(strangers, 0)
    met = run(town.url, tokens, town.known, examples=sized(1, 20), seed=SEED, phases=("examples", "fuzzing"))
    calm(met)
    for name in tokens:
        assert met.statuses[name].keys() <= NOT_DECIDED, name
    assert {name: status for name, status in plainly(town, tokens) if status != 403} == {}


def plainly(town: Town, tokens: Mapping[str, str]) -> Iterator[tuple[str, int]]:
    """What each operation answers whoever calls it with an empty body, on a path that may exist."""

    def known(place: re.Match[str]) -> str:
        return str(town.known.get(f"path.{place[1]}", ["1"])[0])

    with httpx.Client(base_url=town.url) as client:
        for path, acts in client.get("/api/openapi.json").json()["paths"].items():
            for method, act in acts.items():
                if (token := tokens.get(act.get("operationId", "")) if isinstance(act, dict) else None) is not None:
                    headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": "a-plain-request"}
                    answer = client.request(method, re.sub("{(.+?)}", known, path), headers=headers, json={})
                    yield act["operationId"], answer.status_code
