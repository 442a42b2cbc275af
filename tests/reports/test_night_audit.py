"""The daily audit: however long it takes it ends with its event, and one worker at a time makes it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import psycopg
import pytest
from psycopg import sql

from db.urls import conninfo, parts
from office.significant.kinds import BOOKS_AUDITED
from reports import night_audit
from reports.night_audit import AUDITING_LOCK, audit_if_due
from tests.office import Office
from tests.records import facts_of

HOLDERS = (
    "SELECT pid FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database "
    "WHERE locktype = 'advisory' AND objid = %s AND datname = current_database()"
)


@pytest.fixture
def meanwhile(office: Office, monkeypatch: pytest.MonkeyPatch) -> list[Callable[[], object]]:
    """What is done between the beginning of an audit and its first look at the books."""
    acts: list[Callable[[], object]] = []
    audited = night_audit.audit

    def with_acts(*told: Any) -> Any:
        for act in acts:
            act()
        return audited(*told)

    monkeypatch.setattr(night_audit, "audit", with_acts)
    return acts


def audits(office: Office) -> bool:
    """A worker's round of the audit; whether it was made."""
    return audit_if_due(office.house.sessions, office.house.operator)


def limit_idleness(office: Office, limit: str) -> None:
    """How long a transaction of the application may stay idle in this database."""
    app = parts(office.urls.app)
    told = sql.SQL("ALTER ROLE {} IN DATABASE {} SET idle_in_transaction_session_timeout = {}")
    assert office.urls.admin is not None
    with psycopg.connect(conninfo(office.urls.admin), autocommit=True) as admin:
        admin.execute(told.format(sql.Identifier(str(app["user"])), sql.Identifier(str(app["dbname"])), limit))
    office.house.engine.dispose()


def holders(office: Office) -> list[int]:
    """The server's processes that hold the audit's lock."""
    with psycopg.connect(conninfo(office.urls.owner)) as owner:
        return [pid for (pid,) in owner.execute(HOLDERS, (AUDITING_LOCK,))]


def test_an_audit_longer_than_a_transaction_may_stay_idle_is_on_record(
    office: Office, meanwhile: list[Callable[[], object]]
) -> None:
    limit_idleness(office, "1s")
    meanwhile.append(lambda: time.sleep(2))

    assert audits(office)

    assert facts_of(office, BOOKS_AUDITED) == [("audit:books", {"breaches": {}})]
    assert holders(office) == []
    assert not audits(office), "it is not due again"


def test_a_second_worker_beside_it_does_nothing(office: Office, meanwhile: list[Callable[[], object]]) -> None:
    beside: list[bool] = []
    meanwhile.append(lambda: beside.append(audits(office)))

    assert audits(office)

    assert beside == [False]
    assert len(facts_of(office, BOOKS_AUDITED)) == 1


def test_a_failing_audit_lets_the_lock_go(office: Office, meanwhile: list[Callable[[], object]]) -> None:
    def fail() -> None:
        raise ZeroDivisionError

    meanwhile.append(fail)
    with pytest.raises(ZeroDivisionError):
        audits(office)
    patient_until = time.monotonic() + 10
    # A connection that was closed leaves its process behind for a moment.
    while holders(office):
        assert time.monotonic() < patient_until
        time.sleep(0.05)
    meanwhile.clear()
    assert audits(office)


def test_an_audit_that_loses_its_lock_is_on_record_all_the_same(
    office: Office, meanwhile: list[Callable[[], object]]
) -> None:
    """The connection that holds the lock is cut off in the middle."""

    def cut_off() -> None:
        (holder,) = holders(office)
        assert office.urls.admin is not None
        with psycopg.connect(conninfo(office.urls.admin), autocommit=True) as admin:
            admin.execute("SELECT pg_terminate_backend(%s, 5000)", (holder,))

    meanwhile.append(cut_off)
    assert audits(office)
    assert len(facts_of(office, BOOKS_AUDITED)) == 1
    assert holders(office) == []
