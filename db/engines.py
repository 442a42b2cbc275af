"""Engines: how the database is reached, and when a server is given up."""

from __future__ import annotations

import math
import time
from typing import Any

import psycopg
from psycopg.conninfo import make_conninfo
from psycopg.errors import ReadOnlySqlTransaction
from sqlalchemy import URL, Dialect, Engine, ExceptionContext, create_engine, event, make_url
from sqlalchemy.exc import InvalidatePoolError, OperationalError
from sqlalchemy.pool import ConnectionPoolEntry, NullPool

from db.connection import Connection
from db.errors import SetupError
from db.urls import parts, sqlalchemy_url

GIVEN_UP = {
    "connect_timeout": 5,
    "tcp_user_timeout": 10_000,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
}
"""When a server whose machine is gone without a word is given up (seconds; ``tcp_user_timeout`` in milliseconds).

Left to itself Linux waits a quarter of an hour for an answer and psycopg two minutes for a connection, and as long a
thread would serve nobody. A server that is alive and takes its time is waited for. What an address says goes before.
"""
RESTED = 2.0
"""Seconds after which a connection is looked at before it is used again: under load none rests so long."""
MADE_ANEW = 600
"""Seconds after which a connection is made anew when it is next asked for: its process at the server keeps whatever
memory its largest statement took, and what it prepared, until it ends."""
RESTS_SINCE = "rests_since"
PROBE_PATIENCE = 2
"""Seconds after which a look at the database is given up."""


def engine_for(url: str, *, pool_size: int = 8, **options: object) -> Engine:
    """An engine on psycopg 3 whose sessions keep UTC.

    ``pool_size`` should be the number of threads of the process: a thread holds at most one connection, so a larger
    pool is never used and a smaller one makes threads wait. Whatever connection breaks, or turns out to be to a server
    that takes no writes (any more), all of the pool are made anew: where the address names several servers, to the one
    that takes them now.
    """
    address = make_url(sqlalchemy_url(url))
    return _pooling(address, pool_size, _ours(address), **options)


def engine_through_pooler(url: str, *, pool_size: int = 8) -> Engine:
    """An engine as `engine_for`, for an address behind which PgBouncer pools transactions.

    The next transaction may run on another connection of the server's: nothing is prepared on one, and no options are
    sent with the start, which PgBouncer refuses. That sessions keep UTC is then the pooler's to see to.

    Raises:
        SetupError: on connecting, if they do not.
    """
    address = make_url(sqlalchemy_url(url))
    engine = _pooling(address, pool_size, {**_patience(address), "prepare_threshold": None})
    event.listen(engine, "connect", _refuse_another_zone)
    return engine


def _pooling(address: URL, pool_size: int, connecting: dict[str, Any], **options: object) -> Engine:
    engine = create_engine(
        address,
        pool_size=pool_size,
        max_overflow=0,
        pool_timeout=5,
        pool_recycle=MADE_ANEW,
        # An error names its statement, never what a person or a ticket sent into it (FIELD-FAULTS 117).
        hide_parameters=True,
        connect_args={**connecting, "application_name": "totalizator"},
        **options,
    )
    event.listen(engine, "do_connect", _connected)
    event.listen(engine, "handle_error", _leave_if_read_only)
    event.listen(engine, "checkin", _begin_rest)
    event.listen(engine, "checkout", _look_after_rest)
    return engine


def _connected(_dialect: Dialect, _record: object, arguments: Any, named: dict[str, Any]) -> Connection:
    return Connection.connect(*arguments, **named)


def _begin_rest(_connection: object, record: ConnectionPoolEntry) -> None:
    record.info[RESTS_SINCE] = time.monotonic()


def _look_after_rest(connection: Connection, record: ConnectionPoolEntry, _proxy: object) -> None:
    """Make the pool anew if the database went away while nobody asked: who comes first in the morning need not know."""
    if time.monotonic() - record.info.get(RESTS_SINCE, math.inf) < RESTED:
        return
    try:
        connection.execute("SELECT 1")
        connection.rollback()
    except psycopg.Error as gone:
        raise InvalidatePoolError from gone


def _refuse_another_zone(connection: Connection, _record: object) -> None:
    zone = connection.info.parameter_status("TimeZone")
    if zone != "UTC":
        raise SetupError(
            f"Sessions of DATABASE_POOLED_URL keep {zone}: set timezone=UTC for the database in pgbouncer.ini."
        )


def engine_beside(url: str | URL) -> Engine:
    """An engine that keeps no connection: for rare looks beside a thread's work, which holds one of the pool's."""
    address = make_url(url if isinstance(url, URL) else sqlalchemy_url(url))
    engine = create_engine(
        address,
        poolclass=NullPool,
        hide_parameters=True,
        connect_args={**_ours(address), "application_name": "totalizator-beside"},
    )
    event.listen(engine, "do_connect", _connected)
    return engine


def lasting_conninfo(url: str) -> str:
    """The address for psycopg, for whoever keeps connections beside ours: what is gone is given up there as well."""
    return make_conninfo(**{**GIVEN_UP, **parts(url)})


def _ours(address: URL) -> dict[str, Any]:
    """What every working connection is made with."""
    return {**_patience(address), "options": "-c timezone=UTC"}


def _patience(address: URL) -> dict[str, Any]:
    return {name: value for name, value in GIVEN_UP.items() if name not in address.query}


def _leave_if_read_only(context: ExceptionContext) -> None:
    """A server that takes no writes is to its users one that is away: the same error, and the pool leaves it."""
    if isinstance(context.original_exception, ReadOnlySqlTransaction):
        context.is_disconnect = True
        raise OperationalError(
            context.statement, None, context.original_exception, hide_parameters=True, connection_invalidated=True
        )


def probe_for(url: str) -> Engine:
    """An engine to look at the database from outside the pool: each connection is made for one look and closed.

    A look that finds nobody, or no answer, gives up after ``PROBE_PATIENCE`` seconds.
    """
    return create_engine(
        sqlalchemy_url(url),
        poolclass=NullPool,
        hide_parameters=True,
        connect_args={
            "options": f"-c timezone=UTC -c statement_timeout={PROBE_PATIENCE}s",
            "connect_timeout": PROBE_PATIENCE,
            "tcp_user_timeout": PROBE_PATIENCE * 1000,
            "application_name": "totalizator-probe",
        },
    )


def probe_through_pooler(url: str) -> Engine:
    """As `probe_for`, for an address behind which PgBouncer pools: how long it waits for a connection is the pooler's
    to say (``query_wait_timeout``)."""
    return create_engine(
        sqlalchemy_url(url),
        poolclass=NullPool,
        hide_parameters=True,
        connect_args={
            "prepare_threshold": None,
            "connect_timeout": PROBE_PATIENCE,
            "tcp_user_timeout": PROBE_PATIENCE * 1000,
            "application_name": "totalizator-probe",
        },
    )
