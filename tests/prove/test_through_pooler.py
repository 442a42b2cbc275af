"""Requests through PgBouncer in transaction pooling: bets, settlement, payouts on fewer connections than threads."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from threading import Event, Thread

import httpx
import psycopg
import pytest

from api.house import House
from db.embedded import EmbeddedServer
from db.engines import engine_through_pooler
from db.session import held_alone
from db.urls import DatabaseUrls, conninfo
from tests.databases import copy_database, drop_database
from tests.office import KEYS, MATCH_DAY, OPERATOR
from tests.prove.crowd import Crowd
from tests.prove.pooler import pooled
from tests.prove.served import NEXT_DAY, Served, house_on, sized
from tests.prove.workers import AWAY, Line, at_once, faults_in

# PgBouncer is a Debian package: a full run wants it, where CI may have nobody who can install one.
pytestmark = [pytest.mark.prove, pytest.mark.long]
CONNECTIONS = 3
BUYERS = 8
LINES = 20
BETS = sized(60, 5000)
IN_USE = """
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'totalizator' AND usename <> current_user
"""
PERSON = {
    "surname": "Петров",
    "name": "Пётр",
    "document": {"kind": "паспорт", "number": "MP7654321", "issued_on": "2015-03-01", "issued_by": "РУВД"},
}


@pytest.fixture(scope="module")
def through(
    server: EmbeddedServer, migrated_template: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[DatabaseUrls]:
    """The addresses of a database with a pooler in front of it."""
    urls = copy_database(server, migrated_template)
    try:
        with pooled(urls, tmp_path_factory.mktemp("pooler"), CONNECTIONS) as found:
            yield found
    finally:
        drop_database(urls)


@pytest.fixture(scope="module")
def served(through: DatabaseUrls, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A house whose workers go through the pooler, eight threads each of two."""
    log = tmp_path_factory.mktemp("workers") / "log"
    with house_on(through, log, processes=2) as house:
        yield house
    assert faults_in(log, AWAY) == []


class Watch(Thread):
    """Counts every moment how many connections of requests the server has; the most is kept."""

    def __init__(self, url: str) -> None:
        super().__init__(daemon=True)
        self.most = 0
        self._url = conninfo(url)
        self._over = Event()

    def run(self) -> None:
        with psycopg.connect(self._url, autocommit=True, application_name="watch") as connection:
            while not self._over.wait(0.02):
                row = connection.execute(IN_USE).fetchone()
                assert row is not None
                self.most = max(self.most, row[0])

    def end(self) -> int:
        self._over.set()
        self.join()
        return self.most


def test_a_day_goes_through_fewer_connections_than_threads(served: Served) -> None:
    pool = served.pool()
    buyers = [served.player("1000.00") for _ in range(BUYERS)]
    sold = served.cashier.bet("2", "1.00", pool["code"])
    assert sold.status_code == 201
    served.office.house.engine.dispose()
    watch = Watch(served.office.urls.of_owner())
    watch.start()
    with Crowd(buyers, pool["code"]) as crowd:
        crowd.show(pool["code"], BETS)
    # The server knows no more of requests than the pooler lets through, though sixteen threads asked.
    assert 1 <= watch.end() <= CONNECTIONS
    assert not crowd.refused
    taken = crowd.taken[pool["code"]]
    assert served.bets_of(pool["code"]) == (taken + 1, (taken + 1) * 1_00)

    served.office.clock("2022-11-22T12:56:00+03:00")
    assert served.organizer.post(f"/pools/{pool['code']}/closing").status_code == 201
    served.protocol(pool, "2")
    assert served.organizer.post(f"/pools/{pool['code']}/settlement").status_code == 201
    served.office.clock(NEXT_DAY)
    body = {"code": sold.json()["code"], "code_entry": "scanned", **PERSON}
    paid = served.cashier.post("/payouts", body, "payout-through-pooler")
    assert paid.status_code == 201, paid.json()
    again = served.cashier.post("/payouts", body, "payout-through-pooler")
    assert (again.status_code, again.headers["Idempotency-Replayed"]) == (paid.status_code, "true")
    served.books_hold(covered=False)


def test_batches_at_once_prepare_nothing_that_another_connection_lacks(served: Served) -> None:
    # The lines of a batch are transactions of one request, the same statements in each: the driver would prepare them
    # on whichever connection it has, and miss them on the next.
    served.office.clock(MATCH_DAY)
    pool = served.pool()
    buyers = [served.player("1000.00") for _ in range(BUYERS)]
    answers = at_once([partial(batch, buyer, number, pool["code"]) for number, buyer in enumerate(buyers)])
    assert [answer.status_code for answer in answers] == [200] * BUYERS
    assert all(line["problem"] is None for answer in answers for line in answer.json()["lines"])
    assert served.bets_of(pool["code"]) == (BUYERS * LINES, BUYERS * LINES * 1_00)
    served.books_hold(covered=False)


def batch(buyer: Line, number: int, pool: str) -> httpx.Response:
    """A queue of bets as a player's device sends it."""
    bet = {"pool": pool, "outcome": "1", "stake": "1.00"}
    lines = [{"key": f"queue-{number}-line-{line:04}", **bet} for line in range(LINES)]
    return buyer.post("/pool-bet-batches", {"lines": lines})


def test_a_lock_held_alone_is_held_past_the_pooler(through: DatabaseUrls) -> None:
    here = House(OPERATOR, lambda: through, lambda: KEYS)
    with held_alone(here.sessions, 4711) as first, held_alone(here.sessions, 4711) as second:
        assert (first, second) == (True, False)
    with held_alone(here.sessions, 4711) as after:
        assert after
    with psycopg.connect(conninfo(through.of_owner())) as owner:
        row = owner.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = 4711").fetchone()
    assert row == (0,)


def test_a_process_is_not_ready_when_its_pooler_is_away(through: DatabaseUrls) -> None:
    def told(pooled_url: str | None) -> str | None:
        urls = DatabaseUrls(app=through.app, pooled=pooled_url)
        return House(OPERATOR, lambda: urls, lambda: KEYS).readiness.wrong()

    assert told(through.pooled) is None
    assert told("postgresql://somebody@127.0.0.1:1/totalizator") == "database_unavailable"


def test_sessions_keep_utc_through_it(through: DatabaseUrls) -> None:
    engine = engine_through_pooler(str(through.pooled), pool_size=1)
    with engine.connect() as connection:
        assert connection.exec_driver_sql("SHOW timezone").scalar_one() == "UTC"
    engine.dispose()
