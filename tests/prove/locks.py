"""Sessions of a test's own that hold what a request will wait for, so that an order of events can be arranged."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import text
from sqlalchemy.orm import Session

from tests.prove.served import Served
from tests.prove.workers import Line

BALANCE = text("""
    SELECT balance FROM balances JOIN players USING (account_id) WHERE players.id = :player FOR UPDATE OF balances
""")


@contextmanager
def held(served: Served) -> Iterator[Session]:
    """A transaction of the application's role that stays open in the block; then it is rolled back unless committed."""
    with served.office.house.sessions() as session:
        yield session
        session.rollback()


@contextmanager
def holding_balance(served: Served, player: Line) -> Iterator[None]:
    """The player's balance is locked in the block: whoever bets from it waits, its gates entered."""
    player_id = served.id_of(player)
    with held(served) as session:
        session.execute(BALANCE, {"player": player_id})
        yield
