"""Engines and sessions. Acts take a session and never commit; a request or a command owns the transaction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from psycopg.conninfo import make_conninfo
from psycopg.errors import ReadOnlySqlTransaction
from sqlalchemy import (
    URL,
    CursorResult,
    Dialect,
    Engine,
    ExceptionContext,
    Executable,
    create_engine,
    event,
    func,
    make_url,
    select,
)
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session, sessionmaker
from sqlalchemy.pool import NullPool

from db.connection import Connection
from db.errors import SetupError
from db.urls import parts, sqlalchemy_url

Sessions = sessionmaker[Session]
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
PROBE_PATIENCE = 2
"""Seconds after which a look at the database is given up."""
DIRECT = "direct"
"""Where sessions keep the address that leads to the server itself, if their own engine goes through a pooler."""


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
        # An error names its statement, never what a person or a ticket sent into it (FIELD-FAULTS 117).
        hide_parameters=True,
        connect_args={**connecting, "application_name": "totalizator"},
        **options,
    )
    event.listen(engine, "do_connect", _connected)
    event.listen(engine, "handle_error", _leave_if_read_only)
    return engine


def _connected(_dialect: Dialect, _record: object, arguments: Any, named: dict[str, Any]) -> Connection:
    return Connection.connect(*arguments, **named)


def _refuse_another_zone(connection: Connection, _record: object) -> None:
    zone = connection.info.parameter_status("TimeZone")
    if zone != "UTC":
        raise SetupError(
            f"Sessions of DATABASE_POOLED_URL keep {zone}: set timezone=UTC for the database in pgbouncer.ini."
        )


def engine_beside(url: str | URL) -> Engine:
    """An engine that keeps no connection: for rare looks beside a thread's work, which holds one of the pool's."""
    address = make_url(url if isinstance(url, URL) else sqlalchemy_url(url))
    return create_engine(
        address,
        poolclass=NullPool,
        hide_parameters=True,
        connect_args={**_ours(address), "application_name": "totalizator-beside"},
    )


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


def sessions_on(engine: Engine, direct: str | None = None) -> Sessions:
    """A factory of sessions; objects stay readable after a commit, since answers are written from them.

    ``direct`` is the server's own address where the engine goes through a pooler.
    """
    return sessionmaker(engine, expire_on_commit=False, info={DIRECT: direct or engine.url})


@contextmanager
def transaction(sessions: Sessions) -> Iterator[Session]:
    """One transaction: committed when the block ends, rolled back when it raises."""
    with sessions.begin() as session:
        yield session


def rows(session: Session, statement: Executable, parameters: Mapping[str, Any]) -> CursorResult[*tuple[Any, ...]]:
    """Rows of columns, read in the session's transaction past the ORM: of objects it would look for in vain.

    For what every request or every bet asks; elsewhere the session itself is asked.
    """
    return session.connection().execute(statement, parameters)


@contextmanager
def held_alone(sessions: Sessions, lock: int) -> Iterator[bool]:
    """Hold an advisory lock for as long as the block lasts, outside any transaction; whether nobody else has it.

    For work that takes longer than a transaction may stay idle (``IDLE_LIMIT``): the lock is that of a connection of
    its own beside the pool and past any pooler, which rests in no transaction. It is closed at the end, so that the
    lock is let go whatever happens; if the connection dies before, the server lets it go.
    """
    beside = engine_beside(sessions.kw["info"][DIRECT])
    with beside.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        yield bool(connection.scalar(select(func.pg_try_advisory_lock(lock))))
