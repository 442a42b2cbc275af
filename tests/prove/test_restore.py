"""Fifty writers while sealing goes on, a dump taken in their midst, and another cluster that carries on from it."""

import os
import random
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import func, select, text

from db.binaries import run_tool
from db.bootstrap import bootstrap
from db.embedded import EmbeddedServer
from db.engines import engine_for
from db.session import Sessions, sessions_on
from db.urls import DatabaseUrls, parts
from ledger.checkpoints import balances
from ledger.journal import Transfer
from ledger.seals.models import Seal, SealContent
from ledger.seals.outside import keep_digests
from ledger.seals.sealing import seal
from ledger.seals.verify import verify
from migrations.upgrade import upgrade
from tests.ledger.bookings import book, pool

pytestmark = pytest.mark.prove

WRITERS = 50
POOLS = 10
TURNS = {"small": 80, "full": 400}[os.environ.get("PROVE_SIZE", "small")]


@pytest.fixture
def sessions(fresh_database: DatabaseUrls) -> Iterator[Sessions]:
    upgrade(fresh_database.owner)
    engine = engine_for(fresh_database.app, pool_size=WRITERS + 2)
    yield sessions_on(engine)
    engine.dispose()


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[DatabaseUrls]:
    """A bootstrapped database in a cluster of its own."""
    other = EmbeddedServer(tmp_path / "elsewhere", fast=True).start()
    try:
        bootstrap(other.urls)
        yield other.urls
    finally:
        other.release(erase=True)


def write(sessions: Sessions, accounts: list[int], seed: int) -> int:
    """Short transactions and long ones, of one row or many, some rolled back; returns the number of rows kept."""
    chance = random.Random(seed)
    kept = 0
    for _ in range(TURNS):
        with sessions() as session:
            rows = chance.choice((1, 1, 2, 5))
            for _ in range(rows):
                book(session, *chance.sample(accounts, 2), chance.randint(1, 10**6))
                session.execute(select(func.pg_sleep(chance.choice((0, 0, 0.001, 0.02)))))
            if chance.random() < 0.2:
                session.rollback()
            else:
                session.commit()
                kept += rows
    return kept


def sealed_rows(sessions: Sessions) -> int:
    with sessions() as session:
        return int(session.scalar(select(func.sum(SealContent.count)).filter_by(table_name="transfers")) or 0)


def summed(sessions: Sessions) -> dict[int, int]:
    """Every account's debits less credits, from the first transfer on."""
    moved = text(
        "SELECT account, sum(amount)::bigint FROM ("
        "SELECT debit_account_id AS account, amount FROM transfers"
        " UNION ALL SELECT credit_account_id, -amount FROM transfers) AS legs GROUP BY account"
    )
    with sessions() as session:
        return {account: total for account, total in session.execute(moved)}


def all_is_well(sessions: Sessions, digests: Path) -> None:
    with sessions() as session:
        assert verify(session.connection(), digests) == []
        assert balances(session) == summed(sessions)


def seal_until_done(sessions: Sessions, writing: list[Future[int]], digests: Path, dump: list[str], url: str) -> int:
    """Seal as fast as it goes; dump once when some seals stand; returns how many seals were written meanwhile."""
    written = 0
    dumped = False
    while not all(one.done() for one in writing):
        report = seal(sessions, block_rows=500)
        assert report.unfinished == ()
        written += len(report.seals)
        if written >= 3 and not dumped:
            with sessions() as session:
                keep_digests(session.connection(), digests)
            run_tool("pg_dump", *dump, url=url)
            dumped = True
    assert dumped
    return written


def test_fifty_writers_a_seal_a_dump_and_another_cluster(
    fresh_database: DatabaseUrls, sessions: Sessions, elsewhere: DatabaseUrls, tmp_path: Path
) -> None:
    archive, digests = tmp_path / "dump", tmp_path / "digests"
    with sessions.begin() as session:
        accounts = [pool(session, number) for number in range(POOLS)]
    with ThreadPoolExecutor(WRITERS) as threads:
        writing = [threads.submit(write, sessions, accounts, seed) for seed in range(WRITERS)]
        dump = ["--format=custom", f"--file={archive}"]
        assert seal_until_done(sessions, writing, digests, dump, fresh_database.owner) > 3
    seal(sessions)
    assert sealed_rows(sessions) == sum(one.result() for one in writing)
    all_is_well(sessions, digests)
    _carry_on(elsewhere, archive, digests)


def _carry_on(elsewhere: DatabaseUrls, archive: Path, digests: Path) -> None:
    """Restore as the administrator does, then write, seal and verify there."""
    assert elsewhere.admin is not None
    into = f"--dbname={parts(elsewhere.app)['dbname']}"
    run_tool("pg_restore", "--clean", "--if-exists", "--exit-on-error", into, str(archive), url=elsewhere.admin)
    engine = engine_for(elsewhere.app)
    restored = sessions_on(engine)
    all_is_well(restored, digests)
    with restored.begin() as session:
        last_seal = session.scalar(select(func.max(Seal.id))) or 0
        last_row = session.scalar(select(func.max(Transfer.id))) or 0
        new = book(session, pool(session, 1), pool(session, 2), *range(1, 100))
    assert min(new) > last_row
    report = seal(restored)
    assert report.seals[0].number == last_seal + 1
    all_is_well(restored, digests)
    with restored() as session:
        assert sealed_rows(restored) == session.scalar(select(func.count()).select_from(Transfer))
    engine.dispose()
