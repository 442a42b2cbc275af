"""Each check of the audit finds its own breach, made as the owner could make it with the guards off."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from db.session import transaction
from db.urls import DatabaseUrls, conninfo
from desk.audit import DESK_CHECKS
from events.audit import EVENT_CHECKS
from ledger.audit import LEDGER_CHECKS
from office.persons.audit import PERSON_CHECKS
from office.stops.audit import STOP_CHECKS
from reports.audit import CHECKS, COVER, audit
from tests.office import Office
from tote.audit import POOL_CHECKS

BREACHES = {
    LEDGER_CHECKS[0]: "UPDATE transfers SET debit_account_id = (SELECT id FROM foreign_money) WHERE kind = 'deposit'",
    LEDGER_CHECKS[1]: "UPDATE balances SET balance = balance + 1",
    LEDGER_CHECKS[2]: "UPDATE tickets SET stake = stake + 1 WHERE id = 1",
    LEDGER_CHECKS[3]: "UPDATE transfers SET ticket_id = NULL WHERE kind = 'stake' AND ticket_id = 1",
    LEDGER_CHECKS[4]: "UPDATE endings SET amount = amount + 1 WHERE \"end\" = 'credited'",
    LEDGER_CHECKS[5]: "UPDATE payouts SET amount = amount + 1",
    LEDGER_CHECKS[6]: "UPDATE protocols SET number = number + 1",
    LEDGER_CHECKS[7]: "UPDATE ticket_states SET status = 'won' WHERE status = 'lost'",
    LEDGER_CHECKS[8]: """
        WITH gone AS (DELETE FROM settlement_creditings RETURNING run_id)
        UPDATE settlement_completions SET recorded_at = now() - interval '11 minutes'
        WHERE run_id IN (SELECT run_id FROM gone)
    """,
    LEDGER_CHECKS[9]: """
        UPDATE players SET account_id = (SELECT id FROM accounts WHERE kind = 'cash' LIMIT 1)
    """,
    LEDGER_CHECKS[10]: "UPDATE settlements SET win = win + 1 WHERE ticket_id = 2",
    LEDGER_CHECKS[11]: """
        INSERT INTO settlements
            (ticket_id, version, run_id, reverses_id, decision, win, stake_back, received, payable_from)
        SELECT ticket_id, 2, run_id, id, decision, win, stake_back, 0, payable_from FROM settlements WHERE ticket_id = 2
    """,
    LEDGER_CHECKS[12]: """
        INSERT INTO payout_holds (recorded_at, trade, subject_id, reason, held_by, held_at)
        OVERRIDING SYSTEM VALUE SELECT '2000-01-01', trade, subject_id, 'проба', 1, '2000-01-01' FROM settlement_runs
    """,
    EVENT_CHECKS[0]: "UPDATE proposal_uses SET used_by = 1 WHERE proposal_id = (SELECT max(proposal_id) FROM results)",
    DESK_CHECKS[0]: "UPDATE payouts SET amount = 500000",
    DESK_CHECKS[1]: "UPDATE cash_receptions SET amount = amount - 1",
    STOP_CHECKS[0]: "DELETE FROM open_sales_stops",
    PERSON_CHECKS[0]: "UPDATE data_keys SET wrapped = NULL, destroyed_at = now() WHERE purpose = 'person'",
    PERSON_CHECKS[1]: """
        UPDATE players SET person_version_id = (SELECT person_version_id FROM payouts LIMIT 1)
    """,
    PERSON_CHECKS[2]: "UPDATE players SET person_id = NULL",
    POOL_CHECKS[0]: "UPDATE pool_bets SET stake = stake + 1 WHERE ticket_id = 1",
    POOL_CHECKS[1]: "UPDATE pool_closings SET bets = bets + 1",
    POOL_CHECKS[2]: "UPDATE transfers SET amount = amount + 1 WHERE kind = 'stake' AND ticket_id = 1",
    POOL_CHECKS[3]: "UPDATE transfers SET amount = amount + 1 WHERE kind = 'prize_fund'",
    POOL_CHECKS[4]: "UPDATE pool_divisions SET wins = wins + 1",
}
"""For every check a change by the owner that breaks the promise it keeps."""

FOREIGN_MONEY = """
    CREATE VIEW foreign_money AS SELECT id FROM accounts WHERE currency = 'USD';
    INSERT INTO accounts (kind, subject, currency) VALUES ('cash', 'desk:K-1', 'USD');
    ALTER TABLE transfers DROP CONSTRAINT fk_transfers_debit_account_id_currency;
"""


@pytest.fixture
def day(database: DatabaseUrls) -> Iterator[Office]:
    """A settled day: a lost ticket, one won and unpaid, one paid in cash, one credited."""
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
    stop = {"scope": "pool", "subject": "P1", "reason": "после дня"}
    assert office.organizer.post("/sales-stops", stop).status_code == 201
    yield office
    office.close()


def broken(office: Office) -> set[str]:
    """The promises the audit finds broken."""
    with transaction(office.house.sessions) as session:
        return {finding.promise for finding in audit(session, "BYN")}


def test_there_is_a_breach_for_every_check() -> None:
    assert set(BREACHES) == set(CHECKS)


def test_each_check_finds_its_breach(day: Office) -> None:
    """One breach at a time, each undone before the next; before and between them the books are right."""
    with psycopg.connect(conninfo(day.urls.owner), autocommit=True) as owner:
        owner.execute(FOREIGN_MONEY)
        tables = [name for (name,) in owner.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")]
        for table in tables:
            owner.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        assert broken(day) == set()
        for check, breach in BREACHES.items():
            with owner.transaction(force_rollback=True):
                assert owner.execute(breach).rowcount > 0, breach
                found = {name for (name, _) in owner.execute(check.broken)}
                assert found, check.promise
        assert broken(day) == set()


def test_a_fund_without_cover_is_found(day: Office) -> None:
    """Owed are 12.00 unpaid; 500.00 of the special account and the desks' cash are taken away."""
    told = {"act": "special_account_out", "amount": "500.00"}
    assert day.accountant.post("/treasury-movements", told).status_code == 201
    cash = day.balance("cash", "desk:K-1")
    assert broken(day) == set()
    day.move("collection", cash, desk_id=day.desk["id"])
    assert broken(day) == {COVER}
