"""Each report of the small day (see conftest), every figure by hand, and each total held against the ledger."""

from __future__ import annotations

from tests.office import Office
from tests.reports.registers.conftest import NOON
from tests.reports.registers.facts import account_of
from tests.reports.registers.reading import columns, shown


def minor(amount: str) -> int:
    """An amount in kopecks."""
    return int(amount.replace(".", ""))


def ledger(office: Office, kind: str) -> int:
    """What all accounts of a kind hold, debits less credits."""
    with office.house.sessions() as session:
        return account_of(session, kind)


def test_the_register_of_tickets(day: Office) -> None:
    report = shown(day.accountant, "ticket-register", as_of=NOON)
    told = columns(report["items"], "number", "stake", "status", "win", "stake_back", "paid", "paid_where")
    assert told == [
        (1, "10.00", "paid", "12.00", "0.00", "12.00", "K-1"),
        (2, "20.00", "lost", "0.00", "0.00", "0.00", None),
        (3, "10.00", "credited", "12.00", "0.00", "12.00", "игровой счёт"),
        (4, "10.00", "won", "12.00", "0.00", "0.00", None),
        (5, "10.00", "cancelled", "0.00", "10.00", "0.00", None),
        (6, "10.00", "won", "1.00", "10.00", "0.00", None),
        (7, "7.00", "returned", "0.00", "7.00", "0.00", None),
        (8, "3.00", "credited", "0.00", "3.00", "3.00", "игровой счёт"),
        (9, "2.00", "accepted", None, None, "0.00", None),
        (10, "4.00", "accepted", None, None, "0.00", None),
    ]
    whole = report["totals"]["whole"]
    assert whole["rows"] == 10
    assert whole["money"] == {"stake": "86.00", "win": "37.00", "stake_back": "30.00", "paid": "27.00"}
