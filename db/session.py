"""Sessions. Acts take a session and never commit; a request or a command owns the transaction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from sqlalchemy import CursorResult, Engine, Executable, func, select, text
from sqlalchemy.orm import Session, sessionmaker

from db.engines import engine_beside

Sessions = sessionmaker[Session]
DIRECT = "direct"
"""Where sessions keep the address that leads to the server itself, if their own engine goes through a pooler."""

EACH_BY_ITSELF = text("SET LOCAL plan_cache_mode = force_custom_plan")


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


def plan_each_by_itself(session: Session) -> None:
    """Have what is asked in this transaction planned each time by the very values it is asked with.

    For lists and reports, which read a few rows or a whole table as they are asked. A prepared statement outlives the
    request (:mod:`db.connection`), and after some repeats PostgreSQL plans it once for any values, without knowing how
    many rows they leave.
    """
    session.execute(EACH_BY_ITSELF)


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
