"""How the house stands, as its database tells it: seals behind, jobs waiting, workers silent, pools overdue."""

from __future__ import annotations

from sqlalchemy import text

from api.watch.standing import Standing
from db.engines import probe_for
from db.session import transaction
from ledger.seals.sealing import seal
from tests.api.figures import read
from tests.office import Office
from tote.closing import close_due
from tote.expiry import expire_due

JOB = "INSERT INTO procrastinate_jobs (queue_name, task_name, status, scheduled_at) VALUES ('default', 'seal', {}, {})"
SLOW = 60.0
"""Seconds that a slow machine may take between a statement and the look at it."""


def standing(office: Office) -> dict[str, float]:
    """The gauges of this moment."""
    return read(Standing(office.house.probe).exposition().decode())


def as_owner(office: Office, *statements: str) -> None:
    """Write what a worker would, or time."""
    with transaction(office.owner) as session:
        for statement in statements:
            session.execute(text(statement))


def test_pools_on_sale_and_pools_nobody_closed(office: Office) -> None:
    """Three pools until 12:55, looked at five minutes later; one of them was closed by hand."""
    for code in ("P1", "P2", "P3"):
        office.pool(code)
    office.organizer.post("/pools/P2/closing")
    now = standing(office)
    assert (now["pools{state=open}"], now["pools{state=overdue}"], now["pool_overdue_seconds"]) == (2, 0, 0)

    office.clock("2022-11-22T13:00:00+03:00")
    late = standing(office)
    assert (late["pools{state=open}"], late["pools{state=overdue}"]) == (0, 2)
    assert 300 <= late["pool_overdue_seconds"] < 300 + SLOW

    close_due(office.house.sessions, office.house.operator)
    done = standing(office)
    assert (done["pools{state=overdue}"], done["pool_overdue_seconds"]) == (0, 0)


def test_wins_past_their_term_that_are_not_booked_yet(office: Office) -> None:
    """Paid to the end of 23 February, looked at an hour later; three won, and one of them was paid."""
    pool = office.pool()
    tickets = [office.bet(office.cashier, "1", "10.00").json for _ in range(3)]
    office.bet(office.cashier, "2", "30.00")
    office.decide(pool, "1")
    office.clock("2023-02-23T12:00:00+03:00")
    assert office.pay(tickets[0]["code"]).status_code == 201
    assert (standing(office)["wins_overdue"], standing(office)["win_overdue_seconds"]) == (0, 0)

    office.clock("2023-02-24T01:00:00+03:00")
    late = standing(office)
    assert late["wins_overdue"] == 2
    assert 3600 <= late["win_overdue_seconds"] < 3600 + SLOW

    expire_due(office.house.sessions, office.house.operator)
    assert (standing(office)["wins_overdue"], standing(office)["win_overdue_seconds"]) == (0, 0)


def test_the_age_of_the_oldest_fact_that_is_not_sealed(office: Office) -> None:
    """A fact written an hour ago and younger ones; when all are sealed nothing is behind, whatever time goes by."""
    seal(office.house.sessions)
    as_owner(
        office,
        "INSERT INTO clock_shifts (recorded_at, shift, reason)"
        " SELECT clock_timestamp() - interval '1 hour', shift, reason FROM clock_shifts ORDER BY id LIMIT 1",
    )
    assert 3600 <= standing(office)["seal_lag_seconds"] < 3600 + SLOW

    seal(office.house.sessions)
    assert standing(office)["seal_lag_seconds"] == 0

    office.pool()
    assert 0 < standing(office)["seal_lag_seconds"] < SLOW


def test_the_oldest_due_job_and_jobs_by_status(office: Office) -> None:
    """One put off until two minutes ago, one until tomorrow, one that came five minutes ago, two that ended."""
    as_owner(
        office,
        JOB.format("'todo'", "now() - interval '2 minutes'"),
        JOB.format("'todo'", "now() + interval '1 day'"),
        JOB.format("'failed'", "now() - interval '1 day'"),
        JOB.format("'failed'", "NULL"),
    )
    now = standing(office)
    assert (now["jobs{status=todo}"], now["jobs{status=failed}"], now["jobs{status=doing}"]) == (2, 2, 0)
    assert 120 <= now["queue_lag_seconds"] < 120 + SLOW

    as_owner(
        office,
        JOB.format("'todo'", "NULL"),
        "UPDATE procrastinate_events SET at = now() - interval '5 minutes'"
        " WHERE job_id = (SELECT max(id) FROM procrastinate_jobs)",
    )
    assert 300 <= standing(office)["queue_lag_seconds"] < 300 + SLOW


def test_workers_that_gave_no_sign_of_life_are_silent(office: Office) -> None:
    as_owner(
        office,
        "INSERT INTO procrastinate_workers (last_heartbeat) VALUES (now()), (now() - interval '2 minutes')",
    )
    now = standing(office)
    assert (now["task_workers{state=alive}"], now["task_workers{state=silent}"]) == (1, 1)
    assert (now["queue_lag_seconds"], now["database_up"]) == (0, 1)


def test_while_the_database_is_away_that_is_all_they_say() -> None:
    nowhere = probe_for("postgresql://nobody:no@127.0.0.1:1/none")
    assert read(Standing(nowhere).exposition().decode()) == {"database_up": 0}
