"""The task worker's work: due pools are closed, what was written is sealed, a dead worker's jobs go back."""

from __future__ import annotations

import asyncio
import os
import socket

import psycopg
from procrastinate import App, PsycopgConnector

from api.tasks import SWEEPS, task_app
from tests.office import Office
from tests.records import let_pass


def work(office: Office, *names: str) -> None:
    """Put work into the queue and let a worker empty it."""
    app = task_app(office.house)
    # Only what is asked for: whatever else is due this minute must not be done beside it.
    app.periodic_registry.periodic_tasks.clear()
    with app.open():
        for name in names:
            app.configure_task(name).defer(timestamp=0)
    app.run_worker(wait=False, listen_notify=False, install_signal_handlers=False)


def test_a_pool_whose_window_is_over_is_closed(office: Office) -> None:
    office.pool("P1")
    office.bet(office.cashier, "1", "10.00")
    office.clock("2022-11-22T12:55:00+03:00")

    work(office, "close_due_pools")

    sheet = office.organizer.get("/pools/P1/sheet").json
    # 60 % of 10.00
    assert (sheet["status"], sheet["withdrawal"], sheet["fund"]) == ("withdrawal_taken", "4.00", "6.00")


def test_a_pool_still_selling_stays_open(office: Office) -> None:
    office.pool("P1")

    work(office, "close_due_pools")

    assert office.organizer.get("/pools/P1").json["status"] == "open"


def test_wins_nobody_fetched_lapse(office: Office) -> None:
    """10.00 and 10.00 beside it: the 12.00 is the jackpot's from 24 February on."""
    pool = office.pool("P1")
    office.bet(office.cashier, "1", "10.00")
    office.bet(office.cashier, "2", "10.00")
    office.decide(pool, "1")
    office.clock("2023-02-24T00:00:00+03:00")

    work(office, "expire_wins")

    assert office.balance("jackpot", "totolot") == "12.00"


def test_what_was_written_is_sealed(office: Office) -> None:
    office.pool("P1")

    work(office, "seal")

    assert rows(office, "SELECT count(*) FROM seals") == [(1,)]


def test_old_counts_of_attempts_are_swept(office: Office) -> None:
    told = {"login": "administrator", "password": "a guess"}
    assert office.client.post("/api/v1/sessions", json=told).status_code == 401
    let_pass(office, 3601)

    work(office, "sweep_attempt_counts")

    assert rows(office, "SELECT count(*) FROM attempt_counts") == [(0,)]


def test_all_sweeps_run_every_minute_alarms_every_ten_seconds_and_none_waits_twice(office: Office) -> None:
    app = task_app(office.house)

    scheduled = {
        task.task.name: (task.cron, task.task.queueing_lock) for task in app.periodic_registry.periodic_tasks.values()
    }

    every_minute = {name: ("* * * * *", name) for name in (*SWEEPS, "requeue_stalled")}
    assert scheduled == {**every_minute, "raise_alarms": ("* * * * * */10", "raise_alarms")}


def test_a_dead_workers_job_goes_back_to_the_queue(office: Office) -> None:
    """A worker that gave no sign of life for two minutes held a job; it is done by the one that comes after."""
    office.pool("P1")
    office.clock("2022-11-22T12:55:00+03:00")
    job = left_by_a_dead_worker(office, "close_due_pools")

    work(office, "requeue_stalled")

    assert rows(office, f"SELECT status FROM procrastinate_jobs WHERE id = {job}") == [("succeeded",)]
    assert office.organizer.get("/pools/P1").json["status"] == "withdrawal_taken"


def test_what_waits_already_is_not_given_back_and_keeps_nothing_behind_it(office: Office) -> None:
    """A worker died over a sealing, which is due again and waits, and over a closing that stands behind it."""
    office.pool("P1")
    office.clock("2022-11-22T12:55:00+03:00")
    sealing, closing = (left_by_a_dead_worker(office, name) for name in ("seal", "close_due_pools"))

    work(office, "requeue_stalled", "seal")

    assert rows(office, f"SELECT id FROM procrastinate_jobs WHERE id = {sealing}") == []
    assert rows(office, f"SELECT status FROM procrastinate_jobs WHERE id = {closing}") == [("succeeded",)]
    assert rows(office, "SELECT task_name FROM procrastinate_jobs WHERE status <> 'succeeded'") == []
    assert rows(office, "SELECT count(*) FROM seals") == [(1,)]
    assert office.organizer.get("/pools/P1").json["status"] == "withdrawal_taken"


def test_the_queue_gives_up_a_server_that_is_gone_as_soon_as_the_sweeps_do(office: Office) -> None:
    """Else a worker whose database's machine went out would hang for a quarter of an hour, and close no pool."""
    assert asyncio.run(unanswered_for(task_app(office.house))) == 10_000


async def unanswered_for(app: App) -> int:
    """Milliseconds for which the system waits for an answer on a connection of the queue."""
    assert isinstance(app.connector, PsycopgConnector)
    async with app.open_async(), app.connector.pool.connection() as connection:
        with socket.socket(fileno=os.dup(connection.fileno())) as line:
            return line.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT)


def left_by_a_dead_worker(office: Office, name: str) -> int:
    """The number of a job that was begun by a worker which gave no sign of life for two minutes."""
    with psycopg.connect(office.urls.owner) as connection:
        (dead,) = connection.execute(
            "INSERT INTO procrastinate_workers (last_heartbeat) VALUES (now() - interval '2 minutes') RETURNING id"
        ).fetchone()
        (job,) = connection.execute(
            "INSERT INTO procrastinate_jobs (queue_name, task_name, status, worker_id, args, queueing_lock) "
            "VALUES ('default', %(name)s, 'doing', %(dead)s, '{\"timestamp\": 0}', %(lock)s) RETURNING id",
            {"name": name, "dead": dead, "lock": name},
        ).fetchone()
    return int(job)


def rows(office: Office, query: str) -> list[tuple[object, ...]]:
    """What the database answers."""
    with psycopg.connect(office.urls.app) as connection:
        return connection.execute(query).fetchall()
