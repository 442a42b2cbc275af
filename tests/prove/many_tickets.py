"""A settled pool of any number of tickets, written at once: half of them sold at a desk, half online.

Ticket n (from 1) has a stake of 1.00 and n % 50 kopecks. Every third one won twice its stake: the online ones were
credited, those of the desk are owed. All are of one pool, one settlement run, one player and one shift.
"""

from __future__ import annotations

import psycopg

from db.urls import conninfo
from tests.office import Office

FACTS = """
    INSERT INTO tickets (game, stake, currency, code_digest, code_sealed, player_id, shift_id, terminal_id, cashier_id,
        placed_at)
    SELECT 'totolot_variant', 100 + n %% 50, 'BYN', sha256(n::text::bytea), ''::bytea,
        CASE WHEN n %% 2 = 0 THEN player END, CASE WHEN n %% 2 = 1 THEN shift END,
        CASE WHEN n %% 2 = 1 THEN terminal END, CASE WHEN n %% 2 = 1 THEN cashier END,
        timestamptz '2022-11-22 06:00+00' + n * interval '1 millisecond'
    FROM generate_series(1, %(number)s) AS n, (SELECT (SELECT max(id) FROM players) AS player,
        (SELECT max(id) FROM shifts) AS shift, (SELECT max(id) FROM terminals) AS terminal,
        (SELECT max(opened_by) FROM shifts) AS cashier) AS who ORDER BY n;
    INSERT INTO pool_bets (ticket_id, pool_id, outcome, stake)
    SELECT ticket.id, pool.id, CASE WHEN ticket.id %% 3 = 0 THEN '1' ELSE '2' END, ticket.stake
    FROM tickets AS ticket, pools AS pool ORDER BY ticket.id;
    INSERT INTO transfers (debit_account_id, credit_account_id, amount, currency, kind, ticket_id, occurred_at,
        booked_on)
    SELECT coalesce(player.account_id, till.id), pool.stakes_account_id, ticket.stake, 'BYN', 'stake', ticket.id,
        ticket.placed_at, '2022-11-22'
    FROM pools AS pool, (SELECT id FROM accounts WHERE kind = 'cash') AS till,
        tickets AS ticket LEFT JOIN players AS player ON player.id = ticket.player_id ORDER BY ticket.id;
    INSERT INTO settlement_runs (trade, subject_id, version, cause, protocol_id, payable_account_id, started_at)
    SELECT 'tote', pool.id, 1, 'protocol', (SELECT max(id) FROM protocols), pool.wins_account_id, '2022-11-22 13:00+00'
    FROM pools AS pool;
    INSERT INTO settlements (ticket_id, version, run_id, decision, win, stake_back, received, payable_from,
        payable_until)
    SELECT bet.ticket_id, 1, run.id, CASE bet.outcome WHEN '1' THEN 'won' ELSE 'lost' END,
        CASE bet.outcome WHEN '1' THEN 2 * bet.stake ELSE 0 END, 0, 0,
        CASE bet.outcome WHEN '1' THEN timestamptz '2022-11-22 21:00+00' END,
        CASE WHEN bet.outcome = '1' AND bet.ticket_id %% 2 = 1 THEN timestamptz '2023-02-23 21:00+00' END
    FROM pool_bets AS bet, settlement_runs AS run ORDER BY bet.ticket_id;
    INSERT INTO settlement_completions (run_id, tickets, due, completed_at)
    SELECT run_id, count(*), sum(win), '2022-11-22 13:00+00' FROM settlements GROUP BY run_id;
    INSERT INTO endings (settlement_id, "end", amount, ended_at)
    SELECT decided.id, 'credited', decided.win, '2022-11-22 13:01+00' FROM settlements AS decided
    WHERE decided.win > 0 AND decided.ticket_id %% 2 = 0 ORDER BY decided.id;
    INSERT INTO transfers (debit_account_id, credit_account_id, amount, currency, kind, ticket_id, settlement_id,
        occurred_at, booked_on)
    SELECT pool.wins_account_id, player.account_id, ended.amount, 'BYN', 'win_credited', decided.ticket_id, decided.id,
        ended.ended_at, '2022-11-22'
    FROM endings AS ended JOIN settlements AS decided ON decided.id = ended.settlement_id, pools AS pool,
        players AS player ORDER BY decided.id;
"""


def write_many(office: Office, number: int) -> None:
    """Write so many tickets with all that became of them into an office that has sold none yet."""
    pool = office.pool()
    office.player("ivan")
    office.determine(pool, "1")
    with psycopg.connect(conninfo(office.urls.owner)) as owner:
        for statement in FACTS.split(";\n"):
            if statement.strip():
                owner.execute(statement, {"number": number})
        owner.commit()
    with psycopg.connect(conninfo(office.urls.owner), autocommit=True) as owner:
        owner.execute("ANALYZE")


def staked(number: int) -> int:
    """What all stakes come to, in kopecks: whole rounds of 0 to 49, and what is left of the last."""
    rounds, rest = divmod(number, 50)
    return 100 * number + rounds * 49 * 50 // 2 + rest * (rest + 1) // 2
