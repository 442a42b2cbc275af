"""A file whose database goes away while it is downloaded: whoever downloads it sees that it is not whole."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import psycopg
import pytest

from db.urls import DatabaseUrls, conninfo, parts
from tests.office import Office
from tests.prove.many_tickets import write_many
from tests.prove.served import sized
from tests.prove.workers import Workers, faults_in
from tests.significant.hooked import seal_all

pytestmark = pytest.mark.prove
CUT_OFF = """
    SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
    WHERE datname = %s AND application_name = 'totalizator'
"""


@pytest.fixture
def sold(database: DatabaseUrls) -> Iterator[Office]:
    """An office with many tickets, all of them sealed: several pages of a file."""
    office = Office(database)
    try:
        write_many(office, sized(20_000, 200_000))
        seal_all(office)
        office.clock("2022-11-22T18:00:00+03:00")
        yield office
    finally:
        office.close()


def test_a_register_breaks_off_in_the_middle_and_no_fault_is_told(sold: Office, tmp_path: Path) -> None:
    with Workers(sold.urls, tmp_path / "log", processes=1, threads=2) as workers:
        address = f"{workers.url}/api/v1/reports/ticket-register/export"
        headers = {"Authorization": f"Bearer {sold.auditor.token}"}
        with httpx.stream("GET", address, headers=headers, timeout=60, trust_env=False) as answer:
            assert answer.status_code == 200
            pieces = answer.iter_raw()
            begun = next(pieces)
            with psycopg.connect(conninfo(sold.urls.admin), autocommit=True) as beside:
                beside.execute(CUT_OFF, (parts(sold.urls.app)["dbname"],))
            with pytest.raises(httpx.RemoteProtocolError):
                list(pieces)
        assert "Номер билета".encode() in begun
        again = httpx.get(address, headers=headers, timeout=60, trust_env=False, params={"pool": "P1"})
        assert again.status_code == 200 and again.content.count(b"\r\n") == 1 + sized(20_000, 200_000)
    assert faults_in(tmp_path / "log") == []
    assert "file_broken_off" in (tmp_path / "log").read_text("utf-8")
