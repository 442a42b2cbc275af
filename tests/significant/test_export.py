"""The log as a file: as of a seal, and the same bytes whenever it is asked for again (DESIGN 3.8; FIELD-FAULTS 071)."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import psycopg
import pytest

from db.session import transaction
from db.urls import conninfo
from office.significant import export
from office.significant.kinds import LARGE_BET
from office.significant.log import note
from tests.office import Office
from tests.significant.hooked import seal_all

TEN, ELEVEN = "2022-11-22T10:00:00+03:00", "2022-11-22T11:00:00+03:00"


@pytest.fixture
def log(office: Office) -> None:
    """Two events sealed at ten, a third one sealed at eleven, a fourth not sealed."""
    assert office.administrator
    office.clock("2022-11-22T09:59:00+03:00")
    write_down(office, "ticket:1", "1000.00")
    write_down(office, "=1+1", "2000.00")
    seal_all(office)
    office.clock("2022-11-22T10:59:00+03:00")
    write_down(office, "ticket:3", "3000.00")
    seal_all(office)
    write_down(office, "ticket:4", "4000.00")
    office.clock("2022-11-22T11:30:00+03:00")


def write_down(office: Office, subject: str, stake: str) -> None:
    """A large bet is written down."""
    with transaction(office.house.sessions) as session:
        note(session, LARGE_BET, subject, pool="P1", stake=stake)


def exported(office: Office, **query: str) -> bytes:
    """The file."""
    answer = office.administrator.get("/significant-events/export", **query)
    assert answer.status_code == 200, answer.json
    return bytes(answer.data)


def subjects(written: bytes) -> list[str]:
    """The subjects in a file, in their order."""
    lines = csv.DictReader(io.StringIO(written.decode("utf-8-sig"), newline=""), delimiter=";")
    return [line["Предмет"] for line in lines]


def test_a_file_holds_what_was_sealed_by_then(office: Office, log: None) -> None:
    answer = office.administrator.get("/significant-events/export", as_of=TEN, kind="large_bet")
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert answer.headers["Content-Disposition"] == 'attachment; filename="significant-events-1.csv"'
    assert answer.headers["As-Of-Seal"] == "1"
    lines = answer.data.decode("utf-8").split("\r\n")
    assert lines[0] == ("\ufeffНомер;Момент;Код события;Событие;Важность;Предмет;Пользователь;Игрок;Терминал;Сведения")
    number, instant, *others = lines[1].split(";")
    assert number.isdigit() and instant.startswith("2022-11-22T09:59:0") and instant.endswith("+03:00")
    facts = '"{""pool"": ""P1"", ""stake"": ""1000.00""}"'
    assert others == ["large_bet", "Крупная ставка", "warning", "ticket:1", "", "", "", facts]
    assert lines[2].split(";")[5] == "'=1+1", "no spreadsheet takes it for a formula"
    assert lines[3:] == [""]
    assert subjects(exported(office, as_of=ELEVEN, kind="large_bet")) == ["ticket:1", "'=1+1", "ticket:3"]


def test_the_same_question_gives_the_same_bytes_whatever_happened_since(office: Office, log: None) -> None:
    first = exported(office, as_of=TEN)
    seal_all(office)
    write_down(office, "ticket:5", "5000.00")
    assert exported(office, as_of=TEN) == first
    assert exported(office, as_of="2022-11-22T07:00:00Z") == first
    assert exported(office, as_of=TEN, kind="books_broken").count(b"\r\n") == 1


def test_an_export_is_an_event_itself_and_not_in_its_own_file(office: Office, log: None) -> None:
    seal_all(office)
    written = exported(office, kind="large_bet")
    assert subjects(written) == ["ticket:1", "'=1+1", "ticket:3", "ticket:4"]
    (event,) = office.administrator.get("/significant-events", kind="events_exported").json["items"]
    assert event["user_id"] is not None
    assert event["subject"].startswith("seal:")
    assert event["facts"]["wanted"] == {"kind": "large_bet"}


def test_what_cannot_be_answered_is_refused_and_writes_nothing(office: Office) -> None:
    assert office.administrator
    for query, told in (
        ({}, (409, "nothing_sealed")),
        ({"as_of": "2022-11-22T23:00:00+03:00"}, (422, "instant_in_future")),
        ({"as_of": "2022-11-22T07:00:00"}, (422, "validation_failed")),
    ):
        answer = office.administrator.get("/significant-events/export", **query)
        assert (answer.status_code, answer.json["code"]) == told
    assert office.administrator.get("/significant-events", kind="events_exported").json["items"] == []


def test_pages_of_a_file_fit_together_and_no_connection_is_held_between_them(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert office.administrator
    for number in range(1, 8):
        write_down(office, f"ticket:{number}", "1000.00")
    seal_all(office)
    monkeypatch.setattr(export, "PAGE", 3)
    whole = [f"ticket:{number}" for number in range(1, 8)]
    assert subjects(exported(office, kind="large_bet")) == whole
    with transaction(office.house.sessions) as session:
        fixed = export.begin_export(session, None, export.Wanted(kind="large_bet"), None)
    rows = export.exported_rows(
        office.house.sessions, fixed, export.Wanted(kind="large_bet"), office.house.operator.zone_at(fixed.sealed_at)
    )
    read = []
    for row in rows:
        read.append(row[5])
        assert office.house.engine.pool.checkedout() == 0, "a slow reader keeps no connection"
    assert read == whole


def test_whoever_seals_at_this_moment_is_waited_for(office: Office, log: None) -> None:
    """A seal that is being written may bear an instant already past: the answer would not be the last one."""
    with psycopg.connect(conninfo(office.urls.app)) as sealing:
        sealing.execute("SELECT pg_advisory_xact_lock(7120002)")
        with office.house.sessions() as session:
            session.connection().exec_driver_sql("SET LOCAL lock_timeout = '200ms'")
            with pytest.raises(Exception, match="lock timeout"):
                export.begin_export(session, None, export.Wanted(), None)


def test_the_command_writes_the_same_bytes_whole_or_not_at_all(office: Office, log: None, tmp_path: Path) -> None:
    run = office.app.test_cli_runner().invoke
    file = tmp_path / "events.csv"
    done = run(args=["significant-events", "export", str(file), "--as-of", TEN])
    assert done.exit_code == 0, done.output
    assert file.read_bytes() == exported(office, as_of=TEN)
    assert list(tmp_path.iterdir()) == [file]

    for wrong in (["--as-of", "2022-11-22T10:00:00"], ["--as-of", "2022-11-22T07:00:00+03:00"], ["--kind", "none"]):
        assert run(args=["significant-events", "export", str(tmp_path / "other.csv"), *wrong]).exit_code != 0
    missing = run(args=["significant-events", "export", str(tmp_path / "none" / "events.csv")])
    assert missing.exit_code == 1 and "Файл не записан" in missing.output
    assert list(tmp_path.iterdir()) == [file]
