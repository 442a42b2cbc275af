"""What running totals cost beside adding up every bet of the pool, while it goes on selling (DESIGN 7, row 6).

Run from the checkout: `.venv/bin/python -m bench.totals [BETS] [SECONDS]`. One pool of a million bets of three
outcomes; all but the last minute's ten thousand are sealed and kept. A desk sells all the time. Both sides answer in
turn: `tote.totals.totals_of`, and one `SELECT sum` by outcome over the pool. The contract allows 0.3 of its time.
"""

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sqlalchemy import func, select, text
from sqlalchemy.orm import Session

from bench.ground import compared, office_at_work
from db.engines import engine_beside
from db.session import transaction
from ledger.seals.sealing import seal
from tests.office import Office
from tests.tote.selling import cashier_of, sell
from tote.checkpoints import keep_totals
from tote.models import Pool, PoolBet
from tote.pools import pool_by_code
from tote.totals import totals_of

ALLOWED_TIME = 0.3
A_MINUTE = 10_000
CHUNK = 100_000
SOLD = text("""
    WITH issued AS (
        INSERT INTO tickets (game, stake, currency, code_digest, code_sealed, shift_id, placed_at)
        SELECT 'totolot_variant', 100 + number % 9901, 'BYN', sha256(convert_to('bench ' || number, 'UTF8')), '',
            (SELECT min(id) FROM shifts), now()
        FROM generate_series(CAST(:first AS bigint), CAST(:last AS bigint)) AS number
        RETURNING id, stake
    )
    INSERT INTO pool_bets (ticket_id, pool_id, outcome, stake)
    SELECT id, :pool, (ARRAY['1', 'X', '2'])[1 + id % 3], stake FROM issued
""")


def fill(office: Office, pool: Pool, first: int, last: int) -> None:
    """Write bets with these numbers past the act of placing; nothing here asks for their money."""
    for begin in range(first, last + 1, CHUNK):
        with transaction(office.owner) as session:
            end = min(begin + CHUNK - 1, last)
            session.execute(SOLD, {"first": begin, "last": end, "pool": pool.id})
        print(f"  {end} bets", end="\r", flush=True)
    print()


@contextmanager
def going_on_selling(office: Office) -> Iterator[None]:
    """A desk sells one bet after another until the block ends."""
    cashier, over = cashier_of(office), threading.Event()

    def trade() -> None:
        while not over.is_set():
            with transaction(office.house.sessions) as session:
                sell(office, session, cashier, "P1", "1", 1_00)

    seller = threading.Thread(target=trade)
    seller.start()
    try:
        yield
    finally:
        over.set()
        seller.join()


def added_up(session: Session, pool: Pool) -> dict[str, int]:
    """The stakes by outcome, every bet looked at."""
    by_outcome = select(PoolBet.outcome, func.sum(PoolBet.stake)).where(PoolBet.pool_id == pool.id)
    return {outcome: int(stakes) for outcome, stakes in session.execute(by_outcome.group_by(PoolBet.outcome))}


def kept(session: Session, pool: Pool) -> dict[str, int]:
    """The same from the checkpoints and the tail."""
    return {outcome.code: outcome.stakes for outcome in totals_of(session, pool).outcomes}


def answers_a_second(
    office: Office, pool: Pool, answer: Callable[[Session, Pool], object], seconds: float
) -> Callable[[], float]:
    """A measurement to be repeated."""

    def measure() -> float:
        began, answers = time.perf_counter(), 0
        while time.perf_counter() - began < seconds:
            with office.house.sessions() as session:
                answer(session, pool)
            answers += 1
        return answers / (time.perf_counter() - began)

    return measure


def main(bets: int, seconds: float) -> None:
    with office_at_work() as office:
        office.pool()
        assert office.cashier, "a shift is open"
        with office.house.sessions() as session:
            pool = pool_by_code(session, "P1")
        fill(office, pool, 1, bets - A_MINUTE)
        seal(office.house.sessions)
        assert keep_totals(office.house.sessions) == 3
        fill(office, pool, bets - A_MINUTE + 1, bets)
        with engine_beside(office.urls.owner).connect().execution_options(isolation_level="AUTOCOMMIT") as owner:
            owner.exec_driver_sql("VACUUM ANALYZE pool_bets")
        with office.house.sessions() as session:
            assert kept(session, pool) == added_up(session, pool)
        sides = {
            "totals": answers_a_second(office, pool, kept, seconds),
            "sum": answers_a_second(office, pool, added_up, seconds),
        }
        with going_on_selling(office):
            compared(
                "totals", sides, 1 / ALLOWED_TIME, "answers a second (allowed is 0.3 of the time, 3.33 of the rate)"
            )


if __name__ == "__main__":
    given = sys.argv[1:]
    main(int(given[0]) if given else 1_000_000, float(given[1]) if len(given) > 1 else 2.0)
