"""When something is broken: 503 while the database is away, 500 for a fault of ours, and nothing told to strangers."""

from __future__ import annotations

import socket
from typing import Any

import psycopg
from flask import g, request_finished
from sqlalchemy.orm import Session
from werkzeug.test import TestResponse

from api.application import create_app
from api.house import House
from db.engines import engine_for
from db.session import sessions_on
from db.urls import DatabaseUrls, conninfo
from office.operator import Operator
from tests.office import KEYS, MINSK, Office
from tote.sales import place

DOCUMENT = "MP7654321"
CODE = "ABCDEFGHIJKLMNOP"
PAYOUT = {
    "code": CODE,
    "code_entry": "scanned",
    "surname": "Секретный",
    "name": "Иван",
    "document": {"kind": "паспорт", "number": DOCUMENT, "issued_on": "2015-03-01", "issued_by": "РУВД"},
}


def assert_busy(answer: TestResponse) -> None:
    """Told to come again soon with the same key, and not why."""
    assert (answer.status_code, answer.json["code"]) == (503, "too_busy")
    assert answer.content_type == "application/problem+json"
    assert answer.headers["Retry-After"] == "1"
    assert not [word for word in ("SELECT", "psycopg", "Traceback", "127.0.0.1") if word in answer.text]


def test_while_the_database_is_away_it_is_503() -> None:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        address = f"postgresql://nobody:hidden-word@127.0.0.1:{held.getsockname()[1]}/none"
        house = House(Operator("ООО «Проба»", MINSK), lambda: DatabaseUrls(address, address, None), lambda: KEYS)
        client = create_app(house).test_client()
        answer = client.get("/api/v1/pools", headers={"Authorization": "Bearer anything"})
    assert_busy(answer)
    assert "hidden-word" not in answer.text


def test_when_every_connection_is_in_use_it_is_503_and_then_again_served(office: Office) -> None:
    organizer = office.organizer
    office.house.engine.dispose()
    office.house.engine = engine_for(office.urls.app, pool_size=1)
    office.house.engine.pool._timeout = 0.1
    office.house.sessions = sessions_on(office.house.engine)
    with office.house.engine.connect():
        assert_busy(organizer.get("/pools"))
    assert organizer.get("/pools").status_code == 200


def test_a_connection_that_breaks_is_503_and_the_same_key_may_be_sent_again(office: Office, monkeypatch: Any) -> None:
    """FIELD-FAULTS 063: a 5xx is never stored, the retry is executed."""
    office.pool()

    def place_and_break_off(placing: Session, *told: Any) -> int:
        number = place(placing, *told)
        placing.connection().exec_driver_sql("SELECT pg_terminate_backend(pg_backend_pid())")
        return number

    with monkeypatch.context() as broken:
        broken.setattr("api.tote.routes.place", place_and_break_off)
        assert_busy(office.bet(office.cashier, "1", "10.00", key="sent-again-0001"))
    assert office.cashier.get("/idempotency-keys/sent-again-0001").status_code == 404
    assert office.balance("pool", "pool:P1") == "0.00"

    answer = office.bet(office.cashier, "1", "10.00", key="sent-again-0001")
    assert (answer.status_code, "Idempotency-Replayed" in answer.headers) == (201, False)
    assert office.balance("pool", "pool:P1") == "10.00"


def test_a_server_that_takes_no_writes_any_more_is_503_and_the_pool_leaves_it(office: Office) -> None:
    """As when whoever was connected to was made a standby: all connections are made anew, and one of those sells."""
    office.pool()
    engine, cashier = office.house.engine, office.cashier
    with engine.connect() as other:
        kept = other.connection.dbapi_connection
    with engine.connect() as connection:
        connection.exec_driver_sql("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY")
        connection.commit()
    assert_busy(office.bet(cashier, "1", "10.00", key="read-only-0001"))
    with engine.connect() as fresh:
        assert fresh.connection.dbapi_connection is not kept
    answer = office.bet(cashier, "1", "10.00", key="read-only-0001")
    assert (answer.status_code, "Idempotency-Replayed" in answer.headers) == (201, False)


def test_an_answer_that_is_ready_is_given_though_the_connection_breaks_behind_it(office: Office) -> None:
    """The bet is committed and read back: to roll back what was read fails, and that is nobody's loss."""
    office.pool()
    cashier, engine = office.cashier, office.house.engine

    def break_off(_app: Any, **_told: Any) -> None:
        server = g.session.connection().exec_driver_sql("SELECT pg_backend_pid()").scalar()
        with psycopg.connect(conninfo(office.urls.admin or ""), autocommit=True) as admin:
            admin.execute("SELECT pg_terminate_backend(%s, 5000)", (server,))

    with request_finished.connected_to(break_off, office.app):
        answer = office.bet(cashier, "1", "10.00", key="ready-0001")
    assert answer.status_code == 201
    assert engine.pool.checkedout() == 0
    again = office.bet(cashier, "1", "10.00", key="ready-0001")
    assert (again.status_code, again.json["number"]) == (201, answer.json["number"])
    assert "Idempotency-Replayed" in again.headers


def failed_payout(office: Office, monkeypatch: Any) -> TestResponse:
    """The answer to a payout in the midst of which the program fails, the request's secrets in its variables."""

    def fail(*told: Any, **named: Any) -> int:
        secret = PAYOUT["code"]
        raise RuntimeError(f"no such row (of {len(secret)} signs)")

    monkeypatch.setattr("api.desk.payouts.pay", fail)
    return office.cashier.post("/payouts", PAYOUT, "payout-key-0001")


def test_a_fault_of_ours_is_500_and_tells_nothing(office: Office, monkeypatch: Any) -> None:
    answer = failed_payout(office, monkeypatch)
    assert (answer.status_code, answer.json["code"]) == (500, "internal_error")
    assert answer.content_type == "application/problem+json"
    assert not [word for word in ("RuntimeError", "Traceback", "no such row", CODE, DOCUMENT) if word in answer.text]
    assert office.cashier.get("/idempotency-keys/payout-key-0001").status_code == 404


def test_the_log_has_the_traceback_without_code_document_or_name(office: Office, monkeypatch: Any, capfd: Any) -> None:
    """FIELD-FAULTS 117: the traceback names lines of the program, never the values of its variables."""
    failed_payout(office, monkeypatch)
    logged = "".join(capfd.readouterr())
    assert "RuntimeError: no such row" in logged and "Traceback" in logged
    assert not [secret for secret in (CODE, DOCUMENT, "Секретный", "РУВД") if secret in logged]


def test_an_error_of_the_database_names_no_value_sent_to_it(office: Office, capfd: Any, monkeypatch: Any) -> None:
    """A statement that fails is logged with its text, its parameters hidden."""

    def wrong_statement(session: Any, *_told: Any) -> int:
        session.connection().exec_driver_sql("SELECT %(secret)s::text, no_such_column", {"secret": DOCUMENT})
        return 0

    monkeypatch.setattr("api.desk.payouts.pay", wrong_statement)
    answer = office.cashier.post("/payouts", PAYOUT)
    assert (answer.status_code, answer.json["code"]) == (500, "internal_error")
    assert "no_such_column" not in answer.text
    logged = "".join(capfd.readouterr())
    assert "no_such_column" in logged and DOCUMENT not in logged


def test_a_failed_validation_repeats_neither_code_nor_document(office: Office, capfd: Any) -> None:
    wrong = {**PAYOUT, "document": {**PAYOUT["document"], "issued_on": "yesterday"}}
    answer = office.cashier.post("/payouts", wrong)
    assert (answer.status_code, answer.json["errors"]["json"]["document"].keys()) == (422, {"issued_on"})
    seen = answer.text + "".join(capfd.readouterr())
    assert not [secret for secret in (CODE, DOCUMENT, "Секретный") if secret in seen]
