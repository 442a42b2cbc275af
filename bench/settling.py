"""How long the settlement of a large pool takes, wins booked, beside the two inserts it comes to (DESIGN 7, row 4).

Run from the checkout: `.venv/bin/python -m bench.settling [TICKETS]`. Settling goes one way, so every round has a pool
of its own, of as many tickets as are asked for, all from game accounts, every third a winner. It is settled by
`tote.settling.settle_pool` in a process of its own; the floor is one insert of the decisions and one of the winners'
transfers (`bench/reference/settling.sql`). The contract allows 4 times its time. A pool of a tenth of the tickets is
settled before: the memory a settlement takes must not grow with them.
"""

import re
import sys
import time
from collections.abc import Iterator
from itertools import count
from multiprocessing import get_context
from pathlib import Path

from sqlalchemy import text

from bench.ground import ROUNDS, compared, office_at_work
from db.engines import engine_beside, engine_for
from db.session import sessions_on, transaction
from tests.office import OPERATOR, Office
from tote.settling import settle_pool

TARGET = 1 / 4
FLAT = 16
"""MiB by which the larger settlement may stand over the smaller: what an allocator happens to keep."""
PLAYERS = 50
DEPOSIT = "9000000.00"
CHUNK = 100_000
SCHEMA = Path(__file__).parent / "reference" / "settling.sql"
SOLD = text("""
    WITH players AS (
        SELECT id, account_id, row_number() OVER (ORDER BY id) - 1 AS place FROM players
    ), issued AS (
        INSERT INTO tickets (game, stake, currency, code_digest, code_sealed, player_id, placed_at)
        SELECT 'totolot_variant', 100 + number % 997, 'BYN', sha256(convert_to(:pool || number, 'UTF8')), '',
            players.id, '2022-11-22 06:00+00'
        FROM generate_series(CAST(:first AS bigint), CAST(:last AS bigint)) AS number
        JOIN players ON players.place = number % (SELECT count(*) FROM players) ORDER BY number
        RETURNING id, stake, player_id, placed_at
    ), standing AS (
        INSERT INTO ticket_states (ticket_id, status) SELECT id, 'accepted' FROM issued
    ), bet AS (
        INSERT INTO pool_bets (ticket_id, pool_id, outcome, stake)
        SELECT issued.id, pools.id, (ARRAY['1', 'X', '2'])[1 + issued.id % 3], issued.stake
        FROM issued, pools WHERE pools.code = :pool
    ), paid AS (
        INSERT INTO transfers (debit_account_id, credit_account_id, amount, currency, kind, ticket_id, occurred_at,
            booked_on)
        SELECT players.account_id, pools.stakes_account_id, issued.stake, 'BYN', 'stake', issued.id, issued.placed_at,
            '2022-11-22'
        FROM issued JOIN players ON players.id = issued.player_id, pools WHERE pools.code = :pool
    )
    UPDATE balances SET balance = balance - staked.stakes
    FROM (SELECT account_id, sum(stake) AS stakes FROM issued JOIN players ON players.id = issued.player_id
        GROUP BY account_id) AS staked
    WHERE balances.account_id = staked.account_id
""")
FLOOR = (
    text("""
        INSERT INTO reference.settlements (ticket_id, version, decision, win, payable_from)
        SELECT ticket_id, 1, CASE outcome WHEN '1' THEN 'won' ELSE 'lost' END,
            CASE outcome WHEN '1' THEN 2 * stake ELSE 0 END, CASE outcome WHEN '1' THEN now() END
        FROM reference.bets ORDER BY ticket_id
    """),
    text("""
        INSERT INTO reference.wins (debit_account_id, credit_account_id, amount, ticket_id)
        SELECT 1, bet.account_id, decided.win, decided.ticket_id
        FROM reference.settlements AS decided JOIN reference.bets AS bet USING (ticket_id)
        WHERE decided.win > 0 ORDER BY decided.ticket_id
    """),
)
COPIED = text("""
    INSERT INTO reference.bets
    SELECT bet.ticket_id, bet.outcome, bet.stake, player.account_id
    FROM pool_bets AS bet JOIN pools ON pools.id = bet.pool_id AND pools.code = :pool
    JOIN tickets AS ticket ON ticket.id = bet.ticket_id JOIN players AS player ON player.id = ticket.player_id
    ORDER BY bet.ticket_id
""")
BOOKED = text("""
    SELECT count(*) FILTER (WHERE decided.win > 0), count(ended.id), coalesce(sum(moved.amount - decided.win), 0),
        count(*) FILTER (WHERE state.settlement_id = decided.id), count(*)
    FROM pool_bets AS bet JOIN pools ON pools.id = bet.pool_id AND pools.code = :pool
    LEFT JOIN settlements AS decided ON decided.ticket_id = bet.ticket_id
    LEFT JOIN endings AS ended ON ended.settlement_id = decided.id
    LEFT JOIN transfers AS moved ON moved.settlement_id = decided.id
    LEFT JOIN ticket_states AS state ON state.ticket_id = bet.ticket_id
""")


def fill(office: Office, code: str, tickets: int) -> None:
    """Sell so many tickets of a pool past the act of placing, with all that placing would have written but keys."""
    for begin in range(1, tickets + 1, CHUNK):
        with transaction(office.owner) as session:
            end = min(begin + CHUNK - 1, tickets)
            session.execute(SOLD, {"pool": code, "first": begin, "last": end})
        print(f"  {code}: {end} tickets", end="\r", flush=True)
    print()
    tidy(office)


def tidy(office: Office, *before: str) -> None:
    """Leave neither side the other's work: what autovacuum and the checkpointer would do some day is done now."""
    with engine_beside(office.urls.owner).connect().execution_options(isolation_level="AUTOCOMMIT") as owner:
        for statement in (*before, "VACUUM ANALYZE"):
            owner.exec_driver_sql(statement)
    with engine_beside(office.urls.admin).connect().execution_options(isolation_level="AUTOCOMMIT") as admin:
        admin.exec_driver_sql("CHECKPOINT")


def settle(url: str, code: str) -> tuple[float, int, int]:
    """In a process of its own: the seconds of a settlement, and the most memory before and after it, in KiB."""
    sessions, before = sessions_on(engine_for(url, pool_size=1)), most_memory()
    began = time.perf_counter()
    settle_pool(sessions, OPERATOR, code)
    return time.perf_counter() - began, before, most_memory()


def most_memory() -> int:
    """The most memory this process had at a time, in KiB; `getrusage` would count its parent's as well."""
    found = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text("ascii"))
    assert found, "Linux tells it"
    return int(found[1])


def settled(office: Office, pool: dict, tickets: int) -> tuple[float, int]:
    """Fill a pool, close it, fix its result and settle it: the settlement's seconds, and the memory it took in KiB."""
    fill(office, pool["code"], tickets)
    office.determine(pool, "1")
    with get_context("spawn").Pool(1) as process:
        seconds, before, after = process.apply(settle, (office.urls.app, pool["code"]))
    with office.house.sessions() as session:
        winners, ended, difference, followed, all_of_them = session.execute(BOOKED, {"pool": pool["code"]}).one()
    assert (ended, difference) == (winners, 0), "every win is credited, and no other kopeck"
    assert followed == all_of_them == tickets, "every ticket follows its decision"
    return seconds, after - before


def floor(office: Office, tickets: int) -> float:
    """Tickets a second of the two inserts, one commit."""
    tidy(office, "TRUNCATE reference.settlements, reference.wins")
    began = time.perf_counter()
    with transaction(office.owner) as session:
        for statement in FLOOR:
            session.execute(statement)
    return tickets / (time.perf_counter() - began)


def pools_of(office: Office) -> Iterator[dict]:
    """Open pools, a small one and one a round, and players who can afford them."""
    pools = [office.pool(f"P{number}") for number in range(ROUNDS + 1)]
    for number in range(PLAYERS):
        office.player(f"player-{number}", DEPOSIT)
    return iter(pools)


def main(tickets: int) -> None:
    with office_at_work() as office:
        pools, memory = pools_of(office), []
        with transaction(office.owner) as session:
            session.execute(text(SCHEMA.read_text("utf-8")))
        _, small = settled(office, next(pools), tickets // 10)
        rounds = count(1)

        def ours() -> float:
            pool = next(pools)
            seconds, took = settled(office, pool, tickets)
            memory.append(took)
            if next(rounds) == 1:
                with transaction(office.owner) as session:
                    session.execute(COPIED, {"pool": pool["code"]})
            return tickets / seconds

        sides = {"settling": ours, "floor": lambda: floor(office, tickets)}
        compared("settling", sides, TARGET, "tickets a second (allowed is 4 times the time, 0.25 of the rate)")
        grown = (max(memory) - small) / 1024
        print(f"  memory   a tenth {small / 1024:.1f} MiB, all {max(memory) / 1024:.1f} MiB over an idle process")
        print(f"  flat     {'yes' if grown <= FLAT else 'NO'}: {grown:+.1f} MiB, allowed is {FLAT}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
