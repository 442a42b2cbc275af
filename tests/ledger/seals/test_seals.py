"""Sealing: which rows a seal takes in and which it leaves for the next one."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import psycopg
import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import IntegrityError

from db.urls import conninfo
from ledger.seals import finality
from ledger.seals.blocks import Block
from ledger.seals.canonical import UnsealableError
from ledger.seals.models import GENESIS, Seal, SealContent, sealed_tables
from ledger.seals.sealing import seal
from ledger.seals.verify import verify
from tests.ledger.bookings import book, cash, pool, sell
from tests.ledger.conftest import House

OPEN_ACCOUNT = "INSERT INTO accounts (kind, subject, currency) VALUES ('pool', %s, 'BYN')"


def sealed_ids(house: House, table: str) -> list[list[tuple[int, int]]]:
    """The stretches of ids that each seal holds of a table, in the order of seals; ends exclusive."""
    with house.sessions() as session:
        held = session.scalars(select(SealContent.ids).filter_by(table_name=table).order_by(SealContent.seal_id))
        return [[(stretch.lower, stretch.upper) for stretch in ids] for ids in held]


def faults(house: House) -> list[object]:
    with house.app.connect() as connection:
        return list(verify(connection))


def test_the_first_seal_takes_in_what_the_migrations_wrote_and_there_is_no_empty_one(house: House) -> None:
    first = seal(house.sessions)
    assert [(written.number, written.rows) for written in first.seals] == [(1, 15)]  # the fifteen lines of the chart
    assert seal(house.sessions).seals == ()
    assert faults(house) == []


def test_seals_are_numbered_without_gaps_and_each_names_the_one_before(house: House) -> None:
    for amount in (100, 200, 300):
        with house.sessions.begin() as session:
            sell(session, amount)
        seal(house.sessions)
    with house.sessions() as session:
        chain = session.scalars(select(Seal).order_by(Seal.id)).all()
    assert [link.id for link in chain] == [1, 2, 3]
    assert [link.previous_hash for link in chain] == [GENESIS, chain[0].hash, chain[1].hash]


def test_an_id_lost_to_a_rollback_is_no_part_of_the_seal(house: House) -> None:
    with house.sessions.begin() as session:
        sell(session, 100)
    with house.sessions() as session:
        sell(session, 200)
        session.rollback()
    with house.sessions.begin() as session:
        sell(session, 300)
    seal(house.sessions)
    assert sealed_ids(house, "transfers") == [[(1, 2), (3, 4)]]
    assert faults(house) == []


def test_an_early_id_that_commits_late_is_sealed_later(house: House) -> None:
    with house.sessions.begin() as session:
        cash(session), pool(session)
    early = house.sessions()
    sell(early, 100)
    with house.sessions.begin() as session:
        sell(session, 200)
    report = seal(house.sessions, patience=0.1)
    # The accounts are locked as well: opening one that exists tries an insert, which draws an id.
    assert report.unfinished == ("accounts", "transfers")
    assert sealed_ids(house, "transfers") == []
    early.commit()
    early.close()
    assert seal(house.sessions).unfinished == ()
    assert sealed_ids(house, "transfers") == [[(1, 3)]]
    assert faults(house) == []


def test_whoever_ends_within_the_patience_is_waited_for(house: House) -> None:
    with house.sessions.begin() as session:
        cash(session), pool(session)
    early = house.sessions()
    sell(early, 100)
    with ThreadPoolExecutor(1) as background:
        sealing = background.submit(seal, house.sessions, patience=20)
        with pytest.raises(TimeoutError):
            sealing.result(timeout=0.5)
        # A writer who comes later is not waited for.
        late = house.sessions()
        sell(late, 200)
        early.commit()
        report = sealing.result(timeout=10)
        late.rollback()
        late.close()
        early.close()
    assert report.unfinished == ()
    assert sealed_ids(house, "transfers") == [[(1, 2)]]


def test_a_writer_between_the_two_readings_loses_no_row(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    with house.sessions.begin() as session:
        accounts = cash(session), pool(session)
    between = house.sessions()
    written: list[int] = []

    def then_write(reading: Callable[..., Any]) -> Callable[..., Any]:
        def read(*arguments: Any) -> Any:
            found = reading(*arguments)
            if not written:
                written.extend(book(between, *accounts, 100))
                with house.sessions.begin() as session:
                    written.extend(book(session, *accounts, 200))
            return found

        return read

    # Whichever of the two comes first, somebody begins to write right behind it, and one behind him is done at once.
    for reading in ("next_ids", "_writers"):
        monkeypatch.setattr(finality, reading, then_write(getattr(finality, reading)))
    seal(house.sessions, patience=0)
    assert written == [1, 2]
    between.commit()
    between.close()
    seal(house.sessions)
    assert sealed_ids(house, "transfers") == [[(1, 3)]]
    assert faults(house) == []


@contextmanager
def writing_by_copy(connection: psycopg.Connection) -> Iterator[None]:
    with connection.cursor().copy("COPY accounts (kind, subject, currency) FROM STDIN") as copy:
        copy.write_row(("pool", "pool:1", "BYN"))
        yield


@contextmanager
def writing_by_a_kept_plan(connection: psycopg.Connection) -> Iterator[None]:
    for number in range(8):
        connection.execute(OPEN_ACCOUNT, (f"pool:{number}",), prepare=True)
        connection.rollback()
    connection.execute(OPEN_ACCOUNT, ("pool:9",), prepare=True)
    yield


@contextmanager
def writing_in_a_savepoint(connection: psycopg.Connection) -> Iterator[None]:
    with connection.transaction(), connection.transaction():
        connection.execute(OPEN_ACCOUNT, ("pool:1",))
        yield


@pytest.mark.parametrize("writing", [writing_by_copy, writing_by_a_kept_plan, writing_in_a_savepoint])
def test_every_way_of_writing_is_seen(
    house: House, writing: Callable[[psycopg.Connection], AbstractContextManager[None]]
) -> None:
    with psycopg.connect(conninfo(house.urls.app)) as connection:
        with writing(connection):
            assert seal(house.sessions, patience=0).unfinished == ("accounts",)
        connection.commit()
    assert seal(house.sessions, patience=0).unfinished == ()
    assert len(sealed_ids(house, "accounts")) == 1


def test_a_writer_in_a_partition_is_seen_and_its_rows_are_sealed_with_the_whole(house: House) -> None:
    with house.owner.begin() as owner:
        for statement in (
            "CREATE TABLE days (id bigint GENERATED ALWAYS AS IDENTITY, day date) PARTITION BY RANGE (day)",
            "SELECT guard_fact('days')",
            "CREATE TABLE days_2022 PARTITION OF days FOR VALUES FROM ('2022-01-01') TO ('2023-01-01')",
        ):
            owner.execute(text(statement))
    with house.owner.connect() as owner:
        owner.execute(text("INSERT INTO days_2022 (day) VALUES ('2022-11-20')"))
        assert seal(house.sessions, patience=0).unfinished == ("days",)
        owner.commit()
    seal(house.sessions)
    assert sealed_ids(house, "days") == [[(1, 2)]]


def test_a_row_that_points_at_a_table_does_not_keep_it_open(house: House) -> None:
    with house.sessions.begin() as session:
        accounts = cash(session), pool(session)
    with psycopg.connect(conninfo(house.urls.app)) as connection:
        connection.execute(
            "INSERT INTO transfers"
            " (debit_account_id, credit_account_id, amount, currency, kind, occurred_at, booked_on)"
            " VALUES (%s, %s, 100, 'BYN', 'stake', now(), now())",
            accounts,
        )
        assert seal(house.sessions, patience=0).unfinished == ("transfers",)
        connection.rollback()


def test_a_seal_in_the_making_stops_no_writer(house: House) -> None:
    with house.sessions.begin() as session:
        sell(session, 100)
    with house.sessions() as sealing, house.sessions.begin() as selling:
        tables = sealed_tables(sealing.connection())
        block = Block.after_last(sealing.connection())
        for table, types in tables.items():
            block.cover(table, types, 1_000)
        selling.execute(text("SET LOCAL lock_timeout = '100ms'"))
        sell(selling, 200)


def test_a_backlog_is_sealed_in_blocks(house: House) -> None:
    seal(house.sessions)
    with house.sessions.begin() as session:
        sell(session, 1, 2, 3, 4, 5, 6, 7)
    # Of the seven transfers, and of the two accounts in the first block; a checkpoint for each account in each.
    assert [written.rows for written in seal(house.sessions, block_rows=3).seals] == [3 + 2 + 2, 3 + 2, 1 + 2]
    assert sealed_ids(house, "transfers") == [[(1, 4)], [(4, 7)], [(7, 8)]]
    assert faults(house) == []


def test_two_who_seal_at_once_make_one_chain(house: House) -> None:
    with house.sessions.begin() as session:
        sell(session, *range(1, 40))
    with ThreadPoolExecutor(4) as pool_of_threads:
        running = [pool_of_threads.submit(seal, house.sessions, block_rows=2) for _ in range(4)]
        numbers = sorted(written.number for one in running for written in one.result().seals)
    assert numbers == list(range(1, 21))
    assert faults(house) == []


def test_the_database_refuses_to_seal_a_row_twice(house: House) -> None:
    seal(house.sessions)
    twice = text(
        "INSERT INTO seal_contents (seal_id, table_name, columns, ids, count, digest, closed_below, row_marks) "
        "SELECT seal_id, table_name, columns, '{[5,6)}', 1, digest, 99, row_marks FROM seal_contents"
    )
    with pytest.raises(IntegrityError, match="ex_seal_contents_sealed_once"), house.sessions.begin() as session:
        session.execute(twice)


def test_a_column_added_later_leaves_old_seals_alone(house: House) -> None:
    with house.sessions.begin() as session:
        sell(session, 100)
    seal(house.sessions)
    with house.owner.begin() as owner:
        owner.execute(text("ALTER TABLE transfers ADD COLUMN note text NOT NULL DEFAULT 'none'"))
    with house.sessions.begin() as session:
        sell(session, 200)
    seal(house.sessions)
    assert faults(house) == []


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ("ALTER SEQUENCE accounts_id_seq CACHE 10", "one by one"),
        ("ALTER TABLE accounts ALTER COLUMN id DROP IDENTITY", "one by one"),
        ("ALTER TABLE accounts ADD COLUMN weight double precision", "no canonical form"),
    ],
)
def test_a_table_that_cannot_be_sealed_is_no_secret(house: House, change: str, complaint: str) -> None:
    with house.owner.begin() as owner:
        owner.execute(text(change))
    with pytest.raises(UnsealableError, match=complaint):
        seal(house.sessions)
