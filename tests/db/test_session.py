"""Connections through a pooler, and what must not be left to it."""

from __future__ import annotations

import pytest

from db.errors import SetupError
from db.session import engine_through_pooler
from db.urls import DatabaseUrls


def test_a_pooler_whose_sessions_keep_another_zone_is_refused(fresh_database: DatabaseUrls) -> None:
    with engine_through_pooler(fresh_database.app, pool_size=1).connect() as connection:
        assert connection.exec_driver_sql("SHOW timezone").scalar_one() == "UTC"
    other = engine_through_pooler(f"{fresh_database.app}?options=-c%20timezone%3DAsia/Qatar", pool_size=1)
    with pytest.raises(SetupError, match="keep Asia/Qatar: set timezone=UTC"):
        other.connect()
