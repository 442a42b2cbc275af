"""How long a ticket of 1,594,323 bets takes beside a ticket of one: what it holds must not matter (DESIGN 7).

Run from the checkout: `.venv/bin/python -m bench.covers [SECONDS]`. A cashier places through `tote.sales.place`, each
ticket committed: all three marks in each of thirteen positions, and one mark in each. The contract allows the cover
three times as long.
"""

import sys
import time

from bench.ground import compared, office_at_work
from db.session import transaction
from desk.models import Terminal
from office.callers import Caller, Role
from office.users import User
from tests.office import Office
from tests.tote.positions.announced import announced, positions
from tote.orders import Order
from tote.sales import place

TARGET = 1 / 3
LEVELS = [{"from": "100", "to": "100", "share": "100"}]
COVER = Order("P1", None, 15_943_23, marks=[["1", "X", "2"]] * 13)
SINGLE = Order("P1", None, 1_00, marks=[["1"]] * 13)


def cashier_of(office: Office) -> Caller:
    """The cashier at the office's desk."""
    assert office.cashier, "the shift is open"
    with transaction(office.owner) as session:
        cashier = session.query(User.id).where(User.role == Role.CASHIER.value).scalar()
        return Caller(Role.CASHIER, user_id=cashier, terminal_id=session.query(Terminal.id).scalar())


def main(seconds: float) -> None:
    with office_at_work() as office:
        announced(office, positions=positions(13), levels=LEVELS, minimum_stake="0.01")
        cashier = cashier_of(office)

        def rate(order: Order) -> float:
            began, placed = time.perf_counter(), 0
            while time.perf_counter() < began + seconds:
                with transaction(office.house.sessions) as session:
                    place(session, office.house.counter, order, cashier)
                placed += 1
            return placed / (time.perf_counter() - began)

        rate(SINGLE)
        sides = {"cover": lambda: rate(COVER), "single": lambda: rate(SINGLE)}
        compared("covers", sides, TARGET, "tickets a second")


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 3.0)
