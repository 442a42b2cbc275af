"""One form for all that is logged, ours and foreign; what quotes a value or a request is cut off."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
import structlog

from api import logs
from api.discretion import traceback_without_values
from api.tasks import task_app
from db.errors import SetupError
from db.urls import DatabaseUrls
from tests.api.lines import lines_of
from tests.office import Office

DOCUMENT = "MP7654321"


@pytest.fixture(autouse=True)
def afterwards_as_ever(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Whatever form a test asks for, the next one finds the usual."""
    yield
    monkeypatch.undo()
    logs.configure()


def foreign(name: str, level: int, message: str, *told: object, **more: Any) -> None:
    """Something a library says."""
    logging.getLogger(name).log(level, message, *told, **more)


def test_what_libraries_say_comes_out_as_our_lines_do(capfd: Any) -> None:
    logs.configure()
    structlog.get_logger().info("ours", pool="P1")
    for name in ("alembic.runtime.migration", "sqlalchemy.pool", "procrastinate.worker", "werkzeug"):
        foreign(name, logging.WARNING, "%s is behind by %d", name, 3)
    ours, *theirs = lines_of(capfd.readouterr().err)
    assert (ours["event"], ours["level"], ours["pool"]) == ("ours", "info", "P1")
    assert [(line["level"], line["event"]) for line in theirs] == [
        ("warning", f"{line['logger']} is behind by 3") for line in theirs
    ]
    assert len(theirs) == 4


def test_what_libraries_whisper_is_not_written(capfd: Any) -> None:
    """httpx and werkzeug tell addresses with their queries, SQLAlchemy its statements."""
    logs.configure()
    for name in ("httpx", "werkzeug", "sqlalchemy.engine.Engine"):
        foreign(name, logging.INFO, f"GET /players?surname={DOCUMENT}")
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    ("said", "written"),
    [
        (f"Invalid request from ip=10.0.0.7: Invalid HTTP request line: 'GET /?code={DOCUMENT}'", "ip=10.0.0.7"),
        (f"Invalid request from ip=fe80::1: Invalid HTTP Header: 'X: {DOCUMENT}\nY'", "ip=fe80::1"),
        (f"Error handling request GET /payouts?document={DOCUMENT}", "Error handling request"),
        (f"Exception on /api/v1/tickets/{DOCUMENT} [GET]", "Exception on"),
    ],
)
def test_a_message_that_quotes_a_request_is_cut_off(capfd: Any, said: str, written: str) -> None:
    logs.configure()
    foreign("gunicorn.error", logging.ERROR, said)
    (line,) = lines_of(capfd.readouterr().err)
    assert written in line["event"] and line["event"].endswith("(withheld)")
    assert DOCUMENT not in str(line)


def test_a_job_is_told_by_its_name_and_number_and_not_by_its_arguments(office: Office, capfd: Any) -> None:
    """A job that warns and then fails: all its lines name it, none its arguments."""
    app = task_app(office.house)

    @app.task(name="tell")
    def tell(document: str) -> None:
        structlog.get_logger().warning("not_told")
        raise RuntimeError("nobody listens")

    with app.open():
        job = tell.defer(document=DOCUMENT)
    logging.getLogger("procrastinate").setLevel(logging.INFO)
    capfd.readouterr()
    app.run_worker(wait=False, listen_notify=False, install_signal_handlers=False)
    logging.getLogger("procrastinate").setLevel(logging.NOTSET)

    written = capfd.readouterr().err
    of_job = [line for line in lines_of(written) if line.get("task") == "tell"]
    assert [line["event"] for line in of_job] == ["start_job", "not_told", "job_error"]
    assert {line["job_id"] for line in of_job} == {job}
    assert "RuntimeError: nobody listens" in of_job[-1]["exception"]
    assert DOCUMENT not in written


def failed(urls: DatabaseUrls, statement: str, *values: str) -> psycopg.Error:
    """How the database refuses a statement with these values."""
    with pytest.raises(psycopg.Error) as refused, psycopg.connect(urls.app) as connection:
        connection.execute(
            "CREATE TEMPORARY TABLE persons (document text PRIMARY KEY, age integer CHECK (age > 17));"
            f"INSERT INTO persons VALUES ('{DOCUMENT}', 30)"
        )
        connection.execute(statement, values)
    return refused.value


@pytest.mark.parametrize(
    ("statement", "value", "told"),
    [
        ("INSERT INTO persons VALUES (%s, 40)", DOCUMENT, "duplicate key value violates unique constraint"),
        ("INSERT INTO persons VALUES (%s, 4)", f"{DOCUMENT} 2", "violates check constraint"),
        ("INSERT INTO persons VALUES (%s, 4)", f"first\n{DOCUMENT}\nlast", "violates check constraint"),
        ("SELECT CAST(%s AS bigint)", DOCUMENT, "InvalidTextRepresentation"),
        ("SELECT lower(CAST(%s AS text))::jsonb", f"{{{DOCUMENT}}}", "InvalidTextRepresentation"),
    ],
)
def test_an_error_of_the_database_quotes_no_row(database: DatabaseUrls, statement: str, value: str, told: str) -> None:
    """PostgreSQL adds the row or the value that was refused to its words."""
    error = failed(database, statement, value)
    assert DOCUMENT in str(error).upper()
    for raised in (error, ExceptionGroup("two", [ValueError("other"), error]), _caused_by(error)):
        written = traceback_without_values((type(raised), raised, raised.__traceback__))
        assert told in written and DOCUMENT not in written.upper()


def _caused_by(error: Exception) -> Exception:
    try:
        raise RuntimeError("the act failed") from error
    except RuntimeError as outer:
        return outer


def test_a_person_at_a_terminal_may_ask_for_plain_lines(capfd: Any, monkeypatch: Any) -> None:
    monkeypatch.setenv("LOG_FORMAT", "console")
    logs.configure()
    try:
        secret = DOCUMENT
        raise RuntimeError(f"of {len(secret)} signs")
    except RuntimeError:
        structlog.get_logger().exception("failed", pool="P1")
    written = capfd.readouterr().err
    assert "failed" in written and "pool=P1" in written and "RuntimeError: of 9 signs" in written
    assert not written.startswith("{") and DOCUMENT not in written


def test_a_form_nobody_knows_is_refused(monkeypatch: Any) -> None:
    monkeypatch.setenv("LOG_FORMAT", "xml")
    with pytest.raises(SetupError, match="LOG_FORMAT must be one of json, console"):
        logs.configure()
