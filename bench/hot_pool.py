"""Whether bets on one pool hold one another up: a hot pool beside a thousand of them (DESIGN 7, row 2).

Run from the checkout: `.venv/bin/python -m bench.hot_pool [SECONDS] [POOLS]`. Thirty-two sessions, half of players and
half at desks, place through `tote.sales.place`, each bet committed. Hot: one pool, one outcome, one desk. Spread: every
bet on one of a thousand pools, on any outcome, at any of eight desks. Both in turn, on the same processes.
"""

import random
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from multiprocessing import get_context

from sqlalchemy import func, select

from api.house import House
from bench.ground import compared, office_at_work
from db.keys import Keys
from db.session import transaction
from db.urls import DatabaseUrls
from desk.models import Terminal
from ledger.accounts import Balance
from office.callers import Caller, Role
from office.users import User
from players.models import Player
from tests.office import KEYS, OPERATOR, Office
from tote.announcing import Announcement, announce
from tote.orders import Order
from tote.sales import place

PROCESSES, THREADS = 4, 8
TARGET = 0.8
OUTCOMES = ("1", "X", "2")
MONEY = 10**12


@dataclass(frozen=True)
class Sales:
    """What the sessions sell: pools and outcomes to choose from, terminals of cashiers, players."""

    pools: Sequence[str]
    outcomes: Sequence[str]
    cashiers: Sequence[Caller]


def open_house(urls: DatabaseUrls, keys: Keys, pools: Sequence[str]) -> None:
    """In each process: a house of its own, with every pool's terms known before anything is measured."""
    global house
    house = House(OPERATOR, lambda: urls, lambda: keys)
    with transaction(house.sessions) as session:
        for pool in pools:
            house.catalogue.terms(session, pool)


def sell(sales: Sales, players: Sequence[Caller], starts: float, ends: float) -> int:
    """The bets that a process places by its threads between two instants."""
    callers = [player if number % 2 else None for number, player in enumerate(players)]
    with ThreadPoolExecutor(len(callers)) as threads:
        return sum(threads.map(lambda caller: sell_alone(sales, caller, starts, ends), callers))


def sell_alone(sales: Sales, player: Caller | None, starts: float, ends: float) -> int:
    """The bets of one session: those of a player, or without one those of the cashiers."""
    chance = random.Random()
    time.sleep(max(0.0, starts - time.time()))
    for number in count():
        if time.time() >= ends:
            return number
        order = Order(chance.choice(sales.pools), chance.choice(sales.outcomes), 1_00)
        with transaction(house.sessions) as session:
            place(session, house.counter, order, player or chance.choice(sales.cashiers))
    raise AssertionError("counting never ends")


def announced(office: Office, number: int) -> list[str]:
    """So many open pools on one match."""
    first = office.pool()
    codes = [f"HOT-{serial}" for serial in range(number)]
    with transaction(office.house.sessions) as session:
        organizer = session.scalars(select(User.id).where(User.login == "organizer")).one()
        for code in codes:
            announcement = Announcement(
                code=code,
                name=code,
                game="totolot_variant",
                event_id=first["event_id"],
                opens_at=datetime.fromisoformat("2022-11-22T08:00:00+03:00"),
                closes_at=datetime.fromisoformat("2022-11-22T12:55:00+03:00"),
                minimum_stake=1_00,
                maximum_stake=10_000_00,
                outcomes=tuple((outcome, outcome) for outcome in OUTCOMES),
            )
            announce(session, announcement, money="BYN", announced_by=organizer)
    return codes


def people(office: Office) -> tuple[list[Caller], list[Caller]]:
    """Cashiers at eight desks, and a rich player for each session."""
    assert office.cashier, "the first desk is open"
    for number in range(2, 9):
        office.another_cashier(number)
    for number in range(PROCESSES * THREADS):
        office.player(f"player-{number}")
    with transaction(office.owner) as session:
        session.execute(Balance.__table__.update().values(balance=MONEY))
        players = [Caller(Role.PLAYER, player_id=player) for player in session.scalars(select(Player.id))]
        cashier = session.scalars(select(func.min(User.id)).where(User.role == Role.CASHIER.value)).one()
        terminals = session.scalars(select(Terminal.id).order_by(Terminal.id))
        cashiers = [Caller(Role.CASHIER, user_id=cashier, terminal_id=terminal) for terminal in terminals]
    return cashiers, players


def main(seconds: float, pools: int) -> None:
    with office_at_work() as office:
        codes = announced(office, pools)
        cashiers, players = people(office)
        hot, spread = Sales(codes[:1], OUTCOMES[:1], cashiers[:1]), Sales(codes, OUTCOMES, cashiers)
        ready = {"max_workers": PROCESSES, "mp_context": get_context("spawn")}
        with ProcessPoolExecutor(**ready, initializer=open_house, initargs=(office.urls, KEYS, codes)) as processes:

            def rate(sales: Sales) -> float:
                starts = time.time() + 0.3
                shares = [players[first::PROCESSES] for first in range(PROCESSES)]
                sold = [processes.submit(sell, sales, share, starts, starts + seconds) for share in shares]
                return sum(share.result() for share in sold) / seconds

            rate(spread)
            compared("hot_pool", {"hot": lambda: rate(hot), "spread": lambda: rate(spread)}, TARGET)


if __name__ == "__main__":
    given = sys.argv[1:]
    main(float(given[0]) if given else 3.0, int(given[1]) if len(given) > 1 else 1000)
