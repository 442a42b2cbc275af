"""What a connection keeps prepared, and when it forgets it."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest
from sqlalchemy import Connection, text
from sqlalchemy.exc import DataError, InternalError, NotSupportedError, OperationalError

from db.engines import engine_for
from db.urls import DatabaseUrls, conninfo

ASKED = text("SELECT * FROM kept ORDER BY 1")
PREPARED = text("SELECT count(*) FROM pg_prepared_statements WHERE statement = 'SELECT * FROM kept ORDER BY 1'")
ENOUGH_TO_PREPARE = 6


@pytest.fixture
def connection(fresh_database: DatabaseUrls) -> Iterator[Connection]:
    """A connection on which a statement is prepared, its transaction rolled back."""
    as_owner(fresh_database, "CREATE TABLE kept (id int)")
    as_owner(fresh_database, "INSERT INTO kept VALUES (1)")
    engine = engine_for(fresh_database.owner, pool_size=1)
    with engine.connect() as connection:
        for _ in range(ENOUGH_TO_PREPARE):
            connection.execute(ASKED)
        connection.rollback()
        yield connection
    engine.dispose()


def as_owner(database: DatabaseUrls, statement: str) -> None:
    """Do this on a connection of one's own."""
    with psycopg.connect(conninfo(database.owner), autocommit=True) as beside:
        beside.execute(statement)


def test_what_is_prepared_outlives_a_transaction_that_was_given_up(connection: Connection) -> None:
    assert connection.scalar(PREPARED) == 1


def test_a_transaction_that_was_given_up_is_undone_as_ever(connection: Connection) -> None:
    connection.execute(text("INSERT INTO kept VALUES (2)"))
    assert len(connection.execute(ASKED).all()) == 2
    connection.rollback()
    assert len(connection.execute(ASKED).all()) == 1


def test_a_transaction_that_failed_unnoticed_is_not_taken_for_committed(connection: Connection) -> None:
    """PostgreSQL answers such a COMMIT by rolling back, and not a word of it reaches the driver."""
    connection.execute(text("INSERT INTO kept VALUES (2)"))
    with pytest.raises(DataError):
        connection.execute(text("SELECT 1 / 0"))
    with pytest.raises(InternalError, match="not committed"):
        connection.commit()
    connection.rollback()
    assert connection.execute(ASKED).all() == [(1,)]


def test_after_an_error_everything_is_prepared_anew(connection: Connection, fresh_database: DatabaseUrls) -> None:
    """A migration has changed the form of a result: one request meets that, and none after it."""
    as_owner(fresh_database, "ALTER TABLE kept ADD COLUMN name text")
    with pytest.raises(NotSupportedError, match="cached plan must not change result type"):
        connection.execute(ASKED)
    connection.rollback()
    assert connection.execute(ASKED).one() == (1, None)


def test_a_connection_that_is_lost_is_made_anew(connection: Connection, fresh_database: DatabaseUrls) -> None:
    ours = connection.scalar(text("SELECT pg_backend_pid()"))
    as_owner(fresh_database, f"SELECT pg_terminate_backend({ours}, 5000)")
    with pytest.raises(OperationalError):
        connection.execute(ASKED)
    connection.rollback()
    assert connection.execute(ASKED).one() == (1,), "on a connection made anew"
