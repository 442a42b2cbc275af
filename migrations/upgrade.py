"""Bringing a database to the newest schema: an explicit command, one machine at a time."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, create_engine, text

from db.urls import sqlalchemy_url

# Two hosts that migrate at once queue on this lock; the number is only a name for it.
MIGRATION_LOCK = 7_120_001


def upgrade(owner_url: str, revision: str = "head") -> None:
    """Run the missing revisions as the owner, under an advisory lock."""
    _run(owner_url, lambda config: command.upgrade(config, revision))


def downgrade(owner_url: str, revision: str) -> None:
    """Undo revisions down to the one named; ``base`` undoes all of them."""
    _run(owner_url, lambda config: command.downgrade(config, revision))


def is_current(engine: Engine) -> bool:
    """Whether the database stands at the newest revision: workers refuse to start on another."""
    with engine.connect() as connection:
        return stands_at_newest(connection)


def stands_at_newest(connection: Connection) -> bool:
    """The same over an open connection."""
    return frozenset(MigrationContext.configure(connection).get_current_heads()) == newest()


@cache
def newest() -> frozenset[str]:
    """The newest revision of this program, which does not change while it runs."""
    return frozenset(ScriptDirectory.from_config(_config()).get_heads())


def _run(owner_url: str, act: Callable[[Config], None]) -> None:
    engine = create_engine(sqlalchemy_url(owner_url))
    try:
        with engine.begin() as connection:
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": MIGRATION_LOCK})
            act(_config(connection))
    finally:
        engine.dispose()


def _config(connection: Connection | None = None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config
