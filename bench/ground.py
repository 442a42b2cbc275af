"""What the database benches stand on: a server of their own, an office at work, a table on the screen and in JSON."""

from __future__ import annotations

import json
import logging
import statistics
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from api.logs import OURS
from db.embedded import EmbeddedServer
from migrations.upgrade import upgrade
from tests.databases import create_database
from tests.office import Office

ROUNDS = 5
KEPT = Path("var/bench")


@contextmanager
def office_at_work() -> Iterator[Office]:
    """An office on a fresh server with PostgreSQL's ordinary durability; both are gone after the block."""
    with tempfile.TemporaryDirectory() as folder:
        server = EmbeddedServer(Path(folder) / "postgres").start()
        try:
            urls = create_database(server)
            upgrade(urls.owner)
            office = Office(urls)
            # The screen is for the table: a line for each request of the preparations would bury it.
            logging.getLogger(OURS).setLevel(logging.WARNING)
            try:
                yield office
            finally:
                office.close()
        finally:
            server.release(erase=True)


def compared(name: str, sides: dict[str, Callable[[], float]], target: float, of: str = "bets") -> None:
    """Measure both sides in turn, five rounds; print and keep their median rates and the median of the ratios.

    The ratio is the first side's rate by the second's, of the same round: a machine that slows down slows both.
    """
    first, second = sides
    rounds = [{side: measure() for side, measure in sides.items()} for _ in range(ROUNDS)]
    ratio = statistics.median(rates[first] / rates[second] for rates in rounds)
    print(f"{name}, {of} a second")
    for number, rates in enumerate(rounds, 1):
        shown = "  ".join(f"{side} {rate:8.1f}" for side, rate in rates.items())
        print(f"  round {number}  {shown}  ratio {rates[first] / rates[second]:.2f}")
    medians = {side: statistics.median(rates[side] for rates in rounds) for side in sides}
    print("  median   " + "  ".join(f"{side} {rate:8.1f}" for side, rate in medians.items()), f" ratio {ratio:.2f}")
    print(f"  target   {target}: {'met' if ratio >= target else 'MISSED'}")
    KEPT.mkdir(parents=True, exist_ok=True)
    kept = {"rounds": rounds, "medians": medians, "ratio": ratio, "target": target}
    (KEPT / f"{name}.json").write_text(json.dumps(kept, indent=2) + "\n", "utf-8")
