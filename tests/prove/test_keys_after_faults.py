"""A 5xx is never stored: whatever broke, the same key may be sent again and is then carried out (FIELD-FAULTS 063)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from sqlalchemy import text

from db.session import transaction
from tests.prove.served import Served
from tests.prove.workers import Line, Workers, at_once, clients_of

pytestmark = pytest.mark.prove
AT_ONCE = 12
KEYS = "SELECT count(*) FROM idempotency_keys WHERE key LIKE :key"


@pytest.fixture
def other_workers(served: Served, tmp_path: Path) -> Iterator[httpx.Client]:
    """Workers beside those of the file, on the same books, that may meet what nobody expects."""
    with Workers(served.office.urls, tmp_path / "log", processes=2) as workers, clients_of(workers) as clients:
        yield clients


@contextmanager
def broken(served: Served, table: str, sqlstate: str) -> Iterator[None]:
    """In the block every row that is written into a table fails with an error of this SQLSTATE."""
    with transaction(served.office.owner) as session:
        session.execute(
            text(
                "CREATE FUNCTION break_off() RETURNS trigger LANGUAGE plpgsql AS "
                f"$$ BEGIN RAISE EXCEPTION 'broken by a test' USING ERRCODE = '{sqlstate}'; END $$"
            )
        )
        session.execute(text(f"CREATE TRIGGER broken BEFORE INSERT ON {table} EXECUTE FUNCTION break_off()"))
    try:
        yield
    finally:
        with transaction(served.office.owner) as session:
            session.execute(text(f"DROP TRIGGER broken ON {table}"))
            session.execute(text("DROP FUNCTION break_off()"))


@pytest.mark.parametrize("table", ["pool_bets", "transfers", "idempotency_keys"])
@pytest.mark.parametrize(
    ("sqlstate", "status", "code"),
    [
        ("XX000", 500, "internal_error"),
        ("55P03", 503, "too_busy"),
        ("40P01", 503, "too_busy"),
        ("53200", 503, "too_busy"),
    ],
    ids=["internal", "lock not available", "deadlock", "out of memory"],
)
def test_a_bet_that_broke_off_is_carried_out_by_its_repeat(
    served: Served, other_workers: httpx.Client, table: str, sqlstate: str, status: int, code: str
) -> None:
    """Whichever statement fails, the ticket's, the money's or the key's own: nothing is left, the key is free."""
    pool = served.pool()["code"]
    player = Line(other_workers, served.player("10.00").headers["Authorization"].partition(" ")[2])
    key = f"broken-{table}-{sqlstate}-{pool}".replace("_", "-")
    with broken(served, table, sqlstate):
        failed = at_once([lambda: player.bet("1", "10.00", pool, key)] * AT_ONCE)
    assert {(answer.status_code, answer.json()["code"]) for answer in failed} == {(status, code)}
    assert (status != 503) or {answer.headers["Retry-After"] for answer in failed} == {"1"}
    assert served.bets_of(pool) == (0, 0)
    assert served.fact(KEYS, key=key) == 0

    repeated = at_once([lambda: player.bet("1", "10.00", pool, key)] * AT_ONCE)
    assert len({(answer.status_code, answer.text) for answer in repeated}) == 1
    assert (repeated[0].status_code, served.bets_of(pool)) == (201, (1, 10_00))


def test_a_refusal_that_could_not_be_stored_is_decided_anew(served: Served, other_workers: httpx.Client) -> None:
    """The key's row fails, so nobody was refused: with money on the account the same key is a bet."""
    pool = served.pool()["code"]
    member = served.office.player(f"anew-{pool.lower()}")
    player = Line(other_workers, member.token)
    key = f"refusal-lost-{pool}"
    with broken(served, "idempotency_keys", "55P03"):
        assert player.bet("1", "10.00", pool, key).status_code == 503
    served.office.cashier.post("/deposits", {"player": f"anew-{pool.lower()}", "amount": "10.00"})
    assert player.bet("1", "10.00", pool, key).status_code == 201


def test_a_batch_whose_database_breaks_off_is_finished_by_its_repeat(
    served: Served, other_workers: httpx.Client
) -> None:
    pool = served.pool()["code"]
    player = Line(other_workers, served.player("10.00").headers["Authorization"].partition(" ")[2])
    lines = [
        {"key": f"batch-{pool}-{number:03}", "pool": pool, "outcome": "1", "stake": "1.00"} for number in range(10)
    ]
    with broken(served, "pool_bets", "55P03"):
        assert player.post("/pool-bet-batches", {"lines": lines}).status_code == 503
    assert served.fact(KEYS, key=f"batch-{pool}-%") == 0
    with broken(served, "pool_bets", "XX000"):
        told = player.post("/pool-bet-batches", {"lines": lines}).json()["lines"]
        assert {line["problem"]["code"] for line in told} == {"internal_error"}
    assert served.fact(KEYS, key=f"batch-{pool}-%") == 0
    told = player.post("/pool-bet-batches", {"lines": lines}).json()["lines"]
    assert [bool(line["ticket"]) for line in told] == [True] * 10
    assert served.bets_of(pool) == (10, 10_00)
