"""The log of significant events is found again: by what it says, page by page, one event at a time."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest
from sqlalchemy import select
from sqlalchemy.dialects import postgresql

from db.session import transaction
from db.urls import conninfo
from ledger.seals.findings import Fault
from ledger.seals.verify import verify
from office.callers import Caller, Role
from office.significant.kinds import BOOKS_BROKEN, LARGE_BET, USER_CREATED
from office.significant.log import SignificantEvent, note
from office.significant.search import Wanted
from office.users import User
from tests.office import Office
from tests.significant.hooked import seal_all

MORNING, NOON, EVENING = (f"2022-11-22T{hour}:00:00+03:00" for hour in ("08", "12", "18"))


@pytest.fixture
def log(office: Office) -> list[int]:
    """Three events of three hours, kinds, severities and subjects; the second one by the administrator."""
    assert office.administrator
    with transaction(office.house.sessions) as session:
        administrator = session.scalars(select(User.id).where(User.login == "administrator")).one()
    by = Caller(Role.ADMINISTRATOR, user_id=administrator)
    for instant, kind, subject, who in (
        (MORNING, LARGE_BET, "ticket:1", None),
        (NOON, USER_CREATED, "user:7", by),
        (EVENING, BOOKS_BROKEN, "audit:books", None),
    ):
        office.clock(instant)
        with transaction(office.house.sessions) as session:
            note(session, kind, subject, who, was="1.00", became=None)
    with transaction(office.house.sessions) as session:
        # The administrator's own login came first.
        return list(session.scalars(select(SignificantEvent.id).order_by(SignificantEvent.id)))[-3:]


def found(office: Office, **query: Any) -> list[int]:
    """The numbers of the events found."""
    answer = office.administrator.get("/significant-events", **query)
    assert answer.status_code == 200, answer.json
    return [event["id"] for event in answer.json["items"]]


def test_each_filter_finds_its_events_the_newest_first(office: Office, log: list[int]) -> None:
    first, second, third = log
    user = office.administrator.get(f"/significant-events/{second}").json["user_id"]
    assert found(office)[:3] == [third, second, first]
    assert found(office, kind="large_bet") == [first]
    assert found(office, severity="alarm") == [third]
    assert found(office, subject="user:7") == [second]
    assert found(office, user_id=user) == [second]
    assert found(office, **{"from": "2022-11-22T12:00:00+03:00"}) == [third, second]
    assert found(office, until="2022-11-22T12:00:00+03:00")[0] == first
    assert found(office, **{"from": "2022-11-22T09:00:00+03:00", "until": "2022-11-22T13:00:00+03:00"}) == [second]
    assert found(office, kind="large_bet", severity="alarm") == []


def test_one_event_is_shown_with_its_title_and_facts(office: Office, log: list[int]) -> None:
    shown = office.administrator.get(f"/significant-events/{log[2]}").json
    assert shown.pop("recorded_at")
    assert shown.pop("occurred_at").startswith("2022-11-22T15:00:0")
    assert shown == {
        "id": log[2],
        "kind": "books_broken",
        "title": "Сверка книг: найдены расхождения",
        "severity": "alarm",
        "subject": "audit:books",
        "user_id": None,
        "player_id": None,
        "terminal_id": None,
        "facts": {"was": "1.00", "became": None},
    }
    assert office.administrator.get("/significant-events/999").status_code == 404


def test_pages_fit_together_while_events_are_added(office: Office, log: list[int]) -> None:
    seen, cursor = [], 0
    while cursor is not None:
        page = office.administrator.get("/significant-events", limit=1, cursor=cursor).json
        seen += [event["id"] for event in page["items"]]
        cursor = page["next_cursor"]
        with transaction(office.house.sessions) as session:
            note(session, LARGE_BET, "ticket:2")
    assert seen == list(range(log[-1], 0, -1))


@pytest.mark.parametrize(
    "query",
    [
        {"kind": "unknown"},
        {"severity": "loud"},
        {"subject": "a b"},
        {"user_id": "0"},
        {"from": "2022-11-22T08:00:00"},
        {"until": "yesterday"},
        {"limit": "1000"},
        {"colour": "red"},
    ],
)
def test_a_wrong_question_is_told_which_field_to_mend(office: Office, query: dict[str, str]) -> None:
    answer = office.administrator.get("/significant-events", **query)
    assert (answer.status_code, answer.json["code"]) == (422, "validation_failed")
    assert list(answer.json["errors"]["query"]) == list(query)


PLANS = {
    "ix_significant_events_kind_id": Wanted(kind="books_broken"),
    "ix_significant_events_severity_id": Wanted(severity="alarm"),
    "ix_significant_events_subject_id": Wanted(subject="ticket:777"),
    "ix_significant_events_user_id_id": Wanted(user_id=1),
}


def test_an_index_serves_each_filter(office: Office) -> None:
    """Among 50,000 events of another kind, those looked for are read by their own index."""
    with psycopg.connect(conninfo(office.urls.owner), autocommit=True) as owner:
        owner.execute(
            "INSERT INTO significant_events (kind, severity, subject, facts, occurred_at) SELECT 'large_bet', "
            "'warning', 'ticket:' || n, '{}', now() - n * interval '1 minute' FROM generate_series(1, 50000) AS n"
        )
        owner.execute("ANALYZE significant_events")
        for index, wanted in PLANS.items():
            assert index in plan_of(owner, wanted), index
        narrow = "SELECT * FROM significant_events WHERE occurred_at >= now() - interval '5 minutes' ORDER BY id DESC"
        assert "ix_significant_events_occurred_at" in explained(owner, narrow)


def plan_of(owner: psycopg.Connection, wanted: Wanted) -> str:
    """How the database finds the first page."""
    query = select(SignificantEvent.id).where(*wanted.conditions()).order_by(SignificantEvent.id.desc()).limit(51)
    return explained(owner, str(query.compile(dialect=postgresql.dialect(), compile_kwargs={"literal_binds": True})))


def explained(owner: psycopg.Connection, query: str) -> str:
    """The plan of a query."""
    return "\n".join(line for (line,) in owner.execute(f"EXPLAIN {query}"))


def test_an_event_that_somebody_alters_is_named(office: Office, log: list[int]) -> None:
    seal_all(office)
    with psycopg.connect(conninfo(office.urls.app)) as application, pytest.raises(psycopg.errors.InsufficientPrivilege):
        application.execute("UPDATE significant_events SET severity = 'notice'")
    with psycopg.connect(conninfo(office.urls.owner)) as owner:
        with pytest.raises(psycopg.errors.RestrictViolation), owner.transaction():
            owner.execute("UPDATE significant_events SET severity = 'notice'")
        owner.execute("ALTER TABLE significant_events DISABLE TRIGGER USER")
        owner.execute('UPDATE significant_events SET facts = \'{"was": "2.00"}\' WHERE id = %s', (log[1],))
        owner.execute("ALTER TABLE significant_events ENABLE ALWAYS TRIGGER append_only")
    with office.house.engine.connect() as connection:
        findings = [(found.fault, found.table, found.id) for found in verify(connection)]
    assert findings == [(Fault.CHANGED, "significant_events", log[1])]
