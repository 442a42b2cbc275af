"""A long register as a file: in little memory, every row of it, its totals those of the ledger (FIELD-FAULTS 123)."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from db.urls import DatabaseUrls
from tests.office import Office
from tests.prove.many_tickets import staked, write_many
from tests.prove.served import sized
from tests.prove.workers import ROOT
from tests.significant.hooked import seal_all

pytestmark = [pytest.mark.prove, pytest.mark.long]
MOST = 256 * 1024
"""Kilobytes a process may take (DESIGN 7)."""
# A process of its own, so that its memory is its own: it reads the file as a client does, and keeps nothing of it.
DOWNLOAD = """
import wsgi
client = wsgi.app.test_client()
headers = {"Authorization": "Bearer " + input()}
answer = client.get("/api/v1/reports/ticket-register/export", headers=headers, buffered=False)
assert answer.status_code == 200, answer.data
lines = stakes = 0
rest = b""
for piece in answer.response:
    *whole, rest = (rest + piece).split(b"\\r\\n")
    lines += len(whole)
    stakes += sum(int(line.split(b";")[8].replace(b",", b"")) for line in whole if line[:1].isdigit())
print(lines, stakes)
with open("/proc/self/status") as told:
    print(*(line.split()[1] for line in told if line.startswith("VmHWM")))
"""


@pytest.fixture
def sold(database: DatabaseUrls) -> Iterator[tuple[Office, int]]:
    """An office with very many tickets, all of them sealed."""
    number, office = sized(20_000, 1_000_000), Office(database)
    try:
        write_many(office, number)
        seal_all(office)
        office.clock("2022-11-22T18:00:00+03:00")
        yield office, number
    finally:
        office.close()


def test_a_long_register_is_taken_whole_in_little_memory(sold: tuple[Office, int]) -> None:
    office, number = sold
    environment = {**os.environ, **office.urls.environment(), **office.house.keys.environment()}
    done = subprocess.run(
        (sys.executable, "-c", DOWNLOAD),
        cwd=ROOT,
        env=environment,
        input=office.auditor.token + "\n",
        capture_output=True,
        text=True,
        check=True,
        timeout=900,
    )
    counted, memory = done.stdout.splitlines()[-2:]
    assert counted == f"{number + 1} {staked(number)}"
    assert int(memory) < MOST


def test_the_totals_of_a_long_register_are_its_rows(sold: tuple[Office, int]) -> None:
    """A third of the tickets won twice their stakes; of the winners the online half was credited."""
    office, number = sold
    page = office.auditor.get("/reports/ticket-register", as_of="2022-11-22T17:59:00+03:00").json
    whole = page["totals"]["whole"]
    won = sum(2 * (100 + n % 50) for n in range(3, number + 1, 3))
    credited = sum(2 * (100 + n % 50) for n in range(6, number + 1, 6))
    assert whole["rows"] == number
    kopecks = {name: int(amount.replace(".", "")) for name, amount in whole["money"].items()}
    assert kopecks == {"stake": staked(number), "win": won, "stake_back": 0, "paid": credited}
