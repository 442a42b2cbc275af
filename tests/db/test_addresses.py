"""Which database is worked on, and what is said when that is not clear."""

import subprocess
import sys
from pathlib import Path

import pytest
from psycopg.conninfo import conninfo_to_dict
from sqlalchemy import create_engine, make_url

from db.addresses import database_urls
from db.bootstrap import bootstrap
from db.embedded import EmbeddedServer
from db.errors import SetupError
from db.urls import DatabaseUrls, conninfo, libpq_environment, parts, sqlalchemy_url
from tests.db.conftest import PROJECT, answers

APP = "postgresql://till:p%40ss@db.example:5433/office"
OWNER = "postgresql://owner:secret@db.example:5433/office"
ADMIN = "postgresql://admin:secret@db.example:5433/postgres"
PAIR = "postgresql://till:p%40ss@db-1.example:5433,[fd00::2]:5434/office?target_session_attrs=read-write"
TELL = """
import sys
from pathlib import Path
from db.addresses import database_urls
urls = database_urls(Path(sys.argv[1]))
assert database_urls(Path(sys.argv[1])) == urls
print(urls.app, urls.owner, urls.admin, flush=True)
sys.stdin.readline()
"""


def set_all(monkeypatch: pytest.MonkeyPatch, **variables: str) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)


def test_the_environment_names_the_database(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    set_all(monkeypatch, APP_ENV="production", DATABASE_URL=APP, DATABASE_OWNER_URL=OWNER)
    assert database_urls(tmp_path) == DatabaseUrls(app=APP, owner=OWNER, admin=None)
    monkeypatch.setenv("DATABASE_ADMIN_URL", ADMIN)
    assert database_urls(tmp_path) == DatabaseUrls(app=APP, owner=OWNER, admin=ADMIN)
    assert list(tmp_path.iterdir()) == []


def test_without_addresses_the_embedded_server_is_kept_while_the_process_lives(folder: Path) -> None:
    root = folder.parent
    command = [sys.executable, "-c", TELL, str(root)]
    with subprocess.Popen(command, cwd=PROJECT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        app, owner, admin = process.stdout.readline().split()
        assert answers(admin)
        process.communicate("\n")
    assert process.returncode == 0
    assert not answers(admin)
    assert {parts(app)["dbname"], parts(owner)["dbname"]} == {"totalizator"}
    EmbeddedServer(root / "var" / "postgres", fast=True).start().release(erase=True)


def test_production_starts_no_server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("APP_ENV", "production")
    with pytest.raises(SetupError, match="Set DATABASE_URL "):
        database_urls(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "given",
    [{"DATABASE_OWNER_URL": OWNER}, {"DATABASE_ADMIN_URL": ADMIN}, {"DATABASE_POOLED_URL": APP}],
    ids=lambda given: next(iter(given)),
)
@pytest.mark.parametrize("app_env", ["", "production"])
def test_addresses_without_the_applications_are_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, given: dict[str, str], app_env: str
) -> None:
    set_all(monkeypatch, APP_ENV=app_env, **given)
    with pytest.raises(SetupError, match=f"^Set DATABASE_URL too, .* {next(iter(given))} cannot be used"):
        database_urls(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_whoever_sells_has_no_owners_address_and_whoever_migrates_is_asked_for_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    set_all(monkeypatch, APP_ENV="production", DATABASE_URL=APP)
    urls = database_urls(tmp_path)
    assert urls == DatabaseUrls(app=APP)
    with pytest.raises(SetupError, match="Set DATABASE_OWNER_URL"):
        urls.of_owner()
    with pytest.raises(SetupError, match="Set DATABASE_OWNER_URL"):
        bootstrap(DatabaseUrls(app=APP, admin=ADMIN))


@pytest.mark.parametrize(
    ("url", "complaint"),
    [
        ("sqlite:///office.db", "must look like"),
        ("postgresql://db.example/office?sslmode", "cannot be read"),
        ("postgresql://db.example/office", "must name its user"),
        ("postgresql://owner:secret@db.example", "must name its dbname"),
        ("postgresql://owner:secret@one,other/office", "must end with target_session_attrs=read-write"),
        ("postgresql://owner:secret@one,other/office?target_session_attrs=any", "must end with target_session_attrs"),
    ],
)
def test_a_malformed_address_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, url: str, complaint: str
) -> None:
    set_all(monkeypatch, DATABASE_URL=APP, DATABASE_OWNER_URL=url)
    with pytest.raises(SetupError, match=f"DATABASE_OWNER_URL: .*{complaint}") as caught:
        database_urls(tmp_path)
    assert "secret" not in str(caught.value)


def test_children_are_handed_the_addresses(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    urls = DatabaseUrls(app=APP, owner=OWNER, admin=ADMIN)
    set_all(monkeypatch, **urls.environment())
    assert database_urls(tmp_path) == urls
    assert "DATABASE_ADMIN_URL" not in DatabaseUrls(app=APP, owner=OWNER).environment()


def test_the_forms_of_an_address() -> None:
    assert sqlalchemy_url(APP) == "postgresql+psycopg://till:p%40ss@db.example:5433/office"
    assert libpq_environment(APP) == {
        "PGHOST": "db.example",
        "PGPORT": "5433",
        "PGUSER": "till",
        "PGPASSWORD": "p@ss",
        "PGDATABASE": "office",
    }


def test_several_servers_are_told_alike_to_everybody() -> None:
    """SQLAlchemy's driver, psycopg and the programs of PostgreSQL get the same two servers, in the same order."""
    servers = {"host": "db-1.example,fd00::2", "port": "5433,5434", "target_session_attrs": "read-write"}
    said = {"user": "till", "password": "p@ss", "dbname": "office", **servers}
    assert parts(PAIR) == said
    assert conninfo_to_dict(conninfo(PAIR)) == said
    assert conninfo_to_dict(conninfo(PAIR, "postgres")) == {**said, "dbname": "postgres"}
    address = make_url(sqlalchemy_url(PAIR))
    _, given = create_engine(address).dialect.create_connect_args(address)
    assert {name: value for name, value in given.items() if name != "context"} == said
    assert libpq_environment(PAIR) == {
        "PGHOST": "db-1.example,fd00::2",
        "PGPORT": "5433,5434",
        "PGTARGETSESSIONATTRS": "read-write",
        "PGUSER": "till",
        "PGPASSWORD": "p@ss",
        "PGDATABASE": "office",
    }


def test_addresses_are_never_shown() -> None:
    assert repr(DatabaseUrls(app=APP, owner=OWNER, admin=ADMIN)) == "DatabaseUrls()"
