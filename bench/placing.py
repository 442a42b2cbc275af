"""How fast bets are placed over HTTP, beside a bare view that only writes (DESIGN 7, row 1).

Run from the checkout: `.venv/bin/python -m bench.placing [SECONDS]`. Eight clients, desk and player bets in equal
parts; both servers are gunicorn with the same workers and threads on the same database, measured in turn.
"""

import json
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from itertools import count
from pathlib import Path
from urllib.parse import urlsplit

from sqlalchemy import text

from bench.ground import compared, office_at_work
from db.session import transaction
from tests.office import Member, Office
from tests.prove.workers import Workers

CLIENTS = 8
TARGET = 0.5
REFERENCE = "bench.reference"
SETTINGS = f"{REFERENCE}.gunicorn_settings"
SCHEMA = Path(__file__).parent / "reference" / "schema.sql"
Request = tuple[str, dict[str, str], bytes]


def ours(member: Member) -> Request:
    """A client of the application."""
    body = {"pool": "P1", "outcome": "1", "stake": "1.00"}
    return "/api/v1/pool-bets", member.headers, json.dumps(body).encode()


def bare(account: int) -> Request:
    """A client of the reference view."""
    return "/bets", {}, json.dumps({"pool": "P1", "outcome": "1", "stake": 100, "account": account}).encode()


def rate(url: str, requests: list[Request], seconds: float) -> float:
    """Bets a second that the clients get accepted together, a client a connection."""
    with ThreadPoolExecutor(len(requests)) as threads:
        until = time.perf_counter() + seconds
        placed = threads.map(lambda request: accepted(url, request, until), requests)
        return sum(placed) / seconds


def accepted(url: str, request: Request, until: float) -> int:
    """How many bets one client gets accepted until then, one after the other."""
    path, headers, body = request
    connection = HTTPConnection(urlsplit(url).netloc)
    for number in count():
        if time.perf_counter() >= until:
            connection.close()
            return number
        key = {"Idempotency-Key": f"{time.monotonic_ns():020}-{id(request)}", "Content-Type": "application/json"}
        connection.request("POST", path, body, {**headers, **key})
        answer = connection.getresponse()
        told = answer.read()
        assert answer.status == 201, told
    raise AssertionError("counting never ends")


def clients_of(office: Office) -> list[Request]:
    """Half of the clients are players, half sell at the desk."""
    office.pool()
    players = [office.player(f"player-{number}", "1000000.00") for number in range(CLIENTS // 2)]
    return [ours(member) for member in (*players, *[office.cashier] * (CLIENTS - len(players)))]


def main(seconds: float) -> None:
    with office_at_work() as office, tempfile.TemporaryDirectory() as logs:
        with transaction(office.owner) as session:
            session.execute(text(SCHEMA.read_text("utf-8")))
        log = Path(logs) / "log"
        with (
            Workers(office.urls, log, processes=2) as application,
            Workers(office.urls, log, processes=2, application=f"{REFERENCE}.view:app", settings=SETTINGS) as reference,
        ):
            sides = {
                "application": measuring(application.url, clients_of(office), seconds),
                "reference": measuring(reference.url, [bare(number) for number in range(1, CLIENTS + 1)], seconds),
            }
            compared("placing", sides, TARGET)


def measuring(url: str, requests: list[Request], seconds: float) -> Callable[[], float]:
    """A measurement to be repeated; it is made once unmeasured, for what is only fetched the first time."""
    rate(url, requests, 0.5)
    return lambda: rate(url, requests, seconds)


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 4.0)
