"""Which events go out: every loud one, once for each channel, in whatever order they commit."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from sqlalchemy import insert, select

from api.alarms.work import planned_and_due
from db.clock import trade_time
from db.session import transaction
from db.urls import conninfo
from ledger.seals.sealing import seal
from office.settings.versions import SettingVersion
from office.significant.kinds import BOOKS_AUDITED, BOOKS_BROKEN, LARGE_BET
from office.significant.log import note
from office.users import User
from tests.office import Office
from tests.significant.hooked import ROWS, alarm, deliver_all, hook, rows, seal_all

PLANNED = ROWS.format("channel, event_id")


@pytest.fixture(autouse=True)
def only_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """No channel but the log, whatever the environment of the tests names."""
    hook(monkeypatch)


def warn_too(office: Office) -> None:
    """From now on warnings go out as well."""
    with transaction(office.house.sessions) as session:
        session.execute(
            insert(SettingVersion).values(
                name="alarm_on_warnings",
                value=True,
                old=False,
                effective_from=trade_time(session),
                reason="проба",
                changed_by=session.scalars(select(User.id)).first(),
            )
        )


def test_alarms_go_out_and_notices_do_not(office: Office) -> None:
    alarm(office, kind=BOOKS_AUDITED)
    warning = alarm(office, "ticket:1", LARGE_BET)
    loud = alarm(office)
    assert deliver_all(office) == []
    assert rows(office, PLANNED) == [("log", loud)]

    warn_too(office)
    planned_and_due(office.house)
    assert rows(office, PLANNED) == [("log", loud), ("log", warning)]


def test_an_early_id_that_commits_late_goes_out(office: Office) -> None:
    """A draws its id and stays open; B draws the next, commits and goes out, a seal is made; then A commits."""
    with office.house.sessions() as slow:
        note(slow, BOOKS_BROKEN, "audit:slow")
        quick = alarm(office, "audit:quick")
        deliver_all(office)
        assert rows(office, PLANNED) == [("log", quick)]
        assert "significant_events" in seal(office.house.sessions, patience=0.1).unfinished
        deliver_all(office)
        slow.commit()

    deliver_all(office)
    assert rows(office, PLANNED) == [("log", quick), ("log", quick - 1)]


def test_behind_a_seal_nothing_is_planned_twice_and_all_that_comes_is(office: Office) -> None:
    first = alarm(office)
    deliver_all(office)
    seal_all(office)
    for _ in range(2):
        deliver_all(office)
    assert rows(office, f"SELECT planned_below > {first} FROM alarm_channels") == [(True,)]
    second = alarm(office)
    deliver_all(office)
    assert rows(office, PLANNED) == [("log", first), ("log", second)]


def test_a_channel_set_for_the_first_time_is_spared_the_history_and_one_set_again_gets_what_it_missed(
    office: Office, monkeypatch: pytest.MonkeyPatch, tmp_path
) -> None:
    alarm(office)
    with psycopg.connect(conninfo(office.urls.owner)) as owner:
        owner.execute("ALTER TABLE significant_events DISABLE TRIGGER USER")
        owner.execute("UPDATE significant_events SET recorded_at = recorded_at - interval '25 hours'")
    recent = alarm(office)
    seal_all(office)
    hook(monkeypatch, file=tmp_path / "alarms")
    deliver_all(office)
    assert rows(office, PLANNED) == [("file", recent), ("log", recent)]

    hook(monkeypatch)
    del office.house.alarm_channels
    missed = alarm(office)
    deliver_all(office)
    seal_all(office)
    hook(monkeypatch, file=tmp_path / "alarms")
    del office.house.alarm_channels
    deliver_all(office)
    assert rows(office, PLANNED + " DESC")[:2] == [("file", missed), ("log", missed)]
    assert len((tmp_path / "alarms").read_text("utf-8").splitlines()) == 2


def test_many_who_plan_at_once_plan_each_event_once(office: Office) -> None:
    events = [alarm(office) for _ in range(20)]
    with ThreadPoolExecutor(6) as threads:
        for planning in [threads.submit(planned_and_due, office.house) for _ in range(6)]:
            planning.result()
    assert rows(office, PLANNED) == [("log", event) for event in events]


def test_writing_an_event_down_defers_nothing(office: Office) -> None:
    """A bet of 1000.00 is large, and placing it leaves nothing in the queue."""
    office.pool()
    assert office.bet(office.cashier, "1", "1000.00").status_code == 201
    assert rows(office, "SELECT kind FROM significant_events WHERE kind = 'large_bet'") == [("large_bet",)]
    assert rows(office, "SELECT count(*) FROM procrastinate_jobs") == [(0,)]
