"""The whole house by one command: database, API, streams and task worker, each a process, stopped together."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import click
import httpx
from flask.cli import with_appcontext
from sqlalchemy.exc import OperationalError

from api.commands.administrator import VARIABLE as PASSWORD
from api.commands.bind import Address, chosen_addresses
from api.commands.database import prepare
from api.commands.demonstration.show import prepare_stage, refuse_in_production, show
from api.commands.processes import ENDINGS, Child, end_on_signals
from api.commands.worker import READY
from api.house import House, house
from api.surroundings import refuse_incomplete
from db.addresses import ADMIN, OWNER
from db.errors import SetupError

PATIENCE = 60.0
PAUSE = 0.2
GUNICORN = (sys.executable, "-m", "gunicorn", "--config")
WORKER = (sys.executable, "-m", "flask", "--app", "wsgi", "worker")


@dataclass(frozen=True)
class Service:
    """What gunicorn serves: its name for people and for its log, how it is served, the application."""

    name: str
    log: str
    settings: str
    application: str

    def begin(self, address: Address, environment: Mapping[str, str], logs: Path) -> Child:
        """Start it at an address."""
        command = (*GUNICORN, self.settings, "--bind", address.text, self.application)
        return Child(self.name, command, environment, logs / self.log)


API = Service("API", "api", "python:api.gunicorn_settings", "wsgi:app")
STREAMS = Service("Потоки", "streams", "python:api.streams.gunicorn_settings", "wsgi:streams()")


@dataclass(frozen=True)
class Environments:
    """What API, streams and worker find in their environment."""

    api: dict[str, str]
    worker: dict[str, str]


@click.command()
@click.option("--demonstration", is_flag=True, help="Play the demonstration days through the API first.")
@click.option("--bind", metavar="HOST:PORT", help="Where the API listens; 127.0.0.1 and port 8000 or the next free.")
@click.option("--bind-streams", metavar="HOST:PORT", help="Where streams listen; port 8100 or the next free.")
@with_appcontext
def serve(demonstration: bool, bind: str | None, bind_streams: str | None) -> None:
    """Prepare the database, start API, streams and task worker, stay until Ctrl-C or SIGTERM; exit 1 if one dies."""
    if demonstration:
        refuse_in_production()
    end_on_signals()
    here = house()
    try:
        refuse_incomplete()
        address, streams = chosen_addresses(bind, bind_streams)
        prepare(here)
        environments = _environments(here)
    except SetupError as error:
        raise click.ClickException(str(error)) from error
    except OperationalError as error:
        raise click.ClickException(f"База данных не отвечает: {error.orig}") from error
    if demonstration:
        prepare_stage(here)
    with _running(here, address, streams, environments) as children:
        for number, listening in enumerate((address, streams)):
            _wait_for_answer(listening, children[number], children)
        _wait_for_worker(children)
        click.echo(f"API: {address.url}/api/docs/   журналы: {children[0].log.parent}/")
        click.echo(f"Потоки: {streams.url}/api/docs/")
        if demonstration:
            _show(here, address, children)
        click.echo("Работает. Ctrl-C останавливает.")
        while True:
            _refuse_dead(children)
            time.sleep(PAUSE)


@contextmanager
def _running(here: House, address: Address, streams: Address, environments: Environments) -> Iterator[Sequence[Child]]:
    """API, streams and task worker; whatever happens inside, they are stopped before the database is let go."""
    logs = here.folder / "var" / "log"
    children: list[Child] = []
    try:
        children.append(API.begin(address, environments.api, logs))
        children.append(STREAMS.begin(streams, environments.api, logs))
        children.append(Child("Исполнитель заданий", WORKER, environments.worker, logs / "worker"))
        yield children
    finally:
        for ending in ENDINGS:
            signal.signal(ending, signal.SIG_IGN)
        for child in children:
            child.ask_to_end()
        # Whoever read the screen may be gone; the children are waited for all the same.
        with suppress(OSError):
            click.echo("Останавливается: начатые запросы и задания заканчиваются, до половины минуты.")
        for child in children:
            child.wait_for_its_end()


def _environments(here: House) -> Environments:
    """The keys and, for the API, the address in use; those of owner and administrator, and a password, are not theirs.

    The worker finds the database as we do, so it holds an embedded server by itself: even when we are killed,
    somebody is left who stops it.
    """
    inherited = {**os.environ, **here.keys.environment()}
    api = {**inherited, **here.urls.environment()}
    for mighty in (OWNER, ADMIN, PASSWORD):
        inherited.pop(mighty, None)
        api.pop(mighty, None)
    return Environments(api=api, worker=inherited)


def _wait_for_answer(address: Address, child: Child, children: Sequence[Child]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not _answers(address):
        _refuse_dead(children)
        if time.monotonic() > deadline:
            raise click.ClickException(f"{child.name}: нет ответа по адресу {address.url}. {child.last_words()}")
        time.sleep(PAUSE)


def _wait_for_worker(children: Sequence[Child]) -> None:
    """Until the worker holds the embedded server as well: from then on our sudden death leaves it to somebody."""
    worker = children[-1]
    deadline = time.monotonic() + PATIENCE
    while not worker.said(READY):
        _refuse_dead(children)
        if time.monotonic() > deadline:
            raise click.ClickException(f"{worker.name} не начал работу. {worker.last_words()}")
        time.sleep(PAUSE)


def _answers(address: Address) -> bool:
    try:
        return httpx.get(f"{address.url}/readyz", timeout=5, trust_env=False).is_success
    except httpx.TransportError:
        return False


def _refuse_dead(children: Sequence[Child]) -> None:
    for child in children:
        if child.exit_code is not None:
            raise click.ClickException(
                f"{child.name}: процесс завершился с кодом {child.exit_code}. Конец журнала {child.log}:\n"
                + child.last_words()
            )


def _show(here: House, address: Address, children: Sequence[Child]) -> None:
    try:
        show(here, address.url)
    except httpx.TransportError as error:
        # If the API is gone, its own last words say more than the broken connection.
        time.sleep(PAUSE)
        _refuse_dead(children)
        raise click.ClickException(f"API не ответил: {error}") from error
