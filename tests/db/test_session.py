"""How connections are made: when a server that is gone is given up, and what must not be left to a pooler."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest
from sqlalchemy import Engine

from db.engines import engine_beside, engine_for, engine_through_pooler, lasting_conninfo
from db.errors import SetupError
from db.urls import DatabaseUrls


@contextmanager
def line_of(connection: psycopg.Connection[object]) -> Iterator[socket.socket]:
    """The line itself that a connection uses, for the system's word on it."""
    with socket.socket(fileno=os.dup(connection.fileno())) as line:
        yield line


def given_up_after(connection: psycopg.Connection[object]) -> tuple[int, ...]:
    """When what was sent is given up unanswered (milliseconds), and a line that says nothing (idle, each, times)."""
    options = (socket.TCP_USER_TIMEOUT, socket.TCP_KEEPIDLE, socket.TCP_KEEPINTVL, socket.TCP_KEEPCNT)
    with line_of(connection) as line:
        return tuple(line.getsockopt(socket.IPPROTO_TCP, option) for option in options)


def of_engine(engine: Engine) -> tuple[int, ...]:
    with engine.connect() as connection:
        found = given_up_after(connection.connection.dbapi_connection)
    engine.dispose()
    return found


def test_a_server_that_is_gone_without_a_word_is_given_up_in_seconds(fresh_database: DatabaseUrls) -> None:
    """Its machine is off: nobody says so, and Linux by itself would wait for a quarter of an hour."""
    url = fresh_database.app
    with psycopg.connect(lasting_conninfo(url)) as of_the_queue:
        assert given_up_after(of_the_queue) == (10_000, 5, 2, 3)
    for engine in (engine_for(url, pool_size=1), engine_beside(url), engine_through_pooler(url, pool_size=1)):
        assert of_engine(engine) == (10_000, 5, 2, 3)


def test_how_long_is_waited_is_the_addresss_to_say(fresh_database: DatabaseUrls) -> None:
    url = f"{fresh_database.app}?tcp_user_timeout=3000"
    assert of_engine(engine_for(url, pool_size=1)) == (3_000, 5, 2, 3)
    with psycopg.connect(lasting_conninfo(url)) as of_the_queue:
        assert given_up_after(of_the_queue) == (3_000, 5, 2, 3)


def test_a_pooler_whose_sessions_keep_another_zone_is_refused(fresh_database: DatabaseUrls) -> None:
    with engine_through_pooler(fresh_database.app, pool_size=1).connect() as connection:
        assert connection.exec_driver_sql("SHOW timezone").scalar_one() == "UTC"
    other = engine_through_pooler(f"{fresh_database.app}?options=-c%20timezone%3DAsia/Qatar", pool_size=1)
    with pytest.raises(SetupError, match="keep Asia/Qatar: set timezone=UTC"):
        other.connect()
