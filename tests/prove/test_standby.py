"""The primary dies in the midst of sales, its standby takes its place: no bet told is missing or doubled."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import LiteralString

import httpx
import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from api.commands.database import refuse_wrong_database
from api.house import House
from db.bootstrap import bootstrap
from db.errors import SetupError
from db.urls import DatabaseUrls
from ledger.seals.outside import keep_digests
from ledger.seals.sealing import seal
from ledger.seals.verify import verify
from migrations.upgrade import upgrade
from tests.databases import homes_in_memory
from tests.office import KEYS, OPERATOR, Office
from tests.prove.beside import Beside
from tests.prove.insisting import Insisting, Sale, insist
from tests.prove.pair import Pair, until
from tests.prove.served import Served, house_on, sized
from tests.prove.workers import ROOT, faults_in

pytestmark = pytest.mark.prove
PROMOTIONS = sized(1, 20)
DESKS, PLAYERS = 4, 4
BEFORE, AFTER = sized(60, 200), sized(40, 200)
"""Tickets told before the primary is killed, and after the other took its place."""
HELD_BACK = 0.5
"""Seconds before its death in which every other primary's commits reach no standby: nobody may be told of them."""
SOLD = text("SELECT key, reference FROM idempotency_keys WHERE key LIKE 'standby-%' AND reference IS NOT NULL")
CANCEL_WAIT: LiteralString = "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
# Each time a worker begins it takes a higher number, and gives it back when it ends.
AT_WORK = "SELECT coalesce(max(id), 0) FROM procrastinate_workers"


@dataclass(frozen=True)
class Told:
    """What a promotion was like: a line of the table."""

    from_kill: float
    from_order: float
    acknowledged: int
    lost: int
    carried_out: int


def sealing(office: Office, digests: Path) -> Beside:
    """Seals again and again and keeps the digests elsewhere, as the worker does; who finds no database tries again."""

    def seal_and_keep() -> None:
        with suppress(OperationalError):
            seal(office.house.sessions, patience=1.0)
            with office.house.engine.connect() as connection:
                keep_digests(connection, digests)

    return Beside(seal_and_keep, 0.05)


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[Pair]:
    """Two servers with a migrated database, the one a copy of the other."""
    homes = homes_in_memory()
    with Pair(tmp_path, Path(homes) if homes else None) as servers:
        bootstrap(servers.urls)
        upgrade(servers.urls.owner)
        servers.attach()
        yield servers


@pytest.fixture
def worker(pair: Pair, tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """The task worker, which must outlive its database, and ends well when it is told to."""
    command = (sys.executable, "-m", "flask", "--app", "wsgi", "worker")
    environment = {**os.environ, **DatabaseUrls(app=pair.urls.app).environment(), **KEYS.environment()}
    with (tmp_path / "worker").open("ab") as log:
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log)
    try:
        yield process
        process.terminate()
        assert process.wait(30) == 0, (tmp_path / "worker").read_text("utf-8")
    finally:
        process.kill()
        process.wait()


@pytest.fixture
def served(pair: Pair, tmp_path: Path) -> Iterator[Served]:
    """An office on both servers, and its workers."""
    log = tmp_path / "log"
    with house_on(pair.urls, log, processes=2) as house:
        yield house
    assert faults_in(log) == []


def test_what_was_answered_is_there_once_whichever_server_dies(
    pair: Pair, served: Served, worker: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    pool, digests = served.pool()["code"], tmp_path / "digests"
    buyers = [served.another_desk() for _ in range(DESKS)] + [served.player("9000.00") for _ in range(PLAYERS)]
    sold: list[Sale] = []
    rounds: list[Told] = []
    until(lambda: served.fact(AT_WORK) > 0, "a worker at work")
    for number in range(1, PROMOTIONS + 1):
        if number > 1:
            pair.attach()
        at_work = served.fact(AT_WORK)
        sales = Insisting(buyers, pool, f"standby-{number:02}")
        rounds.append(_promotion(pair, served, sales, digests, sold, held_back=number % 2 * HELD_BACK))
        _all_is_there_once(served, pool, sold)
        _works_on(served, worker, at_work)
        _books_hold(served, digests)
    _print(rounds)


def test_nobody_is_told_of_a_bet_whose_wait_for_the_standby_was_cancelled(pair: Pair, served: Served) -> None:
    """It stands on one machine alone: its buyer learns of it by the repeat."""
    pool, buyer = served.pool()["code"], served.player("10.00")
    assert buyer.bet("1", "1.00", pool).status_code == 201, "the first bet makes a data key, by a commit of its own"
    pair.standby.kill()
    with ThreadPoolExecutor(1) as thread:
        asked = thread.submit(buyer.bet, "1", "1.00", pool, "cancelled-wait-1")
        until(lambda: pair.primary.ask(CANCEL_WAIT) is True, "a commit that waits for the standby")
        refused = asked.result()
    assert (refused.status_code, refused.json()["code"]) == (503, "too_busy")
    pair.attach()
    again = buyer.bet("1", "1.00", pool, "cancelled-wait-1")
    assert (again.status_code, again.headers["Idempotency-Replayed"]) == (201, "true")
    assert served.bets_of(pool) == (2, 2_00)


def test_a_copy_is_no_way_to_what_it_copies(pair: Pair) -> None:
    """It has every number of the original, and is yet another server: no pooler may lead requests there."""
    for server, led_astray in ((pair.primary, False), (pair.standby, True)):
        urls = replace(pair.urls, pooled=pair.app_on(server))
        with pytest.raises(SetupError, match="or to another server") if led_astray else nullcontext():
            refuse_wrong_database(House(OPERATOR, lambda urls=urls: urls, lambda: KEYS))


def _promotion(pair: Pair, served: Served, sales: Insisting, digests: Path, sold: list[Sale], held_back: float) -> Told:
    """Kill the primary while all are buying, promote the other, let them buy on; what became of every key is known."""
    with sealing(served.office, digests), sales:
        sales.wait_for(BEFORE, 0.0)
        _another_digest(digests)
        if held_back:
            pair.primary.hold_back()
            time.sleep(held_back)
        killed = time.monotonic()
        pair.primary.kill()
        _told_so(served, sales)
        ordered = time.monotonic()
        pair.change_places()
        first = sales.wait_for(AFTER, ordered)
        until(lambda: _ready(served) == 200, "workers that are ready again")
        _another_digest(digests)
    _let_the_test_follow(served)
    lost = [sale for sale in sales.sales if sale.lost] + sales.put_aside
    sold += sales.sales
    _ask_for(served, sales, sold)
    sold += sales.put_aside
    return Told(
        first - killed,
        first - ordered,
        len(sales.sales),
        len(lost),
        sum(sale.carried_out for sale in lost),
    )


def _another_digest(digests: Path) -> None:
    """Wait for one more seal whose digest is kept elsewhere."""
    kept = _kept(digests)
    until(lambda: _kept(digests) > kept, "another seal")


def _kept(digests: Path) -> int:
    return digests.read_text("ascii").count("\n") if digests.exists() else 0


def _told_so(served: Served, sales: Insisting) -> None:
    """Between the two the process lives, says that it is not ready, and refuses a bet as one who knows nothing."""
    assert httpx.get(served.workers.url + "/healthz", timeout=10).status_code == 200
    until(lambda: _ready(served) == 503, "workers that are not ready")
    refused = sales.buyers[0].bet("1", "1.00", sales.pool)
    assert (refused.status_code, refused.headers["Retry-After"]) == (503, "1"), refused.text
    assert refused.json()["code"] == "too_busy"


def _ready(served: Served) -> int:
    return httpx.get(served.workers.url + "/readyz", timeout=10).status_code


def _let_the_test_follow(served: Served) -> None:
    """The first question on a connection to the dead breaks; with it all others of the pool are given up."""
    with suppress(OperationalError):
        served.fact("SELECT 1")
    assert served.fact("SELECT pg_is_in_recovery()") is False


def _ask_for(served: Served, sales: Insisting, sold: list[Sale]) -> None:
    """What a key tells is how it is: a bet, once, or none at all; sent again it is the same bet, or now becomes one."""
    told = {sale.key: sale.buyer.get(f"/idempotency-keys/{sale.key}") for sale in sales.put_aside}
    assert {answer.status_code for answer in told.values()} <= {200, 404}
    there = {key: answer.json()["reference"] for key, answer in told.items() if answer.status_code == 200}
    assert _on_record(served) == {sale.key: sale.ticket for sale in sold} | there
    assert served.bets_of(sales.pool)[0] == len(sold) + len(there)
    for sale in sales.put_aside:
        assert insist(sale)
        assert (sale.carried_out, sale.ticket) == (sale.key in there, there.get(sale.key, sale.ticket))


def _all_is_there_once(served: Served, pool: str, sold: list[Sale]) -> None:
    """Each key has the ticket its buyer was told, since the first of all promotions, and the pool no bet besides."""
    assert _on_record(served) == {sale.key: sale.ticket for sale in sold}
    assert len({sale.ticket for sale in sold}) == len(sold)
    assert served.bets_of(pool) == (len(sold), len(sold) * 1_00)


def _works_on(served: Served, worker: subprocess.Popen[bytes], before: int) -> None:
    """The same process has begun once more since the promotion."""
    until(lambda: served.fact(AT_WORK) > before, "a worker that is back at work")
    assert worker.poll() is None


def _on_record(served: Served) -> dict[str, int]:
    with served.office.owner() as session:
        return {key: reference for key, reference in session.execute(SOLD)}


def _books_hold(served: Served, digests: Path) -> None:
    """The audit finds nothing, and every seal whose digest was kept elsewhere stands in the chain as it was."""
    served.books_hold()
    with served.office.house.sessions() as session:
        assert verify(session.connection(), digests) == []
    assert _kept(digests) > 1


def _print(rounds: list[Told]) -> None:
    print("\npromotion  s from kill  s from promoting  acknowledged  lost answers  found carried out")
    for number, told in enumerate(rounds, 1):
        print(
            f"{number:9}  {told.from_kill:11.2f}  {told.from_order:16.2f}  {told.acknowledged:12}  "
            f"{told.lost:12}  {told.carried_out:17}"
        )
