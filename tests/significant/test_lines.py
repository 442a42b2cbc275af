"""Alarms in a file and in the log: whole lines, safe on the disk, and no more than may be told (D-16)."""

from __future__ import annotations

import json
import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from office.alarms.lines_in_file import LinesInFile
from office.alarms.message import Message
from tests.office import Office
from tests.significant.hooked import ROWS, alarm, deliver_all, hook, rows


def message(number: int, length: int = 10) -> Message:
    """A message of a length."""
    body = json.dumps({"n": number, "text": "ж" * length}, ensure_ascii=False)
    return Message(f"key-{number}", number, "books_broken", "alarm", "audit:books", body)


def test_an_alarm_is_a_line_of_the_file_and_a_line_of_the_log(
    office: Office, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    hook(monkeypatch, file=tmp_path / "alarms")
    event = alarm(office, "shift:7")
    with capture_logs() as logged:
        assert deliver_all(office) == []

    (line,) = (tmp_path / "alarms").read_text("utf-8").splitlines()
    told = json.loads(line)
    assert (told["event"], told["subject"], told["facts"]) == (event, "shift:7", {"breaches": {"остаток": 1}})
    keys = dict(rows(office, ROWS.format("channel, key::text")))
    assert told["id"] == keys["file"]
    assert [entry for entry in logged if entry["event"] == "alarm"] == [
        {
            "event": "alarm",
            "log_level": "warning",
            "delivery": keys["log"],
            "significant_event": event,
            "kind": "books_broken",
            "severity": "alarm",
            "subject": "shift:7",
        }
    ]
    assert stat.S_IMODE((tmp_path / "alarms").stat().st_mode) & 0o007 == 0


def test_a_rotated_file_is_followed_by_a_new_one(tmp_path: Path) -> None:
    path = tmp_path / "alarms"
    lines = LinesInFile(path)
    lines.send(message(1))
    path.rename(tmp_path / "alarms.1")
    lines.send(message(2))
    assert [json.loads(file.read_text("utf-8"))["n"] for file in (tmp_path / "alarms.1", path)] == [1, 2]


def test_many_writers_never_mix_their_lines(tmp_path: Path) -> None:
    path = tmp_path / "alarms"
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda number: LinesInFile(path).send(message(number, 20_000)), range(64)))
    assert sorted(json.loads(line)["n"] for line in path.read_text("utf-8").splitlines()) == list(range(64))


def test_a_line_that_a_crash_cut_off_does_not_swallow_the_next(tmp_path: Path) -> None:
    path = tmp_path / "alarms"
    path.write_bytes(b'{"n": 1, "te')
    LinesInFile(path).send(message(2))
    torn, whole = path.read_text("utf-8").splitlines()
    assert torn == '{"n": 1, "te'
    assert json.loads(whole)["n"] == 2


def test_a_line_is_on_the_disk_before_it_counts_as_delivered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[bool] = []
    really = os.fsync

    def fsync(file: int) -> None:
        synced.append(stat.S_ISREG(os.fstat(file).st_mode))
        really(file)

    monkeypatch.setattr(os, "fsync", fsync)
    for number in (1, 2):
        LinesInFile(tmp_path / "alarms").send(message(number))
    assert synced == [True, False, True], "the new file and its folder, then the file alone"


def test_a_folder_that_is_not_there_is_a_failure_without_its_path(
    office: Office, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    hook(monkeypatch, file=tmp_path / "missing" / "alarms")
    alarm(office)
    assert deliver_all(office) == ["FileNotFoundError"]
    (tmp_path / "missing").mkdir()
