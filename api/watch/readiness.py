"""Whether this process can serve: the database answers, takes writes, is at the code's revision and real time."""

from __future__ import annotations

import time
from contextlib import ExitStack
from dataclasses import dataclass
from threading import Lock

import structlog
from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import SQLAlchemyError

from db.clock import was_shifted
from db.environment import in_production
from migrations.upgrade import stands_at_newest

log = structlog.get_logger()


@dataclass(frozen=True)
class Wrong:
    """A reason not to serve, as a command says it and as an answer does."""

    on_screen: str
    in_answer: str


KEPT = 1.0
"""Seconds for which an answer is given again: whoever asks without end does not reach the database with it."""
HELD_UP = 5.0
"""Seconds after which a commit that waits for a standby counts as one that will not be answered."""
# A standby, or a primary that was told to write no more; or one whose own standbys are gone: sales would fail, or hang,
# one after the other. What waits can be seen of the role's own sessions.
TAKES_NO_WRITES = text("""
    SELECT current_setting('transaction_read_only') = 'on' OR EXISTS (
        SELECT FROM pg_stat_activity WHERE usename = current_user AND wait_event = 'SyncRep'
        AND state_change < clock_timestamp() - :seconds * interval '1 second')
""")
# The moment tells one server from its copy and from the primary of former days, which share every number.
WHICH = text("SELECT oid, pg_postmaster_start_time() FROM pg_database WHERE datname = current_database()")
WRONGS = {
    "database_unavailable": Wrong("The database does not answer.", "База данных не отвечает."),
    "database_read_only": Wrong("The database takes no writes.", "База данных не принимает записей."),
    "wrong_revision": Wrong(
        "The schema is not at the newest revision: run `flask --app wsgi migrate` first.",
        "Схема базы данных другой версии, чем программа: выполните `flask --app wsgi migrate`.",
    ),
    "clock_shifted": Wrong(
        "The clock of this database was shifted: it is a demonstration's, not production's.",
        "Часы этой базы данных переводились: это база демонстрации, работать на ней нельзя.",
    ),
    "two_databases": Wrong(
        "DATABASE_POOLED_URL leads to another database than DATABASE_URL, or to another server.",
        "Запросы идут не в ту базу данных, в которой остальная работа.",
    ),
}
"""What keeps a process from serving, by the code of its problem document."""


def wrong_with(*ways: Connection) -> str | None:
    """Why what these connections lead to must not be served.

    Another revision; in production a clock that was ever shifted; or more than one database, so that bets would be kept
    in one and seals made in another.
    """
    if not all(map(stands_at_newest, ways)):
        return "wrong_revision"
    if in_production() and any(map(was_shifted, ways)):
        return "clock_shifted"
    if len({way.execute(WHICH).one() for way in ways}) > 1:
        return "two_databases"
    return None


class Readiness:
    """Looks at the database when asked, at most once a second, over a connection of its own.

    Where requests go through a pooler it looks on that way as well: a house whose pooler is away serves nobody, and one
    whose pooler leads elsewhere must not.
    """

    def __init__(self, *probes: Engine) -> None:
        self._probes = probes
        self._looking = Lock()
        self._wrong: str | None = None
        self._until = 0.0

    def wrong(self) -> str | None:
        """The code of what is wrong, none while the process can serve."""
        with self._looking:
            if time.monotonic() >= self._until:
                self._wrong = self._look()
                self._until = time.monotonic() + KEPT
            return self._wrong

    def _look(self) -> str | None:
        try:
            with ExitStack() as looking:
                ways = [looking.enter_context(probe.connect()) for probe in self._probes]
                if any(way.scalar(TAKES_NO_WRITES, {"seconds": HELD_UP}) for way in ways):
                    return "database_read_only"
                return wrong_with(*ways)
        except SQLAlchemyError as error:
            log.warning("not_ready", error=type(error).__name__)
            return "database_unavailable"
