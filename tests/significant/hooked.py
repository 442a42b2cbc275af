"""An office with its alarm hook: alarms are raised, and a worker's rounds are made while no time passes."""

from __future__ import annotations

import base64
import hashlib
import hmac
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import select

from api.alarms.work import planned_and_due
from api.tasks import task_app
from db.session import transaction
from db.urls import conninfo
from ledger.seals.sealing import seal
from office.alarms.delivery import UndeliveredError, deliver
from office.significant.kinds import BOOKS_BROKEN, Kind
from office.significant.log import SignificantEvent, note
from tests.office import Office

SECRET = base64.b64encode(bytes(range(32))).decode()
ROWS = "SELECT {} FROM alarm_deliveries ORDER BY id"


def hook(patched: pytest.MonkeyPatch, url: str = "", file: Path | None = None, secret: str = SECRET) -> None:
    """Set the channels of houses that are opened from now on."""
    told = {"ALARM_WEBHOOK_URL": url, "ALARM_FILE": str(file or ""), "ALARM_WEBHOOK_SECRET": secret if url else ""}
    for name, value in told.items():
        patched.setenv(name, value)


def alarm(office: Office, subject: str = "audit:books", kind: Kind = BOOKS_BROKEN) -> int:
    """Something is written down; the event's number."""
    with transaction(office.house.sessions) as session:
        note(session, kind, subject, breaches={"остаток": 1})
        return int(session.scalars(select(SignificantEvent.id).order_by(SignificantEvent.id.desc()).limit(1)).one())


def work(office: Office, *names: str) -> None:
    """A worker does this work and all that follows from it and is due, and ends."""
    app = task_app(office.house)
    app.periodic_registry.periodic_tasks.clear()
    with app.open():
        for name in names:
            app.configure_task(name).defer(timestamp=0)
    app.run_worker(wait=False, listen_notify=False, install_signal_handlers=False, delete_jobs="successful")


def let_pauses_pass(office: Office) -> None:
    """What waits for its next attempt is due now."""
    with psycopg.connect(conninfo(office.urls.owner)) as owner:
        owner.execute("UPDATE alarm_deliveries SET next_attempt_at = now()")
        owner.execute("UPDATE procrastinate_jobs SET scheduled_at = now() WHERE status = 'todo'")


def deliver_all(office: Office) -> list[str]:
    """Plan, and make one attempt of whatever is due; the faults."""
    faults = []
    for delivery in planned_and_due(office.house):
        try:
            deliver(office.house.sessions, office.house.alarm_channels, delivery)
        except UndeliveredError as error:
            faults.append(str(error))
    return faults


def rows(office: Office, query: str) -> list[tuple[Any, ...]]:
    """What the database answers."""
    with psycopg.connect(conninfo(office.urls.app)) as connection:
        return connection.execute(query).fetchall()


def seal_all(office: Office) -> None:
    """Everything written so far gets its seal."""
    assert seal(office.house.sessions).unfinished == ()


def signed_by(headers: dict[str, str], body: bytes, secret: str = SECRET) -> bool:
    """Whether the message is signed with the secret, as a receiver finds out."""
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    wanted = hmac.new(base64.b64decode(secret), signed, hashlib.sha256)
    return f"v1,{base64.b64encode(wanted.digest()).decode()}" in headers["webhook-signature"].split(" ")
