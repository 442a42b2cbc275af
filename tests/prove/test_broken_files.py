"""A file whose database goes away while it is downloaded: whoever downloads it sees that it is not whole."""

from __future__ import annotations

import json
import socket
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
REGISTER = "/api/v1/reports/ticket-register/export"


def cut_off(office: Office) -> None:
    """End every connection of the application, as an administrator of the database may."""
    with psycopg.connect(conninfo(office.urls.admin), autocommit=True) as beside:
        beside.execute(CUT_OFF, (parts(office.urls.app)["dbname"],))


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
        address = f"{workers.url}{REGISTER}"
        headers = {"Authorization": f"Bearer {sold.auditor.token}"}
        with httpx.stream("GET", address, headers=headers, timeout=60, trust_env=False) as answer:
            assert answer.status_code == 200
            pieces = answer.iter_raw()
            begun = next(pieces)
            cut_off(sold)
            with pytest.raises(httpx.RemoteProtocolError):
                list(pieces)
        assert "Номер билета".encode() in begun
        again = httpx.get(address, headers=headers, timeout=60, trust_env=False, params={"pool": "P1"})
        assert again.status_code == 200 and again.content.count(b"\r\n") == 1 + sized(20_000, 200_000)
    assert faults_in(tmp_path / "log") == []
    (told,) = [json.loads(line) for line in (tmp_path / "log").read_text("utf-8").splitlines() if "broken_off" in line]
    assert (told["event"], told["error"]) == ("file_broken_off", "AdminShutdown")
    assert told["route"].endswith("/export")


def test_whoever_cannot_be_told_of_a_break_gets_a_file_that_is_whole(sold: Office, tmp_path: Path) -> None:
    """To a client of HTTP/1.0 the line's end is the file's: it is told the length, and sent nothing that may break."""
    with Workers(sold.urls, tmp_path / "log", processes=1, threads=2) as workers:
        host, port = workers.url.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), timeout=60) as line:
            line.sendall(f"GET {REGISTER} HTTP/1.0\r\nAuthorization: Bearer {sold.auditor.token}\r\n\r\n".encode())
            head, _, begun = line.recv(65_536).partition(b"\r\n\r\n")
            cut_off(sold)
            rest = b"".join(iter(lambda: line.recv(65_536), b""))
    told = dict(named.split(": ", 1) for named in head.decode("latin-1").split("\r\n")[1:])
    assert int(told["Content-Length"]) == len(begun + rest)
    assert (begun + rest).count(b"\r\n") == 1 + sized(20_000, 200_000)
