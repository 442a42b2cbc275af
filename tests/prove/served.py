"""A house that is served by real workers: its people's lines, its desks, and a look into its books and locks."""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

import httpx
from sqlalchemy import text

from db.session import transaction
from db.urls import DatabaseUrls
from ledger.audit import breaches
from office.callers import Role
from reports.audit import CHECKS, audit
from tests.office import Member, Office
from tests.prove.workers import Line, Workers, clients_of

PATIENCE = 20.0
FULL = os.environ.get("PROVE_SIZE", "small") == "full"
NEXT_DAY = "2022-11-23T10:00:00+03:00"
# Advisory locks and rows alike: whoever waits for either has a lock that is not granted.
WAITING = text("""
    SELECT count(DISTINCT locks.pid) FROM pg_locks AS locks JOIN pg_stat_activity AS active USING (pid)
    WHERE NOT locks.granted AND active.datname = current_database()
""")
BETS = """
    SELECT count(bet.id), coalesce(sum(bet.stake), 0), count(paid.id), coalesce(sum(paid.amount), 0)
    FROM pools AS pool LEFT JOIN pool_bets AS bet ON bet.pool_id = pool.id
    LEFT JOIN transfers AS paid ON paid.ticket_id = bet.ticket_id AND paid.kind = 'stake'
        AND paid.credit_account_id = pool.stakes_account_id
    WHERE pool.code = :pool
"""


def sized(small: int, full: int) -> int:
    """How much of something a run does: ``PROVE_SIZE`` is ``small`` in CI and ``full`` when an issue asks."""
    return full if FULL else small


class Served:
    """An office, and the workers that serve its database."""

    def __init__(self, office: Office, workers: Workers, clients: httpx.Client) -> None:
        self.office = office
        self.workers = workers
        self._clients = clients
        self._pools, self._players, self._workplaces = itertools.count(1), itertools.count(1), itertools.count(2)

    def line(self, member: Member) -> Line:
        """The member's own line to the workers."""
        return self.bearer(member.token)

    def bearer(self, token: str) -> Line:
        """The line of whoever holds a token."""
        return Line(self._clients, token)

    def pool(self) -> dict[str, Any]:
        """An open pool of its own for every test."""
        return self.office.pool(f"P{next(self._pools)}")

    def player(self, balance: str = "0.00") -> Line:
        """A registered player with this money on the game account."""
        return self.line(self.office.player(f"player-{next(self._players)}", balance))

    @cached_property
    def cashier(self) -> Line:
        """The cashier of the first desk."""
        return self.line(self.office.cashier)

    @cached_property
    def organizer(self) -> Line:
        """Who closes and settles."""
        return self.line(self.office.organizer)

    @cached_property
    def supervisors(self) -> tuple[Line, Line]:
        """Two second persons at the desk, each with a login."""
        self.office.hire("second-supervisor", Role.SUPERVISOR)
        return self.line(self.office.supervisor), self.line(self.office.sign_in("second-supervisor"))

    def another_desk(self) -> Line:
        """A cashier at a desk of the cashier's own, with an open shift on an empty till."""
        return self.line(self.office.another_cashier(next(self._workplaces)))

    def another_terminal(self) -> Line:
        """A second cashier at the office's first desk, selling in the same shift."""
        number = next(self._workplaces)
        return self.line(self.office.cashier_at(self.office.desk, f"T-{number}", f"cashier-{number}", cash=None))

    def protocol(self, pool: dict[str, Any], *outcomes: str) -> None:
        """Fix the result of a closed pool's event by two persons, after the match."""
        self.office.clock("2022-11-22T16:00:00+03:00")
        path = f"/events/{pool['event_id']}"
        entered = self.office.organizer.post(
            path + "/results", {"outcomes": list(outcomes), "source": "протокол матча"}
        )
        assert entered.status_code == 201, entered.json
        protocol = {"result_id": entered.json["id"], "signatories": ["Первый член", "Второй член"]}
        assert self.office.second_organizer.post(path + "/protocols", protocol).status_code == 201

    def fact(self, query: str, **values: Any) -> Any:
        """One figure, read as the owner."""
        with self.office.owner() as session:
            return session.scalar(text(query), values)

    def id_of(self, player: Line) -> int:
        """The number of a player's registration."""
        return int(player.get("/players/me").json()["id"])

    def bets_of(self, pool: str) -> tuple[int, int]:
        """How many bets a pool holds and how much they stake, in minor units; the stakes' transfers say the same."""
        with self.office.owner() as session:
            bets, stakes, booked, moved = session.execute(text(BETS), {"pool": pool}).one()
        assert (bets, stakes) == (booked, moved), "bets and transfers of a pool differ"
        return int(bets), int(stakes)

    def wait_for(self, waiting: int) -> None:
        """Return when so many sessions wait for a lock."""
        self.until(lambda: self.fact(WAITING.text) == waiting, f"{waiting} sessions waiting for a lock")

    def until(self, holds: Callable[[], bool], what: str) -> None:
        """Return when something holds that is bound to."""
        patient_until = time.monotonic() + PATIENCE
        while not holds():
            assert time.monotonic() < patient_until, f"never seen: {what}"
            time.sleep(0.005)

    def books_hold(self, *, covered: bool = True) -> None:
        """The audit finds nothing, in one snapshot; and PostgreSQL never had to break a circle of locks.

        Not ``covered``: whether money lies for what is owed is not asked, for somebody may have counted less of it.
        """
        with transaction(self.office.house.sessions) as session:
            session.connection(execution_options={"isolation_level": "REPEATABLE READ"})
            found = audit(session, "BYN") if covered else breaches(session, CHECKS)
        assert not found, found
        assert self.fact("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()") == 0


@contextmanager
def house_on(urls: DatabaseUrls, log: Path, processes: int = 4) -> Iterator[Served]:
    """A house on a database, served by so many workers for as long as a block lasts."""
    office = Office(urls)
    try:
        with Workers(urls, log, processes=processes) as workers, clients_of(workers) as clients:
            yield Served(office, workers, clients)
    finally:
        office.close()
