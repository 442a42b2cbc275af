"""How fast a batch of bets is placed, beside `COPY` of the same rows (DESIGN 7, row 3).

Run from the checkout: `.venv/bin/python -m bench.batch [BATCHES]`. A cashier's batches of 500 lines on one pool, one
after the other: by what a batch does (`tote.together`, `api.keys_together`, one commit), and as a client sends them to
a gunicorn worker, answer and payable codes included. The floor copies the rows that a batch leaves, written out before,
into tables without references (`bench/reference/copied.sql`), a commit a batch. The contract asks for 0.2 of its rate.
"""

import hashlib
import json
import secrets
import sys
import tempfile
import time
from collections.abc import Callable
from http.client import HTTPConnection
from itertools import count
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
from sqlalchemy import text

from api.idempotency import Request
from api.keys_together import known, store
from bench.ground import compared, office_at_work
from db.session import transaction
from db.urls import conninfo
from office.callers import Caller
from tests.office import KEYS, Office
from tests.prove.workers import Workers
from tests.tote.selling import cashier_of
from tote.orders import Order
from tote.together import sell_together

TARGET = 0.2
LINES = 500
SCHEMA = Path(__file__).parent / "reference" / "copied.sql"
BET = {"pool": "P1", "outcome": "1", "stake": 1_00}
WHEN = "2022-11-22 08:00:00+03"
Rows = dict[str, bytes]
numbers = count(1)


def rows_of_a_batch() -> Rows:
    """The rows of a batch as `COPY` reads them, by table."""
    written: dict[str, list[str]] = {name: [] for name in ("tickets", "states", "bets", "transfers", "keys")}
    for number in (next(numbers) for _ in range(LINES)):
        digest, sealed, meaning = (rf"\\x{secrets.token_hex(length)}" for length in (32, 53, 32))
        written["tickets"].append(f"{number}\ttotolot_variant\t100\tBYN\t{digest}\t{sealed}\t1\t1\t1\t{WHEN}\n")
        written["states"].append(f"{number}\taccepted\n")
        written["bets"].append(f"{number}\t1\t1\t100\n")
        written["transfers"].append(f"{number}\t1\t2\t100\tBYN\tstake\t{number}\t1\t{WHEN}\t2022-11-22\n")
        key = hashlib.sha256(str(number).encode()).hexdigest()[:32]
        written["keys"].append(f"terminal:1\t{key}\tPOST /api/v1/pool-bets\t{meaning}\t{number}\n")
    return {name: "".join(rows).encode() for name, rows in written.items()}


def copied(office: Office, batches: int) -> float:
    """Bets a second of the floor."""
    prepared = [rows_of_a_batch() for _ in range(batches)]
    with psycopg.connect(conninfo(office.urls.of_owner())) as connection:
        began = time.perf_counter()
        for batch in prepared:
            for name, rows in batch.items():
                with connection.cursor().copy(f"COPY reference.copied_{name} FROM STDIN") as copy:
                    copy.write(rows)
            connection.commit()
        return batches * LINES / (time.perf_counter() - began)


def placed(office: Office, by: Caller, batches: int) -> float:
    """Bets a second by the acts alone."""
    began = time.perf_counter()
    for _ in range(batches):
        keys = (secrets.token_hex(16) for _ in range(LINES))
        asked = [Request(by.key_scope, key, "POST /api/v1/pool-bets", BET, KEYS.code_hmac) for key in keys]
        with transaction(office.house.sessions) as session:
            assert not known(session, by.key_scope, [request.key for request in asked])
            sold = sell_together(session, office.house.counter, [Order(**request.body) for request in asked], by)
            assert len(sold) == LINES
            store(session, [(asked[line], ticket) for line, ticket in sold.items()])
    return batches * LINES / (time.perf_counter() - began)


def answered(office: Office, url: str, batches: int) -> float:
    """Bets a second as a client has them accepted over HTTP."""
    headers = {**office.cashier.headers, "Content-Type": "application/json"}
    connection = HTTPConnection(urlsplit(url).netloc)
    began = time.perf_counter()
    for _ in range(batches):
        lines = [{"pool": "P1", "outcome": "1", "stake": "1.00", "key": secrets.token_hex(16)} for _ in range(LINES)]
        connection.request("POST", "/api/v1/pool-bet-batches", json.dumps({"lines": lines}).encode(), headers)
        answer = connection.getresponse()
        told = json.loads(answer.read())
        assert answer.status == 200 and all(line["ticket"] for line in told["lines"]), told
    seconds = time.perf_counter() - began
    connection.close()
    return batches * LINES / seconds


def measuring(side: Callable[[int], float], batches: int) -> Callable[[], float]:
    """A measurement to be repeated; it is made once unmeasured, for what is only fetched the first time."""
    side(2)
    return lambda: side(batches)


def main(batches: int) -> None:
    with office_at_work() as office, tempfile.TemporaryDirectory() as logs:
        office.pool()
        by = cashier_of(office)
        with transaction(office.owner) as session:
            session.execute(text(SCHEMA.read_text("utf-8")))
        with Workers(office.urls, Path(logs) / "log", processes=1) as worker:
            floor = measuring(lambda number: copied(office, number), batches)
            acts = measuring(lambda number: placed(office, by, number), batches)
            served = measuring(lambda number: answered(office, worker.url, number), batches)
            compared("batch", {"batch": acts, "copy": floor}, TARGET)
            compared("batch_over_http", {"http": served, "copy": floor}, TARGET)
        assert office.wrongs() == []


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
