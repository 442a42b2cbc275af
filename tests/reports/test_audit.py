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
from ledger.seals.sealing import seal
from office.persons.audit import PERSON_CHECKS
from office.stops.audit import STOP_CHECKS
from players.audit import PLAYER_CHECKS
from reports.audit import CHECKS, COVER, audit
from tests.office import BANK_ACCOUNT, Office
from tote.audit import POOL_CHECKS
from tote.checkpoints import keep_totals
from tote.late_bets import SOLD_BEFORE_THE_START

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
        UPDATE players SET account_id = (SELECT id FROM accounts WHERE kind = 'cash' LIMIT 1) WHERE id = 1
    """,
    LEDGER_CHECKS[10]: "UPDATE settlements SET win = win + 1 WHERE ticket_id = 2",
    LEDGER_CHECKS[11]: """
        INSERT INTO settlements
            (ticket_id, version, run_id, reverses_id, decision, win, stake_back, received, payable_from)
        SELECT ticket_id, 2, run_id, id, decision, win, stake_back, 0, payable_from FROM settlements WHERE ticket_id = 2
    """,
    LEDGER_CHECKS[12]: """
        INSERT INTO payout_holds (recorded_at, trade, subject_id, reason, held_by, held_at, cause)
        OVERRIDING SYSTEM VALUE
        SELECT '2000-01-01', trade, subject_id, 'проба', 1, '2000-01-01', 'decision' FROM settlement_runs
    """,
    LEDGER_CHECKS[13]: """
        INSERT INTO settlement_runs
            (recorded_at, trade, subject_id, version, cause, protocol_id, payable_account_id, started_at)
        SELECT '2000-01-01', trade, subject_id, 2, cause, protocol_id, payable_account_id, started_at
        FROM settlement_runs
    """,
    LEDGER_CHECKS[14]: "UPDATE settlements SET received = 1 WHERE decision = 'lost'",
    LEDGER_CHECKS[15]: """
        UPDATE transfers SET kind = 'win_taken_back' WHERE kind = 'win_credited'
    """,
    EVENT_CHECKS[0]: "UPDATE proposal_uses SET used_by = 1 WHERE proposal_id = (SELECT max(proposal_id) FROM results)",
    EVENT_CHECKS[1]: "INSERT INTO result_scores (result_id, period, home, away) SELECT id, 'sets', 2, 1 FROM results",
    DESK_CHECKS[0]: "UPDATE payouts SET amount = 500000",
    DESK_CHECKS[1]: "UPDATE payouts SET amount = amount + 1 WHERE withdrawal_id IS NOT NULL",
    PLAYER_CHECKS[0]: "DELETE FROM deposits",
    PLAYER_CHECKS[1]: "UPDATE account_withdrawals SET amount = amount + 1 WHERE means = 'cash_desk'",
    PLAYER_CHECKS[2]: "UPDATE transfers SET amount = amount + 1 WHERE kind = 'account_withdrawal_reserved'",
    PLAYER_CHECKS[3]: "UPDATE players SET excluded_until = NULL",
    PLAYER_CHECKS[4]: "UPDATE players SET blocked_at = NULL",
    DESK_CHECKS[2]: "UPDATE cash_receptions SET amount = amount - 1",
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
    POOL_CHECKS[5]: "UPDATE pool_divisions SET jackpot_shortfall = 1",
    POOL_CHECKS[6]: """
        INSERT INTO pool_cancellations (ticket_id, pool_id, stage, reason, explanation, from_stakes, from_withdrawal,
            from_fund, cancelled_by, cancelled_at)
        SELECT ticket_id, pool_id, 'settled', 'unpaid', 'проба', 0, 0, 0, 1, now() FROM pool_bets WHERE ticket_id = 1
    """,
    POOL_CHECKS[7]: """
        INSERT INTO payout_holds (recorded_at, trade, subject_id, reason, held_by, held_at, cause)
        OVERRIDING SYSTEM VALUE SELECT '2000-01-01', 'tote_ticket', decided.ticket_id, 'проба', 1, '2000-01-01', 'claim'
        FROM endings JOIN settlements AS decided ON decided.id = endings.settlement_id
    """,
    POOL_CHECKS[8]: "DELETE FROM payment_terms",
    POOL_CHECKS[9]: "UPDATE pool_checkpoints SET stakes = stakes + 1 WHERE outcome = '2'",
    SOLD_BEFORE_THE_START: """
        INSERT INTO start_changes (event_id, turn, instant, was, source, reason, entered_by, entered_at)
        SELECT id, 'started', early.at, starts_at, 'проба', 'проба', 1, early.at
        FROM events, LATERAL (SELECT starts_at - interval '5 hours' AS at) AS early
    """,
}
"""For every check a change by the owner that breaks the promise it keeps."""

FOREIGN_MONEY = """
    CREATE VIEW foreign_money AS SELECT id FROM accounts WHERE currency = 'USD';
    INSERT INTO accounts (kind, subject, currency) VALUES ('cash', 'desk:K-1', 'USD');
    ALTER TABLE transfers DROP CONSTRAINT fk_transfers_debit_account_id_currency;
"""


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
    assert broken(day) == {POOL_CHECKS[5].promise}


def test_a_fund_without_cover_is_found(day: Office) -> None:
    """Owed are 12.00 unpaid; 500.00 of the special account and the desks' cash are taken away."""
    told = {"act": "special_account_out", "amount": "500.00"}
    assert day.accountant.post("/treasury-movements", told).status_code == 201
    cash = day.balance("cash", "desk:K-1")
    assert broken(day) == set()
    day.move("collection", cash, desk_id=day.desk["id"])
    assert broken(day) == {COVER}
