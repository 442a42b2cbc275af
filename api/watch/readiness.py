"""Whether this process can serve: the database answers, takes writes, is at the code's revision and real time."""

from __future__ import annotations

import time
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
}
"""What keeps a process from serving, by the code of its problem document."""


def wrong_with(connection: Connection) -> str | None:
    """Why this database must not be served: another revision, or in production a clock that was ever shifted."""
    if not stands_at_newest(connection):
        return "wrong_revision"
    if in_production() and was_shifted(connection):
        return "clock_shifted"
    return None


class Readiness:
    """Looks at the database when asked, at most once a second, over a connection of its own.

    Where requests go through a pooler it looks on that way as well: a house whose pooler is away serves nobody.
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
            for probe in self._probes:
                with probe.connect() as connection:
                    if connection.scalar(TAKES_NO_WRITES, {"seconds": HELD_UP}):
                        return "database_read_only"
                    wrong = wrong_with(connection)
                if wrong is not None:
                    return wrong
            return None
        except SQLAlchemyError as error:
            log.warning("not_ready", error=type(error).__name__)
            return "database_unavailable"
