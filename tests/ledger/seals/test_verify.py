"""Verifying: whatever the owner changes behind the guards' back is named."""

from collections.abc import Callable, Iterator, Mapping, Sequence

import pytest
from sqlalchemy import Connection, text

from db.embedded import EmbeddedServer
from ledger.seals.canonical import quoted
from ledger.seals.findings import Fault, Finding
from ledger.seals.models import append_only_tables, sealed_tables
from ledger.seals.sealing import seal
from ledger.seals.verify import verify
from tests.ledger.bookings import sell
from tests.ledger.conftest import House, opened
from tests.ledger.seals.tampering import change, fill, may_be_empty, swap, tamper, unconstrain

ROWS = 4
CHAIN_FAULTS = {Fault.LINK_BROKEN, Fault.SEAL_CHANGED, Fault.CONTENTS_CHANGED}


@pytest.fixture(scope="module")
def filled(server: EmbeddedServer, migrated_template: str) -> Iterator[House]:
    """A database with rows in every sealed table and two seals over them; its constraints are gone."""
    for house in opened(server, migrated_template):
        with house.owner.begin() as owner:
            unconstrain(owner)
        for _ in range(2):
            with house.owner.begin() as owner:
                fill(owner, ROWS)
            seal(house.sessions)
        yield house


@pytest.fixture
def owner(filled: House) -> Iterator[Connection]:
    """What a test changes here is rolled back after it."""
    with filled.owner.connect() as connection:
        yield connection


Told = tuple[Fault, int | None, int | None]
"""Fault, id of the row and seal of a finding."""


def about_rows(connection: Connection, changes: Mapping[str, Sequence[str]]) -> dict[str, list[Told]]:
    """Tamper with tables, all at once, verify, take it back: what is found in each table, as it is told in order.

    Balances at seals follow from changed transfers and are left out. Nothing may be found in a table left alone.
    """
    with connection.begin_nested() as attempt:
        for table, statements in changes.items():
            tamper(connection, table, *statements)
        found = [one for one in verify(connection, limit=10_000) if one.fault is not Fault.CHECKPOINT_WRONG]
        attempt.rollback()
    told: dict[str, list[Told]] = {table: [] for table in changes}
    for one in found:
        told[one.table].append((one.fault, one.id, one.seal))
    return told


def of_every(connection: Connection, changes: Callable[[str], str]) -> set[tuple[Told, ...]]:
    """What was found in sealed tables when each was changed alike."""
    found = about_rows(connection, {table: [changes(table)] for table in sealed_tables(connection)})
    return set(map(tuple, found.values()))


def test_nothing_is_found_where_nothing_was_changed(owner: Connection) -> None:
    assert verify(owner) == []
    counted = owner.execute(text("SELECT table_name, count(*) FROM seal_contents GROUP BY 1")).all()
    assert {table: seals for table, seals in counted} == dict.fromkeys(sealed_tables(owner), 2)


def test_one_value_changed_in_any_column_of_any_table(owner: Connection) -> None:
    """Of each table one column at a time: of what may be left out, row 2 has nothing, and row 1 has its value taken."""
    columns = {table: sorted(types.keys() - {"id"}) for table, types in sealed_tables(owner).items()}
    missed = []
    for at in range(max(map(len, columns.values()))):
        now = {table: names[at] for table, names in columns.items() if at < len(names)}
        changes = {table: _changes(table, column, sealed_tables(owner)[table][column]) for table, column in now.items()}
        found = about_rows(owner, {table: list(rows.values()) for table, rows in changes.items()})
        for table, rows in changes.items():
            if found[table] != [(Fault.CHANGED, row, 1) for row in sorted(rows)]:
                missed.append((table, now[table], found[table]))
    assert missed == []


def _changes(table: str, column: str, kind: str) -> dict[int, str]:
    changes = {3: change(table, column, kind, 3)}
    if may_be_empty(table, column):
        changes[2] = change(table, column, kind, 2)
        changes[1] = f"UPDATE {table} SET {quoted(column)} = NULL WHERE id = 1"
    return changes


def test_an_id_changed_in_any_table(owner: Connection) -> None:
    assert of_every(owner, "UPDATE {} SET id = 0 WHERE id = 3".format) == {
        ((Fault.INSERTED, 0, 1), (Fault.REMOVED, 3, 1))
    }
    assert of_every(owner, "UPDATE {} SET id = 7000 WHERE id = 3".format) == {
        ((Fault.REMOVED, 3, 1), (Fault.INSERTED, 7000, None))
    }


def test_a_row_removed_from_any_table(owner: Connection) -> None:
    assert of_every(owner, "DELETE FROM {} WHERE id = 4".format) == {((Fault.REMOVED, 4, 1),)}


def test_two_rows_swapped_in_any_table(owner: Connection) -> None:
    assert of_every(owner, lambda table: swap(table, 1, 3)) == {((Fault.CHANGED, 1, 1), (Fault.CHANGED, 3, 1))}


def test_a_row_written_a_second_time(owner: Connection) -> None:
    again = "INSERT INTO tickets SELECT * FROM tickets WHERE id = 2"
    assert about_rows(owner, {"tickets": [again]}) == {"tickets": [(Fault.INSERTED, 2, 1)]}


def test_rows_of_two_seals_swapped(owner: Connection) -> None:
    found = about_rows(owner, {"tickets": [swap("tickets", 1, 5)]})
    assert found == {"tickets": [(Fault.CHANGED, 1, 1), (Fault.CHANGED, 5, 2)]}


def test_a_row_inserted_under_what_is_closed(house: House) -> None:
    with house.sessions() as session:
        sell(session, 100)  # takes the ids and gives none of the rows
        session.rollback()
    with house.sessions.begin() as session:
        sell(session, 100)
    seal(house.sessions)
    with house.sessions.begin() as session:
        session.execute(text("INSERT INTO accounts OVERRIDING SYSTEM VALUE VALUES (1, now(), 'pool', 'pool:9', 'BYN')"))
    with house.app.connect() as connection:
        assert verify(connection) == [Finding(Fault.INSERTED, "accounts", 1, 1)]
    assert seal(house.sessions).seals == ()


def test_a_row_inserted_above_all_ids_given(house: House) -> None:
    with house.sessions.begin() as session:
        session.execute(text("INSERT INTO accounts OVERRIDING SYSTEM VALUE VALUES (9, now(), 'pool', 'pool:9', 'BYN')"))
    with house.app.connect() as connection:
        assert verify(connection) == [Finding(Fault.INSERTED, "accounts", 9)]


@pytest.mark.parametrize("table", ["seals", "seal_contents"])
def test_one_value_changed_in_any_column_of_the_chain(owner: Connection, table: str) -> None:
    for column, kind in append_only_tables(owner)[table].items():
        with owner.begin_nested() as attempt:
            tamper(owner, table, change(table, column, kind, 1))
            found = [one for one in verify(owner) if one.fault in CHAIN_FAULTS]
            attempt.rollback()
        assert found, f"{table}.{column}"
        assert found[0].table == "seals"


def test_a_link_taken_out(owner: Connection) -> None:
    tamper(owner, "seals", "DELETE FROM seals WHERE id = 1")
    assert verify(owner)[0] == Finding(Fault.LINK_BROKEN, "seals", 2, 2)


def test_a_wrong_balance_that_was_sealed_is_found_by_the_transfers(house: House) -> None:
    with house.sessions.begin() as session:
        sell(session, 100)
    with house.owner.begin() as owner:
        owner.execute(
            text(
                "CREATE FUNCTION skew() RETURNS trigger LANGUAGE plpgsql AS "
                "'BEGIN NEW.balance := NEW.balance + 1; RETURN NEW; END'"
            )
        )
        owner.execute(
            text("CREATE TRIGGER skew BEFORE INSERT ON balance_checkpoints FOR EACH ROW EXECUTE FUNCTION skew()")
        )
    seal(house.sessions)
    with house.app.connect() as connection:
        assert verify(connection) == [
            Finding(Fault.CHECKPOINT_WRONG, "balance_checkpoints", account, 1) for account in (1, 2)
        ]


def test_a_sealed_column_dropped(owner: Connection) -> None:
    owner.execute(text("ALTER TABLE desks DROP COLUMN place"))
    assert verify(owner) == [Finding(Fault.UNREADABLE, "desks", None, seal_) for seal_ in (1, 2)]


def test_a_table_that_lost_its_sequence(owner: Connection) -> None:
    owner.execute(text("ALTER TABLE desks ALTER COLUMN id DROP IDENTITY"))
    assert verify(owner) == [Finding(Fault.UNREADABLE, "desks")]


def test_a_table_rewritten_as_a_whole_is_not_listed_to_its_end(owner: Connection) -> None:
    tamper(owner, "tickets", "UPDATE tickets SET stake = stake + 1")
    assert [one.id for one in verify(owner, limit=3)] == [1, 2, 3]


@pytest.mark.parametrize(
    "setting",
    ["TimeZone = 'Asia/Tokyo'", "DateStyle = 'SQL, DMY'", "bytea_output = 'escape'", "IntervalStyle = 'iso_8601'"],
)
def test_what_a_session_sets_is_no_finding(owner: Connection, setting: str) -> None:
    owner.execute(text(f"SET LOCAL {setting}"))
    assert verify(owner) == []
