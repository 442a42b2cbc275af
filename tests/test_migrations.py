"""The schema's history: there and back with data in the tables, and equal to what the models say (FIELD-FAULTS 076)."""

from __future__ import annotations

import psycopg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy.exc import DBAPIError

from db.facts import is_mutable
from db.session import engine_for
from db.urls import DatabaseUrls, conninfo
from migrations.tables import metadata
from migrations.upgrade import downgrade, is_current, upgrade
from tests.office import Office

TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
GUARDED = "SELECT DISTINCT tgrelid::regclass::text FROM pg_trigger WHERE tgname = 'append_only' AND tgenabled = 'A'"
MADE = """
    SELECT 'function ' || oid::regprocedure FROM pg_proc WHERE pronamespace = 'public'::regnamespace
        AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')
    UNION ALL SELECT 'table ' || tablename FROM pg_tables WHERE schemaname = 'public'
    UNION ALL SELECT 'type ' || oid::regtype FROM pg_type
        WHERE typnamespace = 'public'::regnamespace AND typtype IN ('e', 'd', 'r')
"""
"""What the revisions make; what an extension brings is the administrator's."""


def names(urls: DatabaseUrls, query: str) -> set[str]:
    """The first column of a query, as the owner."""
    with psycopg.connect(conninfo(urls.owner)) as connection:
        return {str(name) for (name,) in connection.execute(query)}


def guarded(urls: DatabaseUrls) -> set[str]:
    """The tables whose guard is at its post."""
    return names(urls, GUARDED)


def test_there_and_back_and_there_again(fresh_database: DatabaseUrls) -> None:
    upgrade(fresh_database.owner)
    made, posts = names(fresh_database, MADE), guarded(fresh_database)
    downgrade(fresh_database.owner, "base")
    assert names(fresh_database, MADE) == {"table alembic_version"}
    upgrade(fresh_database.owner)
    assert (names(fresh_database, MADE), guarded(fresh_database)) == (made, posts)
    upgrade(fresh_database.owner)
    assert names(fresh_database, MADE) == made


def test_the_models_equal_the_migrated_schema(database: DatabaseUrls) -> None:
    def ours(thing: object, name: str | None, kind: str, reflected: bool, compared: object) -> bool:
        return not (kind == "table" and str(name).startswith("procrastinate_"))

    engine = engine_for(database.owner)
    try:
        with engine.connect() as connection:
            context = MigrationContext.configure(connection, opts={"compare_type": True, "include_object": ours})
            assert compare_metadata(context, metadata) == []
    finally:
        engine.dispose()


def test_every_table_that_is_not_written_down_as_mutable_is_guarded_through_every_step(office: Office) -> None:
    """With a pool's day in the tables: a step down and up again leaves the rows and the guards of the others."""
    pool = office.pool()
    office.bet(office.cashier, "1", "10.00")
    office.bet(office.player("ivan", "10.00"), "2", "10.00")
    office.decide(pool, "1")
    assert guarded(office.urls) == {table for table in names(office.urls, TABLES) if not is_mutable(table)}
    downgrade(office.urls.owner, "0003")
    left = {table for table in names(office.urls, TABLES) if not is_mutable(table)}
    assert guarded(office.urls) == left
    upgrade(office.urls.owner)
    assert guarded(office.urls) == {table for table in names(office.urls, TABLES) if not is_mutable(table)}
    with pytest.raises(psycopg.errors.RestrictViolation), psycopg.connect(conninfo(office.urls.owner)) as connection:
        connection.execute("UPDATE tickets SET stake = stake + 1")
    assert office.organizer.get("/pools/P1/sheet").json["pool"] == "20.00"


def test_a_database_at_another_revision_is_known_as_such(database: DatabaseUrls) -> None:
    engine = engine_for(database.app)
    try:
        assert is_current(engine)
        downgrade(database.owner, "-1")
        assert not is_current(engine)
    finally:
        engine.dispose()


def test_the_application_may_not_migrate(database: DatabaseUrls) -> None:
    with pytest.raises(DBAPIError, match=r"permission denied|must be owner"):
        downgrade(database.app, "base")
