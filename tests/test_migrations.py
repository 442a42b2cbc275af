"""The schema's history: there and back with data in the tables, and equal to what the models say (FIELD-FAULTS 076)."""

from __future__ import annotations

from dataclasses import dataclass

import psycopg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy.exc import DBAPIError

from api.application import create_app
from api.house import House
from db.engines import engine_for
from db.errors import SetupError
from db.facts import is_mutable
from db.urls import DatabaseUrls, conninfo
from migrations.tables import metadata
from migrations.upgrade import downgrade, is_current, upgrade
from tests.office import KEYS, OPERATOR, Member, Office
from tests.persons.before_data_keys import seal_directly

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
RIGHTS = """
    SELECT concat_ws(' ', grantee, table_name, column_name, privilege_type) FROM information_schema.column_privileges
        WHERE table_schema = 'public' AND grantee <> grantor
    UNION ALL SELECT concat_ws(' ', grantee, table_name, privilege_type) FROM information_schema.table_privileges
        WHERE table_schema = 'public' AND grantee <> grantor
"""
"""What the application may do to each table and column."""
KEYED = "a-bet-with-its-key"


def names(urls: DatabaseUrls, query: str) -> set[str]:
    """The first column of a query, as the owner."""
    with psycopg.connect(conninfo(urls.owner)) as connection:
        return {str(name) for (name,) in connection.execute(query)}


def guarded(urls: DatabaseUrls) -> set[str]:
    """The tables whose guard is at its post."""
    return names(urls, GUARDED)


def schema_of(urls: DatabaseUrls) -> tuple[set[str], ...]:
    """What is there, what of it is guarded, and who may do what."""
    return names(urls, MADE), guarded(urls), names(urls, RIGHTS)


def test_there_and_back_and_there_again(fresh_database: DatabaseUrls) -> None:
    upgrade(fresh_database.owner)
    made = schema_of(fresh_database)
    assert any("totalizator_application" in right for right in made[2])
    downgrade(fresh_database.owner, "base")
    assert names(fresh_database, MADE) == {"table alembic_version"}
    upgrade(fresh_database.owner)
    assert schema_of(fresh_database) == made
    upgrade(fresh_database.owner)
    assert schema_of(fresh_database) == made


CHART = "SELECT concat_ws(' ', id, kind, code, title, normal_side, effective_from, recorded_at) FROM chart_lines"


def test_a_line_of_the_chart_is_a_fact_that_no_way_back_takes_out(fresh_database: DatabaseUrls) -> None:
    """It may be sealed: behind revision 0020 and there again each line is the one it was, and there is no other."""
    upgrade(fresh_database.owner)
    lines = names(fresh_database, CHART)
    assert any(" under_way 76.8 " in line for line in lines)
    downgrade(fresh_database.owner, "0018")
    assert names(fresh_database, CHART) == lines
    upgrade(fresh_database.owner)
    assert names(fresh_database, CHART) == lines
    assert "chart_lines" in guarded(fresh_database)


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


def test_every_table_that_is_not_written_down_as_mutable_is_guarded(database: DatabaseUrls) -> None:
    assert guarded(database) == {table for table in names(database, TABLES) if not is_mutable(table)}


@dataclass(frozen=True)
class Day:
    """A day that was lived through: the code of its winning ticket, which is paid, and what the schema was then."""

    office: Office
    code: str
    schema: tuple[set[str], ...]

    def stands(self) -> None:
        """A house started anew reads the ticket, replays its bet, reads the line of the journal and the player."""
        house = House(OPERATOR, lambda: self.office.urls, lambda: KEYS)
        client = create_app(house).test_client()
        cashier, accountant, supervisor, organizer = (
            Member(client, member.token)
            for member in (self.office.cashier, self.office.accountant, self.office.supervisor, self.office.organizer)
        )
        try:
            ticket = cashier.get("/tickets/1").json
            assert (ticket["status"], ticket["win"]) == ("paid", "12.00")
            again = self.office.bet(cashier, "1", "10.00", key=KEYED)
            assert (again.status_code, again.json["code"]) == (201, self.code)
            told = [accountant.get("/payouts"), accountant.post("/payouts/views", {"reason": "проверка"})]
            assert [answer.json["items"][0]["person"] for answer in told] == ["П*** П.", "Петров Пётр"]
            assert supervisor.get("/persons/1").json["person"] == "И*** П."
            sheet = organizer.get("/pools/P1/sheet").json
            assert sheet["pool"] == "20.00"
            # Determined on 22 November: claims to 2 December, wins to 23 February, disputes to 25 March, in Minsk.
            assert [sheet[name][:13] for name in ("claims_until", "payable_until", "disputes_until")] == [
                "2022-12-02T21",
                "2023-02-23T21",
                "2023-03-25T21",
            ]
            assert schema_of(self.office.urls) == self.schema
        finally:
            house.engine.dispose()


@pytest.fixture
def day(office: Office) -> Day:
    """10.00 at the desk on 1, under a key, and 10.00 of a player's on 2: fund 12.00, paid to the ticket on 1."""
    pool = office.pool()
    code = office.bet(office.cashier, "1", "10.00", key=KEYED).json["code"]
    assert office.bet(office.player("ivan", "10.00"), "2", "10.00").status_code == 201
    assert office.decide(pool, "1").status_code == 201
    office.clock("2022-11-23T10:00:00+03:00")
    assert office.pay(code).status_code == 201
    assert office.supervisor
    office.house.engine.dispose()
    return Day(office, code, schema_of(office.urls))


@pytest.mark.parametrize("to", ["0012", "0003", "base"])
def test_what_is_sealed_under_data_keys_keeps_the_schema_from_going_back(day: Day, to: str) -> None:
    """A key for both codes and one for each of the two persons, the player and whoever was paid."""
    lost = "3 data keys would be lost, .* codes of 2 tickets and 2 versions of persons"
    with pytest.raises(SetupError, match=lost):
        downgrade(day.office.urls.owner, to)
    day.stands()


def test_an_erased_person_does_not_come_back_by_an_older_schema(day: Day) -> None:
    seal_directly(day.office)
    with psycopg.connect(conninfo(day.office.urls.owner)) as owner:
        owner.execute("UPDATE person_versions SET ciphertext = NULL, erased_at = now() WHERE id = 1")
    with pytest.raises(SetupError, match="1 erased versions would be taken for kept ones"):
        downgrade(day.office.urls.owner, "0012")
    assert schema_of(day.office.urls) == day.schema


@pytest.mark.parametrize("older", ["0012", "0006", "0003"])
def test_a_day_from_before_data_keys_goes_down_and_up_with_all_that_was_sealed(day: Day, older: str) -> None:
    """FIELD-FAULTS 076: at each step the guards of what is left are at their posts, and all is read at the head."""
    seal_directly(day.office)
    day.stands()
    downgrade(day.office.urls.owner, older)
    assert guarded(day.office.urls) == {table for table in names(day.office.urls, TABLES) if not is_mutable(table)}
    upgrade(day.office.urls.owner)
    day.stands()
    with pytest.raises(psycopg.errors.RestrictViolation), psycopg.connect(conninfo(day.office.urls.owner)) as owner:
        owner.execute("UPDATE tickets SET stake = stake + 1")


def test_a_database_at_another_revision_is_known_as_such(database: DatabaseUrls) -> None:
    engine = engine_for(database.app)
    try:
        assert is_current(engine)
        downgrade(database.owner, "0012")
        assert not is_current(engine)
    finally:
        engine.dispose()


def test_the_application_may_not_migrate(database: DatabaseUrls) -> None:
    with pytest.raises(DBAPIError, match=r"permission denied|must be owner"):
        downgrade(database.app, "base")
