"""The audit finds a ticket that is not what its marks come to, and a division that is not what its levels are."""

from __future__ import annotations

import psycopg
import pytest

from db.urls import conninfo
from tests.office import Office
from tests.tote.positions.announced import announced, decided, mark, sold, upload
from tote.positions_audit import POSITION_CHECKS

TICKETS = "в билете столько ставок, сколько можно составить из его отметок, и отмечено объявленное"
LEVELS = "уровни раздела — объявленные, и вместе дают его выигравшие ставки и фонд"
BREACHES = {
    "UPDATE pool_bets SET marks = jsonb_set(marks, '{3}', '[\"1\"]') WHERE ticket_id = 1": TICKETS,
    "UPDATE pool_bets SET marks = jsonb_set(marks, '{3}', '[\"1\", \"7\"]') WHERE ticket_id = 1": TICKETS,
    "UPDATE pool_bets SET marks = jsonb_set(marks, '{3}', '[\"1\", \"1\"]') WHERE ticket_id = 1": TICKETS,
    "UPDATE pool_bets SET marks = marks - 0 WHERE ticket_id = 1": TICKETS,
    "UPDATE pool_bets SET rows = 4 WHERE ticket_id = 1": TICKETS,
    "DELETE FROM uploaded_rows": TICKETS,
    "UPDATE uploaded_rows SET rows = 4": TICKETS,
    "UPDATE uploaded_rows SET places = substring(places FROM 4)": TICKETS,
    "UPDATE pool_level_divisions SET winning_bets = winning_bets + 1 WHERE level = 1": LEVELS,
    "UPDATE pool_level_divisions SET fund_numerator = fund_numerator + 1 WHERE level = 2": LEVELS,
    "DELETE FROM pool_level_divisions WHERE level = 2": LEVELS,
}


@pytest.fixture
def settled(office: Office) -> Office:
    """A pool of two tickets on four positions: a cover of two rows and three rows that were uploaded."""
    pool = announced(office)
    sold(mark(office.cashier, "1 X 2 1X", "4.00"))
    sold(upload(office.cashier, "1X21 1X2X 2222", "3.00"))
    decided(office, pool, "1X21")
    return office


def test_each_breach_is_found(settled: Office) -> None:
    """One at a time, each undone before the next; before and after them the books are right."""
    broken = {check.promise: check.broken for check in POSITION_CHECKS}
    assert settled.wrongs() == []
    with psycopg.connect(conninfo(settled.urls.owner), autocommit=True) as owner:
        for table in ("pool_bets", "uploaded_rows", "pool_level_divisions"):
            owner.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        owner.execute("ALTER TABLE uploaded_rows DROP CONSTRAINT ck_uploaded_rows_shape")
        for breach, promise in BREACHES.items():
            with owner.transaction(force_rollback=True):
                assert owner.execute(breach).rowcount == 1, breach
                assert owner.execute(broken[promise]).rowcount == 1, breach
    assert settled.wrongs() == []
