"""Alarms through real task workers: once each from many, and not lost when one is killed in the middle."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psycopg
import pytest

from api.alarms.work import planned_and_due
from api.tasks import task_app
from db.urls import conninfo
from tests.office import Office
from tests.prove.served import sized
from tests.prove.workers import ROOT
from tests.significant.hooked import ROWS, SECRET, alarm, rows
from tests.significant.receiver import Receiver, receiving

pytestmark = pytest.mark.prove
PATIENCE = 180.0
COMMAND = (sys.executable, "-m", "flask", "--app", "wsgi", "worker")


@contextmanager
def task_worker(office: Office, receiver: Receiver, log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A worker as an operator starts it, ended when the block ends, whatever became of it."""
    hook = {"ALARM_WEBHOOK_URL": receiver.url, "ALARM_WEBHOOK_SECRET": SECRET}
    environment = {**os.environ, **office.urls.environment(), **office.house.keys.environment(), **hook}
    with log.open("ab") as told:
        process = subprocess.Popen(COMMAND, cwd=ROOT, env=environment, stdout=told, stderr=told)
    try:
        yield process
    finally:
        process.terminate()
        process.wait(timeout=30)


def until(holds: Callable[[], bool], log: Path) -> None:
    """Return when something holds that is bound to."""
    patient_until = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < patient_until, log.read_text("utf-8", errors="replace")[-4000:]
        time.sleep(0.05)


def undelivered(office: Office) -> int:
    """How many planned alarms have not arrived."""
    return len(rows(office, "SELECT id FROM alarm_deliveries WHERE delivered_at IS NULL"))


def test_alarms_that_two_workers_find_go_out_once_each(office: Office, tmp_path: Path) -> None:
    """Two sweeps pass over the same alarms; the receiver is slow and refuses every seventh message at first."""
    number = sized(20, 200)
    log, receiver = tmp_path / "log", Receiver(answers=[*[204] * 6, 503] * 2, meanwhile=lambda: time.sleep(0.05))
    with receiving(receiver), ExitStack() as workers:
        events = [alarm(office) for _ in range(number)]
        for _ in range(2):
            workers.enter_context(task_worker(office, receiver, log))
        until(lambda: len(rows(office, ROWS.format("id"))) == 2 * number and not undelivered(office), log)
    assert sorted(
        row[0] for row in rows(office, "SELECT event_id FROM alarm_deliveries WHERE channel = 'webhook'")
    ) == (events)
    assert sorted(Counter(receiver.keys).values()) == [1] * (number - 2) + [2, 2], "the refused ones came again"
    assert log.read_text("utf-8").count('"event": "alarm"') == number


def test_a_worker_killed_before_it_has_the_answer_leaves_the_alarm_to_the_next(office: Office, tmp_path: Path) -> None:
    log, receiver = tmp_path / "log", Receiver()
    with receiving(receiver):
        alarm(office)
        planned_and_due(office.house)
        with task_worker(office, receiver, log) as doomed:

            def kill() -> None:
                # The worker has several hands, and the log's line is another one's.
                until(lambda: undelivered(office) == 1, log)
                os.kill(doomed.pid, signal.SIGKILL)

            receiver.meanwhile = kill
            until(lambda: doomed.poll() is not None, log)
        receiver.meanwhile = lambda: None
        assert doomed.returncode == -signal.SIGKILL
        assert undelivered(office) == 1, "the log's line is on record, the message is not"

        with psycopg.connect(conninfo(office.urls.owner)) as owner:
            owner.execute("UPDATE procrastinate_workers SET last_heartbeat = now() - interval '2 minutes'")
        app = task_app(office.house)
        with app.open():
            app.configure_task("requeue_stalled").defer(timestamp=0)
        with task_worker(office, receiver, log):
            until(lambda: undelivered(office) == 0, log)
    assert len(receiver.came) == 2 and len(set(receiver.keys)) == 1
