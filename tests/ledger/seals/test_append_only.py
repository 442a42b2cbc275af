"""Whatever is not on the written list of mutable tables refuses every change, to the owner as to the application."""

import pytest
from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import DBAPIError

from db.facts import MUTABLE_TABLES, is_mutable
from ledger.seals.findings import Fault
from ledger.seals.verify import verify
from tests.ledger.conftest import House

TABLES = """
    SELECT relname FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') ORDER BY relname
"""
CHANGES = [
    "UPDATE public.{} SET id = DEFAULT",
    "UPDATE public.{} SET recorded_at = recorded_at WHERE false",
    "DELETE FROM public.{}",
    "DELETE FROM public.{} WHERE false",
    "TRUNCATE public.{} CASCADE",
]


def tables_of(connection: Connection) -> list[str]:
    return list(connection.scalars(text(TABLES)))


def refusal(engine: Engine, statement: str) -> str:
    """The code of the error the statement ends in, or an empty one if it goes through."""
    with engine.connect() as connection:
        try:
            connection.execute(text(statement))
        except DBAPIError as error:
            return str(error.orig.sqlstate)
    return ""


def test_there_are_tables_of_both_kinds(shared_house: House) -> None:
    with shared_house.owner.connect() as connection:
        tables = set(tables_of(connection))
    assert tables >= MUTABLE_TABLES
    assert tables >= {"tickets", "transfers", "seals", "seal_contents", "balance_checkpoints"}


@pytest.mark.parametrize("change", CHANGES)
def test_the_owner_is_refused_by_the_trigger(shared_house: House, change: str) -> None:
    with shared_house.owner.connect() as connection:
        facts = [table for table in tables_of(connection) if not is_mutable(table)]
    refusals = {table: refusal(shared_house.owner, change.format(table)) for table in facts}
    assert refusals == dict.fromkeys(facts, "23001")  # restrict_violation


@pytest.mark.parametrize("change", CHANGES)
def test_the_application_has_no_right_to(shared_house: House, change: str) -> None:
    with shared_house.owner.connect() as connection:
        facts = [table for table in tables_of(connection) if not is_mutable(table)]
    refusals = {table: refusal(shared_house.app, change.format(table)) for table in facts}
    assert refusals == dict.fromkeys(facts, "42501")  # insufficient_privilege


@pytest.mark.parametrize(
    "weakening",
    [
        "ALTER TABLE tickets DISABLE TRIGGER append_only",
        "ALTER TABLE tickets ENABLE TRIGGER append_only",  # asleep in a session that replays another server's changes
        "DROP TRIGGER append_only ON tickets",
        "DROP TRIGGER append_only ON tickets; CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON tickets"
        " FOR EACH STATEMENT EXECUTE FUNCTION refuse_change(); ALTER TABLE tickets ENABLE ALWAYS TRIGGER append_only",
        "DROP TRIGGER append_only ON tickets; CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON tickets"
        " FOR EACH STATEMENT WHEN (false) EXECUTE FUNCTION refuse_change();"
        " ALTER TABLE tickets ENABLE ALWAYS TRIGGER append_only",
    ],
)
def test_a_weakened_guard_is_found(shared_house: House, weakening: str) -> None:
    with shared_house.owner.connect() as connection:
        assert verify(connection) == []
        connection.connection.execute(weakening)
        assert [(found.fault, found.table) for found in verify(connection)] == [(Fault.UNGUARDED, "tickets")]


def test_a_partition_needs_a_guard_of_its_own(shared_house: House) -> None:
    with shared_house.owner.connect() as connection:
        for statement in (
            "CREATE TABLE days (id bigint GENERATED ALWAYS AS IDENTITY) PARTITION BY RANGE (id)",
            "SELECT guard_fact('days')",
            "CREATE TABLE days_first PARTITION OF days FOR VALUES FROM (1) TO (1000)",
        ):
            connection.execute(text(statement))
        assert [(found.fault, found.table) for found in verify(connection)] == [(Fault.UNGUARDED, "days_first")]
