"""A database that went away and came back while nobody asked is no matter of whoever asks first."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import OperationalError

from db import engines
from db.engines import engine_for
from db.urls import DatabaseUrls, conninfo

OURS = text("SELECT pg_backend_pid()")


@pytest.fixture
def rested(fresh_database: DatabaseUrls) -> Iterator[Engine]:
    """A pool of two connections that both were given back, and then lost."""
    engine = engine_for(fresh_database.owner, pool_size=2)
    with engine.connect() as first, engine.connect() as second:
        lost = [connection.scalar(OURS) for connection in (first, second)]
    with psycopg.connect(conninfo(fresh_database.owner), autocommit=True) as beside:
        for process in lost:
            beside.execute("SELECT pg_terminate_backend(%s, 5000)", (process,))
    yield engine
    engine.dispose()


def test_a_connection_that_was_lost_at_rest_is_made_anew(rested: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "RESTED", 0.0)
    with rested.connect() as first, rested.connect() as second:
        assert first.scalar(OURS) != second.scalar(OURS)


def test_one_that_has_not_rested_is_not_looked_at(rested: Engine) -> None:
    with rested.connect() as connection, pytest.raises(OperationalError):
        connection.scalar(OURS)


def test_a_connection_is_made_anew_after_its_time(
    fresh_database: DatabaseUrls, monkeypatch: pytest.MonkeyPatch
) -> None:
    def processes() -> int:
        """How many processes of the server answer three questions, one after the other."""
        engine, seen = engine_for(fresh_database.owner, pool_size=1), set()
        for _ in range(3):
            with engine.connect() as connection:
                seen.add(connection.scalar(OURS))
        engine.dispose()
        return len(seen)

    assert processes() == 1
    monkeypatch.setattr(engines, "MADE_ANEW", 0)
    assert processes() == 3
