"""A base backup of a house at work and its archive of WAL, restored to a moment: what was answered by then, no more."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from sqlalchemy import text

from api.application import create_app
from api.house import House
from db.bootstrap import bootstrap
from db.session import transaction
from db.urls import DatabaseUrls
from ledger.seals.findings import Fault
from ledger.seals.outside import keep_digests
from ledger.seals.sealing import seal
from ledger.seals.verify import verify
from migrations.upgrade import upgrade
from reports.audit import audit
from tests.databases import homes_in_memory
from tests.office import KEYS, OPERATOR, Member, Office
from tests.prove.insisting import Insisting, Sale
from tests.prove.pair import Server, fresh_passwords, server_in, until, urls_on
from tests.prove.served import Served, house_on, sized

pytestmark = pytest.mark.prove
BUYERS = 6
STEP = sized(40, 500)
"""Tickets told between two moments: before the backup, up to the moment, and behind it."""
# A segment gets its name when all of it is there; one that is there must be the same, for the server may ask twice.
ARCHIVE = (
    'if [ -e "{0}/%f" ]; then cmp -s "%p" "{0}/%f"; '
    'else cp "%p" "{0}/%f.part" && sync "{0}/%f.part" && mv "{0}/%f.part" "{0}/%f" && sync "{0}"; fi'
)
SOLD = text("SELECT key, reference FROM idempotency_keys WHERE key LIKE 'moment-%' AND reference IS NOT NULL")
LAST_SEAL = text("SELECT id, sealed_at::text FROM seals ORDER BY id DESC LIMIT 1")
UNSEALED = text("""
    SELECT count(*) FROM tickets WHERE id >= (SELECT max(closed_below) FROM seal_contents WHERE table_name = 'tickets')
""")
REPORT = "/reports/ticket-register/export"


@dataclass(frozen=True)
class Moment:
    """A moment of the original to come back to, and what was known of it when it came.

    ``before`` and ``after`` are when it was asked for and told: what was answered before is in it, what was sent
    after is not.
    """

    instant: str
    lsn: str
    before: float
    after: float
    seal: int
    sealed_at: str
    register: bytes


@dataclass(frozen=True)
class Original:
    """What is left of the house that is lost: backup, archive, digests, and what its buyers remember."""

    passwords: dict[str, str]
    server: Server
    backup: Path
    archive: Path
    digests: Path
    moment: Moment
    sales: list[Sale]
    members: dict[str, str]


@pytest.fixture(scope="module")
def homes() -> Path | None:
    """Where the servers' data lie."""
    found = homes_in_memory()
    return Path(found) if found else None


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory, homes: Path | None) -> Iterator[Original]:
    """A house that sold while it was backed up, and was killed some time later."""
    tmp_path = tmp_path_factory.mktemp("house")
    passwords = fresh_passwords()
    bare = server_in(tmp_path / "original", homes, passwords, {})
    home = bare.cluster.lodging.home
    archive, backup = home / "archive", home / "backup"
    archiving = {"archive_mode": "on", "archive_command": ARCHIVE.format(archive)}
    server = replace(bare, cluster=replace(bare.cluster, settings=archiving))
    try:
        server.run("/bin/mkdir", "-m", "700", str(archive))
        server.cluster.initialise()
        server.start()
        urls = urls_on(passwords, server)
        bootstrap(urls)
        upgrade(urls.owner)
        with house_on(urls, tmp_path / "log", processes=2) as served:
            moment, sales, members = _work(served, server, backup, tmp_path / "digests")
        yield Original(passwords, server, backup, archive, tmp_path / "digests", moment, sales, members)
    finally:
        for folder in (archive, backup):
            shutil.rmtree(folder, ignore_errors=True)
        server.erase()


def _work(served: Served, server: Server, backup: Path, digests: Path) -> tuple[Moment, list[Sale], dict[str, str]]:
    """Sell on and on; back up; note a moment; sell on; then all is lost but what was put aside."""
    pool, office = served.pool()["code"], served.office
    buyers = [served.player("9000.00") for _ in range(BUYERS)]
    members = {"accountant": office.accountant.token, "cashier": office.cashier.token}
    with Insisting(buyers, pool, "moment") as sales:
        sales.wait_for(STEP, 0.0)
        _seal(office, digests)
        server.back_up(server, backup)
        sales.wait_for(STEP, time.monotonic())
        moment = _moment(office, server, digests)
        sales.wait_for(STEP, time.monotonic())
        _seal(office, digests.with_suffix(".later"))
    assert sales.put_aside == []
    segment = server.ask("SELECT pg_walfile_name(pg_switch_wal())")
    until(lambda: (backup.parent / "archive" / segment).exists(), "the last segment in the archive")
    server.kill()
    return moment, sales.sales, members


def _seal(office: Office, digests: Path) -> None:
    seal(office.house.sessions, patience=5.0)
    with office.house.engine.connect() as connection:
        keep_digests(connection, digests)


def _moment(office: Office, server: Server, digests: Path) -> Moment:
    _seal(office, digests)
    with office.owner() as session:
        number, sealed_at = session.execute(
            text("SELECT id, sealed_at::text FROM seals ORDER BY id DESC LIMIT 1")
        ).one()
    register = _register(office.accountant, sealed_at)
    before = time.monotonic()
    instant = server.ask("SELECT clock_timestamp()::text")
    lsn = server.ask("SELECT pg_current_wal_insert_lsn()::text")
    return Moment(instant, lsn, before, time.monotonic(), number, sealed_at, register)


def _register(accountant: Member, sealed_at: str) -> bytes:
    answer = accountant.get(REPORT, format="csv", as_of=sealed_at.replace(" ", "T") + ":00")
    assert answer.status_code == 200, answer.text
    return answer.data


def test_a_backup_and_its_archive_come_back_to_a_moment(original: Original, homes: Path | None, tmp_path: Path) -> None:
    """Once by an instant, once by a place in the WAL; each on a server that never was."""
    original.server.run("pg_verifybackup", "--exit-on-error", str(original.backup))
    moment = original.moment
    for name, target in (("time", moment.instant), ("lsn", moment.lsn)):
        restored = _restored(original, tmp_path / name, homes, {f"recovery_target_{name}": target})
        try:
            _stands_as_then(original, urls_on(original.passwords, restored))
        finally:
            restored.erase()


def test_a_backup_that_lost_a_byte_is_not_taken_for_one(original: Original) -> None:
    """What `pg_verifybackup` is asked for before a backup is relied on."""
    table = next(path for path in sorted((original.backup / "base").rglob("*")) if path.stat().st_size > 8192)
    kept = table.read_bytes()
    table.write_bytes(kept[:4000] + bytes((kept[4000] ^ 1,)) + kept[4001:])
    try:
        done = original.server.cluster.lodging.run("pg_verifybackup", str(original.backup))
    finally:
        table.write_bytes(kept)
    assert done.returncode != 0
    assert f'checksum mismatch for file "{table.relative_to(original.backup)}"' in done.stderr


def _restored(original: Original, folder: Path, homes: Path | None, target: dict[str, str]) -> Server:
    """An empty server that is given the backup and told how far to go."""
    settings = {"restore_command": f'cp "{original.archive}/%f" "%p"', "recovery_target_action": "promote", **target}
    server = server_in(folder, homes, original.passwords, settings)
    server.run("/bin/cp", "-a", str(original.backup), str(server.cluster.data))
    server.run("/bin/touch", str(server.cluster.data / "recovery.signal"))
    server.start()
    until(lambda: server.ask("SELECT pg_is_in_recovery()") is False, "a server that has come to the moment")
    return server


def _stands_as_then(original: Original, urls: DatabaseUrls) -> None:
    house = House(OPERATOR, lambda: urls, lambda: KEYS)
    try:
        _has_what_was_answered(original, house)
        _books_and_seals_hold(original, house)
        accountant, cashier = (
            Member(create_app(house).test_client(), original.members[who]) for who in ("accountant", "cashier")
        )
        assert _register(accountant, original.moment.sealed_at) == original.moment.register
        _goes_on(original, house, cashier)
    finally:
        house.engine.dispose()


def _has_what_was_answered(original: Original, house: House) -> None:
    """Every ticket told before the moment, under its number; none that was asked for after it."""
    with house.sessions() as session:
        there = {key: reference for key, reference in session.execute(SOLD)}
    told = {sale.key: sale.ticket for sale in original.sales if sale.told_at < original.moment.before}
    possible = {sale.key: sale.ticket for sale in original.sales if sale.sent_at < original.moment.after}
    assert len(told) >= 2 * STEP and len(possible) <= len(original.sales) - STEP + BUYERS
    assert told.items() <= there.items() <= possible.items()


def _books_and_seals_hold(original: Original, house: House) -> None:
    """Audit and seals find nothing; of the seals made after the moment the digests kept elsewhere know."""
    with transaction(house.sessions) as session:
        session.connection(execution_options={"isolation_level": "REPEATABLE READ"})
        assert audit(session, "BYN") == []
        assert verify(session.connection(), original.digests) == []
        lost = verify(session.connection(), original.digests.with_suffix(".later"))
    assert lost and {finding.fault for finding in lost} == {Fault.CUT_OFF}
    assert min(finding.id or 0 for finding in lost) == original.moment.seal + 1


def _goes_on(original: Original, house: House, cashier: Member) -> None:
    """A bet is taken, its number above all before, and sealed by the next seal of the chain."""
    with house.sessions() as session:
        last = session.scalar(text("SELECT max(id) FROM tickets"))
    bet = {"pool": original.sales[0].pool, "outcome": "X", "stake": "5.00"}
    answer = cashier.post("/pool-bets", bet, "moment-restored")
    assert answer.status_code == 201, answer.text
    assert answer.json["number"] > last
    report = seal(house.sessions)
    assert (report.seals[0].number, report.unfinished) == (original.moment.seal + 1, ())
    with house.sessions() as session:
        assert verify(session.connection(), original.digests) == []
        assert session.scalar(UNSEALED) == 0
