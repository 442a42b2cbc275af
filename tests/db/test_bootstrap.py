"""Roles and database: who may do what after the administrator has been here."""

import secrets
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import psycopg
import pytest

from db.bootstrap import GROUP, bootstrap, refuse_old
from db.embedded import EmbeddedServer
from db.errors import SetupError
from db.urls import DatabaseUrls, conninfo, parts
from tests.databases import copy_database, create_database, drop_database


def rows(url: str, statement: str, *values: str) -> list[tuple[object, ...]]:
    with psycopg.connect(url, autocommit=True) as connection:
        done = connection.execute(statement.encode(), values)
        return done.fetchall() if done.description else []


def admin(urls: DatabaseUrls) -> str:
    """The administrator inside the database."""
    assert urls.admin is not None
    return conninfo(urls.admin, parts(urls.app)["dbname"])


def own_roles(urls: DatabaseUrls) -> DatabaseUrls:
    """The same database with logins that no other test knows."""
    mark = secrets.token_hex(4)
    said = parts(urls.app)
    place = f"{said['host']}:{said['port']}/{said['dbname']}"
    return replace(urls, app=f"postgresql://app_{mark}:one@{place}", owner=f"postgresql://owner_{mark}:two@{place}")


class TestApplication:
    def test_makes_no_tables(self, fresh_database: DatabaseUrls) -> None:
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="schema public"):
            rows(fresh_database.app, "CREATE TABLE note (text text)")

    def test_makes_no_schemas(self, fresh_database: DatabaseUrls) -> None:
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            rows(fresh_database.app, "CREATE SCHEMA mine")

    def test_reads_what_its_group_was_granted_and_nothing_else(self, fresh_database: DatabaseUrls) -> None:
        rows(fresh_database.owner, "CREATE TABLE note AS SELECT 'kept' AS text")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            rows(fresh_database.app, "TABLE note")
        rows(fresh_database.owner, f"GRANT SELECT ON note TO {GROUP}")
        assert rows(fresh_database.app, "TABLE note") == [("kept",)]
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            rows(fresh_database.app, "DELETE FROM note")

    def test_may_not_become_the_owner(self, fresh_database: DatabaseUrls) -> None:
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            rows(fresh_database.app, f"SET ROLE {parts(fresh_database.owner)['user']}")

    def test_is_cut_off_when_idle_inside_a_transaction(self, fresh_database: DatabaseUrls) -> None:
        question = "SHOW idle_in_transaction_session_timeout"
        assert rows(fresh_database.app, question) == [("1min",)]
        assert rows(fresh_database.owner, question) == [("0",)]

    def test_has_temporary_tables(self, fresh_database: DatabaseUrls) -> None:
        assert rows(fresh_database.app, "CREATE TEMPORARY TABLE lines (number int)") == []


class TestDatabase:
    def test_belongs_to_the_owner_with_its_schema(self, fresh_database: DatabaseUrls) -> None:
        owner = parts(fresh_database.owner)["user"]
        question = (
            "SELECT pg_get_userbyid(datdba), pg_encoding_to_char(encoding), datlocprovider::text, datlocale, "
            "pg_get_userbyid(nspowner) FROM pg_database, pg_namespace "
            "WHERE datname = current_database() AND nspname = 'public'"
        )
        assert rows(fresh_database.owner, question) == [(owner, "UTF8", "b", "C.UTF-8", owner)]

    def test_is_closed_to_all_others(self, fresh_database: DatabaseUrls) -> None:
        stranger = f"stranger_{secrets.token_hex(4)}"
        rows(admin(fresh_database), f"CREATE ROLE {stranger} LOGIN PASSWORD 'three'")
        said = parts(fresh_database.app)
        with pytest.raises(psycopg.OperationalError, match="permission denied for database"):
            psycopg.connect(**{**said, "user": stranger, "password": "three"})

    def test_shows_its_schema_to_the_group_alone(self, fresh_database: DatabaseUrls) -> None:
        question = "SELECT has_schema_privilege(%s, 'public', 'USAGE')"
        assert rows(fresh_database.owner, question, "public") == [(False,)]
        assert rows(fresh_database.owner, question, GROUP) == [(True,)]

    def test_knows_ranges_beside_equal_keys(self, fresh_database: DatabaseUrls) -> None:
        rows(fresh_database.owner, "CREATE TABLE stay (desk int, days int8range, EXCLUDE USING gist (desk WITH =))")
        assert rows(fresh_database.owner, "SELECT extname FROM pg_extension WHERE extname = 'btree_gist'")

    def test_a_copy_of_a_template_holds_its_tables_and_its_rights(
        self, server: EmbeddedServer, fresh_database: DatabaseUrls
    ) -> None:
        rows(fresh_database.owner, "CREATE TABLE note AS SELECT 'kept' AS text")
        rows(fresh_database.owner, f"GRANT SELECT ON note TO {GROUP}")
        copy = copy_database(server, str(parts(fresh_database.app)["dbname"]))
        try:
            assert rows(copy.app, "TABLE note") == [("kept",)]
            assert rows(copy.owner, "SELECT has_database_privilege('public', current_database(), 'CONNECT')") == [
                (False,)
            ]
        finally:
            drop_database(copy)


class TestAgain:
    def test_nothing_is_lost_by_a_second_bootstrap(self, fresh_database: DatabaseUrls) -> None:
        rows(fresh_database.owner, "CREATE TABLE note AS SELECT 'kept' AS text")
        bootstrap(fresh_database)
        assert rows(fresh_database.owner, "TABLE note") == [("kept",)]
        assert rows(fresh_database.app, "SELECT current_user") == [(parts(fresh_database.app)["user"],)]

    def test_a_changed_password_is_taken_over(self, fresh_database: DatabaseUrls) -> None:
        before = own_roles(fresh_database)
        bootstrap(before)
        after = replace(before, app=before.app.replace(":one@", ":n%C3%B6w@"))
        bootstrap(after)
        assert rows(after.app, "SELECT 1") == [(1,)]
        with pytest.raises(psycopg.OperationalError, match="password"):
            psycopg.connect(before.app)

    def test_roles_that_were_too_mighty_are_trimmed(self, fresh_database: DatabaseUrls) -> None:
        urls = own_roles(fresh_database)
        app, owner = (parts(url)["user"] for url in (urls.app, urls.owner))
        rows(admin(urls), f"CREATE ROLE {app} SUPERUSER")
        rows(admin(urls), f"CREATE ROLE {owner} CREATEDB CREATEROLE BYPASSRLS REPLICATION")
        bootstrap(urls)
        question = (
            "SELECT rolcanlogin, rolsuper, rolcreatedb, rolcreaterole, rolbypassrls, rolreplication "
            "FROM pg_roles WHERE rolname IN (%s, %s)"
        )
        assert rows(admin(urls), question, app, owner) == [(True, False, False, False, False, False)] * 2

    def test_many_at_once_do_not_disturb_one_another(self, server: EmbeddedServer) -> None:
        with ThreadPoolExecutor(4) as crowd:
            made = list(crowd.map(lambda _: create_database(server), range(4)))
        for urls in made:
            assert rows(urls.app, "SELECT 1") == [(1,)]
            drop_database(urls)


class TestAdministrator:
    def test_need_not_be_a_superuser(self, server: EmbeddedServer) -> None:
        mark = secrets.token_hex(4)
        urls = own_roles(server.urls_of(f"test_{mark}"))
        assert server.urls.admin is not None
        rows(server.urls.admin, f"CREATE ROLE clerk_{mark} LOGIN CREATEDB CREATEROLE PASSWORD 'four'")
        said = parts(server.urls.admin)
        # As on a hosted server: the group is the clerk's own there, here it was made by the run's administrator.
        rows(server.urls.admin, f"GRANT {GROUP} TO clerk_{mark} WITH ADMIN OPTION")
        hosted = replace(urls, admin=f"postgresql://clerk_{mark}:four@{said['host']}:{said['port']}/postgres")
        for _ in range(2):
            bootstrap(hosted)
        try:
            rows(urls.owner, "CREATE TABLE note (text text)")
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                rows(urls.app, "TABLE note")
        finally:
            drop_database(urls)

    def test_is_needed(self, fresh_database: DatabaseUrls) -> None:
        with pytest.raises(SetupError, match="Set DATABASE_ADMIN_URL"):
            bootstrap(replace(fresh_database, admin=None))

    def test_that_cannot_connect_is_told_so(self, fresh_database: DatabaseUrls) -> None:
        assert fresh_database.admin is not None
        wrong = fresh_database.admin.replace(parts(fresh_database.admin)["password"], "guess")
        with pytest.raises(SetupError, match="check DATABASE_ADMIN_URL"):
            bootstrap(replace(fresh_database, admin=wrong))


class TestRefused:
    def test_one_role_for_two_parts(self, fresh_database: DatabaseUrls) -> None:
        with pytest.raises(SetupError, match="three roles"):
            bootstrap(replace(fresh_database, app=fresh_database.owner))

    def test_two_databases(self, server: EmbeddedServer, fresh_database: DatabaseUrls) -> None:
        with pytest.raises(SetupError, match="must name one"):
            bootstrap(replace(fresh_database, app=server.urls.app))

    @pytest.mark.parametrize(("version", "told"), [(150018, "15.18"), (160004, "16.4")])
    def test_a_server_without_the_builtin_locale(self, version: int, told: str) -> None:
        with pytest.raises(SetupError, match=f"PostgreSQL 17 or newer is needed, this server is {told}"):
            refuse_old(version)

    def test_no_server_that_has_it(self) -> None:
        refuse_old(170000)

    def test_a_database_of_another_locale(self, server: EmbeddedServer) -> None:
        urls = server.urls_of(f"test_{secrets.token_hex(6)}")
        name = parts(urls.app)["dbname"]
        assert urls.admin is not None
        rows(urls.admin, f"CREATE DATABASE {name} LOCALE_PROVIDER libc LOCALE 'C' TEMPLATE template0")
        try:
            with pytest.raises(SetupError, match="another encoding or locale"):
                bootstrap(urls)
        finally:
            drop_database(urls)
