"""Totals after a dump that was taken while one bet was not committed yet: right at once, and kept on from there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from api.house import House
from db.binaries import run_tool
from db.embedded import EmbeddedServer
from db.session import transaction
from db.urls import DatabaseUrls, parts
from ledger.seals.sealing import seal
from ledger.seals.verify import verify
from tests.databases import create_database, drop_database
from tests.office import KEYS, OPERATOR, Office
from tests.tote.selling import added_up, cancel, cashier_of, sell, totals
from tote.checkpoints import keep_totals

pytestmark = pytest.mark.prove


@pytest.fixture
def elsewhere(server: EmbeddedServer) -> Iterator[DatabaseUrls]:
    """An empty database to restore into."""
    urls = create_database(server)
    try:
        yield urls
    finally:
        drop_database(urls)


def keep(office: Office) -> int:
    """Seal, and keep totals of all that was sealed."""
    seal(office.house.sessions, patience=0.0)
    return keep_totals(office.house.sessions, longest_tail=1)


def test_what_was_kept_holds_in_a_restored_database(
    database: DatabaseUrls, elsewhere: DatabaseUrls, tmp_path: Path
) -> None:
    """10.00 and 4.00 are kept, 4.00 cancelled, 2.00 behind them; 1.00 is drawn before the dump and commits after it."""
    office = Office(database)
    office.pool()
    cashier, archive = cashier_of(office), tmp_path / "dump"
    with transaction(office.house.sessions) as session:
        sell(office, session, cashier, "P1", "1", 10_00)
        gone = sell(office, session, cashier, "P1", "1", 4_00)
    assert keep(office) == 1
    with office.house.sessions() as late:
        sell(office, late, cashier, "P1", "1", 1_00)
        with transaction(office.house.sessions) as session:
            sell(office, session, cashier, "P1", "1", 2_00)
            cancel(session, gone)
        run_tool("pg_dump", "--format=custom", f"--file={archive}", url=database.owner)
        late.commit()
    with office.house.sessions() as session:
        assert totals(session, "P1") == {"1": (3, 13_00)}
    office.close()
    _restored(elsewhere, archive)


def _restored(elsewhere: DatabaseUrls, archive: Path) -> None:
    """Restore as the administrator does, then sell, seal and keep there."""
    assert elsewhere.admin is not None
    into = f"--dbname={parts(elsewhere.app)['dbname']}"
    run_tool("pg_restore", "--clean", "--if-exists", "--exit-on-error", into, str(archive), url=elsewhere.admin)
    house = House(OPERATOR, lambda: elsewhere, lambda: KEYS)
    with house.sessions() as session:
        assert totals(session, "P1") == {"1": (2, 12_00)} == added_up(session, "P1")
    seal(house.sessions)
    assert keep_totals(house.sessions, longest_tail=1) == 1
    with house.sessions() as session:
        assert totals(session, "P1") == {"1": (2, 12_00)} == added_up(session, "P1")
        assert verify(session.connection()) == []
    house.engine.dispose()
