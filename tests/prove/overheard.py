"""A day in which every secret of the house is told once: who lived it keeps all of them, to be searched for.

Tokens, passwords, terminals' secrets and ticket codes are overheard wherever they cross the API, so that no act can be
added whose secret nobody looks for; names, documents and contacts are those of this file.
"""

from __future__ import annotations

import base64
import json
import os
import re
import signal
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
from flask import Response, request
from procrastinate.exceptions import AlreadyEnqueued

from api.tasks import SWEEPS, task_app
from db.binaries import run_tool
from office.callers import Role
from office.tokens import caller_of
from tests.office import KEYS, Member, Office
from tests.prove.served import Served
from tests.prove.workers import METRICS, METRICS_TOKEN, ROOT
from tests.significant.receiver import Receiver

WEBHOOK_SECRET = base64.b64encode(b"what signs every alarm of a day!").decode()
TOLD = {"token", "password", "old_password", "secret"}
CODE = re.compile("[A-Z2-7]{16}")
TO_DO = """
    SELECT count(*) FROM procrastinate_jobs
    WHERE status = 'doing' OR status = 'todo' AND coalesce(scheduled_at, now()) <= now()
"""


class AskedOffice(Office):
    """Everybody signs in by a request: no secret of theirs is used that did not cross the API."""

    def _at_work(self, login: str, role: Role) -> Member:
        self.hire(login, role)
        member = self.sign_in(login)
        with self.house.sessions() as session:
            return Member(self.client, member.token, caller_of(session, member.token))

    def _at_the_terminal(self) -> Member:
        installed = self.administrator.post(f"/desks/{self.desk['id']}/terminals", {"code": "T-1"}).json
        self.terminal = {"code": "T-1", "secret": installed["secret"]}
        self.hire("cashier", Role.CASHIER)
        cashier = self.sign_in("cashier", terminal=self.terminal)
        assert cashier.post("/shifts", {"counted": "100.00"}).status_code == 201
        return cashier


class Overheard:
    """The secrets that crossed the API in requests and answers, by the name they had there."""

    def __init__(self) -> None:
        self.by_name: defaultdict[str, set[str]] = defaultdict(set)

    def listen(self, office: Office, clients: httpx.Client) -> None:
        """From now on everything is heard, in this process and on the lines to the workers."""

        def in_process(answer: Response) -> Response:
            # What is read in this process is the description of the API, with its examples.
            if request.method != "GET":
                self.hear([request.get_json(silent=True), answer.get_json(silent=True)])
            return answer

        def on_a_line(answer: httpx.Response) -> None:
            for told in (answer.request.content, answer.read()):
                with suppress(ValueError):
                    self.hear(json.loads(told))

        office.keep_application()
        office.app._got_first_request = False
        office.app.after_request(in_process)
        clients.event_hooks = {"response": [on_a_line]}

    def hear(self, told: Any) -> None:
        """Keep what is secret in a body."""
        if isinstance(told, list):
            for one in told:
                self.hear(one)
        elif isinstance(told, Mapping):
            for name, value in told.items():
                if isinstance(value, str) and (name in TOLD or (name == "code" and CODE.fullmatch(value))):
                    self.by_name[name].add(value)
                self.hear(value)


class Day:
    """What was lived through: where it was written down, what went out, and every secret that was used in it."""

    def __init__(self, served: Served, clients: httpx.Client, log: Path, receiver: Receiver) -> None:
        self.served, self.clients, self.log, self.receiver = served, clients, log, receiver
        self.overheard = Overheard()
        self.overheard.listen(served.office, clients)
        self.exported = b""
        keys = (*KEYS.data_keys, base64.b64encode(KEYS.code_hmac))
        self.known = [*(key.decode() for key in keys), WEBHOOK_SECRET, METRICS_TOKEN, receiver.url.partition("?")[2]]

    @property
    def secrets(self) -> list[str]:
        """Everything that must stand nowhere in clear."""
        return [*self.known, *sorted(set().union(*self.overheard.by_name.values()))]

    def keep(self, answer: httpx.Response, status: int) -> Any:
        """An answer of this status."""
        assert answer.status_code == status, answer.text
        return answer.json()

    def dump(self) -> bytes:
        """The whole database as plain SQL."""
        return bytes(run_tool("pg_dump", "--format=plain", url=self.served.office.urls.owner).stdout)

    def logs(self) -> bytes:
        """What workers, gunicorn, the task worker and the commands wrote."""
        return self.log.read_bytes()

    def commands(self, *names: str) -> list[int]:
        """Commands of the operator's, all at once, to their ends; their exit codes."""
        started = [self._started(name) for name in names]
        return [process.wait(timeout=60) for process in started]

    @contextmanager
    def task_worker(self) -> Iterator[None]:
        """A task worker that sends alarms by webhook, for as long as the block lasts and there is something to do."""
        process = self._started("worker")
        try:
            yield
            app = task_app(self.served.office.house)
            with app.open():
                for sweep in SWEEPS:
                    with suppress(AlreadyEnqueued):
                        app.configure_task(sweep).defer(timestamp=0)
            self.served.until(lambda: self.served.fact(TO_DO) == 0, "a worker with nothing to do")
            self.served.until(lambda: len(self.receiver.came) >= 2, "alarms")
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=30)

    def _started(self, *words: str) -> subprocess.Popen[bytes]:
        hook = {"ALARM_WEBHOOK_URL": self.receiver.url, "ALARM_WEBHOOK_SECRET": WEBHOOK_SECRET, METRICS: METRICS_TOKEN}
        environment = {**os.environ, **self.served.office.urls.environment(), **KEYS.environment(), **hook}
        command = (sys.executable, "-m", "flask", "--app", "wsgi", *words)
        with self.log.open("ab") as log:
            return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log)
