"""Instants are aware and stored in UTC; a naive one is refused before it can decide a right (FIELD-FAULTS 110)."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import select
from sqlalchemy.exc import ProgrammingError, StatementError

from db.clock import ClockShift, set_clock, trade_time, was_shifted
from db.engines import engine_for
from db.instants import NaiveInstantError, as_utc, local_date
from db.session import sessions_on, transaction
from db.urls import DatabaseUrls
from ledger.settlements import SettlementCrediting

MINSK = ZoneInfo("Europe/Minsk")
NIGHT = datetime.fromisoformat("2026-03-29T01:30:00+03:00")


def test_a_night_in_minsk_is_the_evening_before_in_utc() -> None:
    """01:30 at +03:00 on 29 March is 22:30 UTC on 28 March, and still the 29th where the operator is."""
    assert as_utc(NIGHT) == datetime(2026, 3, 28, 22, 30, tzinfo=UTC)
    assert local_date(as_utc(NIGHT), MINSK) == date(2026, 3, 29)


def test_a_naive_instant_is_refused() -> None:
    with pytest.raises(NaiveInstantError, match="no offset"):
        as_utc(datetime(2026, 3, 29, 1, 30))  # noqa: DTZ001 - naive on purpose


def test_a_column_refuses_a_naive_instant(database: DatabaseUrls) -> None:
    with sessions_on(engine_for(database.app))() as session:
        naive = select(SettlementCrediting).where(SettlementCrediting.credited_at < datetime(2026, 3, 29))  # noqa: DTZ001

        with pytest.raises(StatementError) as refused:
            session.execute(naive)

        assert isinstance(refused.value.orig, NaiveInstantError)


def test_a_column_gives_back_utc_in_a_session_of_any_zone(database: DatabaseUrls) -> None:
    owner = sessions_on(engine_for(database.owner))
    with transaction(owner) as session:
        session.execute(ClockShift.__table__.insert().values(shift=timedelta(hours=1), reason="test"))
        session.connection().exec_driver_sql("SET LOCAL TimeZone TO 'Asia/Qatar'")
        stored = session.scalars(select(ClockShift.recorded_at)).one()

    assert stored.utcoffset() == timedelta(0)


def test_the_owner_sets_the_trades_clock_and_the_database_is_marked(database: DatabaseUrls) -> None:
    owner, application = sessions_on(engine_for(database.owner)), sessions_on(engine_for(database.app))
    with transaction(application) as session:
        assert not was_shifted(session)
    with transaction(owner) as session:
        set_clock(session, NIGHT, "test")

    with transaction(application) as session:
        assert timedelta(0) <= trade_time(session) - NIGHT < timedelta(minutes=1)
        assert was_shifted(session)


def test_the_application_cannot_shift_the_clock(database: DatabaseUrls) -> None:
    with sessions_on(engine_for(database.app))() as session, pytest.raises(ProgrammingError, match="permission denied"):
        set_clock(session, NIGHT, "test")
