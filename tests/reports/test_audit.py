"""Each check of the audit finds its own breach, made as the owner could make it with the guards off."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from db.session import transaction
from db.urls import DatabaseUrls, conninfo
from ledger.seals.sealing import seal
from reports.audit import CHECKS, COVER, audit
from tests.office import BANK_ACCOUNT, Office
from tests.reports.breaches import BREACHES, FOREIGN_MONEY
from tote.checkpoints import keep_totals


@pytest.fixture
def day(database: DatabaseUrls) -> Iterator[Office]:
    """A settled day: a lost ticket, one won and unpaid, one paid, one credited to who withdraws and leaves."""
    office = Office(database)
    pool = office.pool()
    player = office.player("ivan", "10.00")
    office.bet(office.cashier, "2", "40.00")
    office.bet(office.cashier, "1", "10.00")
    paid = office.bet(office.cashier, "1", "10.00").json["code"]
    office.bet(player, "1", "10.00")
    office.decide(pool, "1")
    office.clock("2022-11-23T10:00:00+03:00")
    assert office.pay(paid).status_code == 201
    assert office.withdraw("ivan", "1.00").status_code == 201
    assert player.put("/players/me/bank-account", BANK_ACCOUNT).status_code == 200
    assert player.post("/players/me/withdrawals", {"amount": "2.00"}).status_code == 201
    assert player.post("/players/me/self-exclusions", {"days": 180}).status_code == 201
    assert office.player("olga")
    assert office.organizer.post("/players/2/ending", {}).status_code == 201
    stop = {"scope": "pool", "subject": "P1", "reason": "после дня"}
    assert office.organizer.post("/sales-stops", stop).status_code == 201
    seal(office.house.sessions)
    assert keep_totals(office.house.sessions, longest_tail=1) == 2
    yield office
    office.close()


def broken(office: Office) -> set[str]:
    """The promises the audit finds broken."""
    with transaction(office.house.sessions) as session:
        return {finding.promise for finding in audit(session, "BYN")}


def test_there_is_a_breach_for_every_check() -> None:
    assert len({check.promise for check in CHECKS}) == len(CHECKS)
    assert set(BREACHES) == {check.promise for check in CHECKS}


def test_each_check_finds_its_breach(day: Office) -> None:
    """One breach at a time, each undone before the next; before and between them the books are right."""
    with psycopg.connect(conninfo(day.urls.owner), autocommit=True) as owner:
        owner.execute(FOREIGN_MONEY)
        tables = [name for (name,) in owner.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")]
        for table in tables:
            owner.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        assert broken(day) == set()
        for check in CHECKS:
            with owner.transaction(force_rollback=True):
                assert owner.execute(BREACHES[check.promise]).rowcount > 0, check.promise
                found = {name for (name, _) in owner.execute(check.broken)}
                assert found, check.promise
        assert broken(day) == set()


@pytest.mark.parametrize(
    "breach",
    [
        "DELETE FROM pool_checkpoints WHERE outcome = '2'",
        "UPDATE pool_checkpoints SET closed_below = closed_below - 1 WHERE outcome = '1'",
        """
            INSERT INTO pool_checkpoints (pool_id, outcome, closed_below, bets, stakes)
            SELECT pool_id, 'X', closed_below, 1, 100 FROM pool_checkpoints WHERE outcome = '1'
        """,
    ],
)
def test_a_checkpoint_that_is_missing_moved_or_made_up_is_found(day: Office, breach: str) -> None:
    """The last bet is on outcome 1: a checkpoint of it that is moved under that bet no longer covers it."""
    with psycopg.connect(conninfo(day.urls.owner), autocommit=True) as owner:
        owner.execute("ALTER TABLE pool_checkpoints DISABLE TRIGGER USER")
        assert owner.execute(breach).rowcount == 1
    assert broken(day) == {"контрольные суммы пулов равны ставкам под ними"}


def test_a_fund_without_cover_is_found(day: Office) -> None:
    """Owed are 14.00 unpaid, a third of 60 % of 70.00; the special account's 500.00 and the desks' cash are gone."""
    told = {"act": "special_account_out", "amount": "500.00"}
    assert day.accountant.post("/treasury-movements", told).status_code == 201
    cash = day.balance("cash", "desk:K-1")
    assert broken(day) == set()
    day.move("collection", cash, desk_id=day.desk["id"])
    assert broken(day) == {COVER}
    found = next(wrong for wrong in day.wrongs() if "выигрышный фонд" in wrong)
    assert found.endswith("должны 14.00, лежит 0.00, недостача 14.00: зачислите её на специальный счёт")
