"""Digests kept outside: they name what no look inside the database can find."""

from pathlib import Path

import pytest
from sqlalchemy import Connection

from ledger.seals.findings import Fault, Finding
from ledger.seals.outside import DigestFileError, keep_digests
from ledger.seals.sealing import seal
from ledger.seals.verify import verify
from tests.ledger.bookings import sell
from tests.ledger.conftest import House
from tests.ledger.seals.tampering import tamper

CHAIN = ("balance_checkpoints", "seal_contents", "seals")
SEALS = 5


@pytest.fixture
def kept(house: House, tmp_path: Path) -> Path:
    """Five seals, each over one more stake, and the file that was kept of them."""
    path = tmp_path / "digests"
    for amount in range(1, SEALS + 1):
        with house.sessions.begin() as session:
            sell(session, amount * 100)
        seal(house.sessions)
        with house.app.connect() as connection:
            assert keep_digests(connection, path) == 1
    return path


def findings(house: House, digests: Path | None) -> list[Finding]:
    with house.app.connect() as connection:
        return verify(connection, digests)


def remove(owner: Connection, table: str, condition: str) -> None:
    tamper(owner, table, f"DELETE FROM {table} WHERE {condition}")


def test_an_honest_chain_agrees(house: House, kept: Path) -> None:
    assert findings(house, kept) == []
    numbers = [line.split()[0] for line in kept.read_text().splitlines()]
    assert numbers == ["1", "2", "3", "4", "5"]


def test_the_last_three_seals_removed_with_their_rows(house: House, kept: Path) -> None:
    with house.owner.begin() as owner:
        for table in CHAIN[:2]:
            remove(owner, table, "seal_id > 2")
        remove(owner, "seals", "id > 2")
        remove(owner, "transfers", "id > 2")
    assert findings(house, None) == []
    assert findings(house, kept) == [Finding(Fault.CUT_OFF, "seals", number, number) for number in (3, 4, 5)]


def test_the_chain_rebuilt_after_a_change(house: House, kept: Path) -> None:
    with house.owner.begin() as owner:
        tamper(owner, "transfers", "UPDATE transfers SET amount = amount + 1 WHERE id = 3")
        for table in CHAIN:
            remove(owner, table, "true")
    assert [written.number for written in seal(house.sessions, block_rows=1).seals][:SEALS] == [1, 2, 3, 4, 5]
    assert findings(house, None) == []
    assert findings(house, kept) == [Finding(Fault.REBUILT, "seals", number, number) for number in range(1, SEALS + 1)]


def test_a_chain_rebuilt_from_the_changed_row_on(house: House, kept: Path) -> None:
    with house.owner.begin() as owner:
        tamper(owner, "transfers", "UPDATE transfers SET amount = amount + 1 WHERE id = 4")
        for table in CHAIN[:2]:
            remove(owner, table, "seal_id > 3")
        remove(owner, "seals", "id > 3")
    seal(house.sessions, block_rows=1)
    assert findings(house, None) == []
    assert findings(house, kept) == [Finding(Fault.REBUILT, "seals", number, number) for number in (4, 5)]


def test_a_line_that_a_crash_prevented_is_made_up_for(house: House, kept: Path) -> None:
    whole = kept.read_text()
    kept.write_text("".join(whole.splitlines(keepends=True)[:3]))
    with house.app.connect() as connection:
        assert keep_digests(connection, kept) == 2
        assert keep_digests(connection, kept) == 0
    assert kept.read_text() == whole


def test_what_was_kept_stands_though_the_chain_was_cut_off(house: House, kept: Path) -> None:
    whole = kept.read_text()
    with house.owner.begin() as owner:
        for table in CHAIN[:2]:
            remove(owner, table, "seal_id > 2")
        remove(owner, "seals", "id > 2")
    with house.app.connect() as connection:
        assert keep_digests(connection, kept) == 0
    assert kept.read_text() == whole


def test_a_damaged_file_is_no_finding_about_the_database(house: House, kept: Path) -> None:
    kept.write_text(kept.read_text() + "6 not-a-hash\n")
    with pytest.raises(DigestFileError, match="6 not-a-hash"):
        findings(house, kept)
