"""Pools sold, closed and decided, ready to be settled; and what their settlement came to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import text

from tests.prove.served import Served
from tests.prove.workers import Line

# What the settlement in force gives each ticket of a pool, in the order of the tickets, and where its money went.
TICKETS = text("""
    SELECT bet.stake, decided.decision, decided.win, decided.stake_back, state.status, ended.amount
    FROM pools AS pool JOIN pool_bets AS bet ON bet.pool_id = pool.id
    JOIN ticket_states AS state USING (ticket_id)
    LEFT JOIN LATERAL (
        SELECT * FROM settlements WHERE ticket_id = bet.ticket_id ORDER BY version DESC LIMIT 1
    ) AS decided ON true
    LEFT JOIN endings AS ended ON ended.settlement_id = decided.id
    WHERE pool.code = :pool ORDER BY bet.ticket_id
""")
MONEY = text("""
    SELECT moved.kind, count(*), sum(moved.amount) FROM pools AS pool JOIN transfers AS moved
    ON pool.stakes_account_id IN (moved.debit_account_id, moved.credit_account_id)
        OR pool.fund_account_id IN (moved.debit_account_id, moved.credit_account_id)
        OR pool.wins_account_id IN (moved.debit_account_id, moved.credit_account_id)
    WHERE pool.code = :pool GROUP BY moved.kind ORDER BY moved.kind
""")


@dataclass(frozen=True)
class Sold:
    """A closed pool whose result is confirmed, and the payable codes of its tickets on the true outcome."""

    pool: str
    codes: tuple[str, ...]


def sold_pool(served: Served, buyers: list[Line], stakes: list[str]) -> Sold:
    """Everybody staked each of these on outcome 1, the cashier 90.00 on 2; 1 is true."""
    served.office.clock("2022-11-22T09:00:00+03:00")
    pool = served.pool()
    bets = [buyer.bet("1", stake, pool["code"]) for buyer in buyers for stake in stakes]
    bets.append(served.cashier.bet("2", "90.00", pool["code"]))
    assert [bet.status_code for bet in bets] == [201] * len(bets)
    assert served.organizer.post(f"/pools/{pool['code']}/closing").status_code == 201
    served.protocol(pool, "1")
    return Sold(pool["code"], tuple(bet.json()["code"] for bet in bets[:-1]))


def outcome_of(served: Served, sold: Sold) -> tuple[list[Any], list[Any]]:
    """What the settlement gave each ticket, and the pool's money by kind: how many transfers, how much."""
    with served.office.owner() as session:
        tickets = [tuple(row) for row in session.execute(TICKETS, {"pool": sold.pool})]
        return tickets, [tuple(row) for row in session.execute(MONEY, {"pool": sold.pool})]


def states_of(served: Served, sold: Sold) -> list[str]:
    """How the tickets stand, in the order they were sold."""
    tickets, _ = outcome_of(served, sold)
    return [status for *_, status, _ in tickets]
