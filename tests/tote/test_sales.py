"""Placing a bet: how little it asks of the database, and that no two bets of different people meet (DESIGN 3.4, 7)."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import event, func, select, text
from sqlalchemy.orm import Session

from db.session import transaction
from desk.models import Terminal
from office.callers import Caller, Role
from office.users import User
from players.models import Player
from tests.office import Member, Office
from tote.models import PoolBet
from tote.orders import Order
from tote.sales import place

# Who calls, and whether the key is known; the gates and the clock; ticket, state, bet, money; the key and the receipt.
STATEMENTS_A_BET = 4


@contextmanager
def asked(office: Office) -> Iterator[list[str]]:
    """What the application asks of its database in the block: statements, and ``commit`` for every commit."""
    heard: list[str] = []

    def statement(_connection: Any, _cursor: Any, told: str, *_others: Any) -> None:
        heard.append(told)

    def commit(_connection: Any) -> None:
        heard.append("commit")

    event.listen(office.house.engine, "before_cursor_execute", statement)
    event.listen(office.house.engine, "commit", commit)
    try:
        yield heard
    finally:
        event.remove(office.house.engine, "before_cursor_execute", statement)
        event.remove(office.house.engine, "commit", commit)


@pytest.mark.parametrize("buyer", ["player", "cashier"])
def test_a_bet_asks_the_database_four_times_and_commits_once(office: Office, buyer: str) -> None:
    office.pool()
    member: Member = office.cashier if buyer == "cashier" else office.player("ivan", "50.00")
    assert office.bet(member, "1", "1.00").status_code == 201, "the first bet fetches the pool's terms"

    with asked(office) as heard:
        assert office.bet(member, "1", "1.00").status_code == 201

    assert heard.count("commit") == 1
    assert len(heard) == STATEMENTS_A_BET + 1, heard


def test_a_bet_waits_for_nobody_elses_open_bet_on_the_same_pool_outcome_and_desk(office: Office) -> None:
    """A places and stays uncommitted; B does the same with another account, or at another terminal of the desk."""
    office.pool()
    second_terminal = office.administrator.post(f"/desks/{office.desk['id']}/terminals", {"code": "T-2"}).json
    office.player("ivan", "50.00")
    office.player("olga", "50.00")
    with office.owner() as session:
        ivan, olga = (_player(session, login) for login in ("ivan", "olga"))
        here, there = _cashier(session, "T-1"), _cashier(session, second_terminal["code"])
    order = Order("P1", "1", 5_00)

    with office.house.sessions() as open_bets:
        place(open_bets, office.house.counter, order, ivan)
        place(open_bets, office.house.counter, order, here)
        for caller in (olga, there):
            with transaction(office.house.sessions) as session:
                session.execute(text("SET LOCAL lock_timeout = '100ms'"))
                place(session, office.house.counter, order, caller)
        with office.owner() as session:
            assert session.scalar(select(func.count(PoolBet.id))) == 2, "those of B stand while those of A are open"
        open_bets.commit()

    with office.owner() as session:
        assert session.scalar(select(func.count(PoolBet.id))) == 4


def _player(session: Session, login: str) -> Caller:
    return Caller(Role.PLAYER, player_id=session.scalars(select(Player.id).where(Player.login == login)).one())


def _cashier(session: Session, terminal: str) -> Caller:
    user_id = session.scalars(select(User.id).where(User.login == "cashier")).one()
    terminal_id = session.scalars(select(Terminal.id).where(Terminal.code == terminal)).one()
    return Caller(Role.CASHIER, user_id=user_id, terminal_id=terminal_id)
