"""What a corrected protocol shows to have been paid too much: taken back, claimed, or the organizer's loss (D-14).

What was credited to a game account is taken back from it, ticket after ticket, down to a balance of zero; the rest is a
claim on the player. Cash stays with whoever was paid, and the organizer bears it.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import RowMapping, func, select, text
from sqlalchemy.orm import Session

from db.clock import trade_time
from ledger.accounts import OPERATOR, Kind, open_account
from ledger.holds import enter_payouts
from ledger.money import currency, format_amount
from ledger.settlements import SettlementRun
from office.operator import Operator
from office.significant.kinds import CASH_OVERPAID, WINS_CLAIMED
from office.significant.kinds import Kind as Significant
from office.significant.log import note
from tote.crediting import TICKETS, last_of_chunk
from tote.models import Pool
from tote.settlement import SETTLEMENT_GATE, is_superseded

TAKEN_BACK = "win_taken_back"
CLAIMED = "win_claimed"
OVERPAID = "overpaid"

_OVER = """
    FROM settlements AS decided JOIN {tickets}
    {joined}
    WHERE decided.run_id = :run AND decided.ticket_id > :after AND decided.ticket_id <= :upto
        AND decided.received > decided.win + decided.stake_back AND ticket.player_id IS {whose}
        AND (SELECT count(*) FROM transfers WHERE transfers.settlement_id = decided.id
            AND transfers.kind IN ('win_taken_back', 'win_claimed', 'overpaid')) = 0
"""
_CREDITED = _OVER.format(
    tickets=TICKETS, joined="JOIN players AS player ON player.id = ticket.player_id", whose="NOT NULL"
)
_PAID = _OVER.format(tickets=TICKETS, joined="", whose="NULL")
# The balances are locked in the order of their accounts, as those are that are credited.
LOCK = text(f"""
    SELECT balance.account_id FROM balances AS balance
    WHERE balance.account_id IN (SELECT player.account_id {_CREDITED})
    ORDER BY balance.account_id FOR UPDATE
""")
# A claim has an account of its own for each player, so that it is on record who owes what.
OPEN_CLAIMS = text(f"""
    INSERT INTO accounts (kind, subject, currency)
    SELECT :claims, 'player:' || credited.player_id, credited.currency FROM (
        SELECT player.id AS player_id, player.account_id, ticket.currency,
            sum(decided.received - decided.win - decided.stake_back) AS amount {_CREDITED}
        GROUP BY player.id, player.account_id, ticket.currency
    ) AS credited JOIN balances AS balance ON balance.account_id = credited.account_id
    WHERE credited.amount > balance.balance
    ORDER BY credited.player_id
    ON CONFLICT DO NOTHING
""")
TAKE_BACK = text(f"""
    WITH credited AS (
        SELECT decided.id, decided.ticket_id, player.id AS player_id, player.account_id, ticket.currency,
            decided.received - decided.win - decided.stake_back AS amount,
            sum(decided.received - decided.win - decided.stake_back)
                OVER (PARTITION BY player.account_id ORDER BY decided.ticket_id) AS upto_here {_CREDITED}
    ), parted AS (
        SELECT credited.*,
            CAST(greatest(least(amount, balance - (upto_here - amount)), 0) AS bigint) AS taken
        FROM credited JOIN balances AS balance ON balance.account_id = credited.account_id
    ), moved AS (
        INSERT INTO transfers (debit_account_id, credit_account_id, amount, currency, kind, ticket_id, settlement_id,
            occurred_at, booked_on)
        SELECT account_id, :payable, taken, currency, '{TAKEN_BACK}', ticket_id, id, :at, :booked_on
        FROM parted WHERE taken > 0 ORDER BY ticket_id
    ), claimed AS (
        INSERT INTO transfers (debit_account_id, credit_account_id, amount, currency, kind, ticket_id, settlement_id,
            occurred_at, booked_on)
        SELECT claim.id, :payable, parted.amount - taken, parted.currency, '{CLAIMED}', ticket_id, parted.id,
            :at, :booked_on
        FROM parted JOIN accounts AS claim ON claim.kind = :claims AND claim.subject = 'player:' || parted.player_id
            AND claim.currency = parted.currency
        WHERE parted.amount > taken ORDER BY ticket_id
    ), lowered AS (
        UPDATE balances SET balance = balance - back.amount
        FROM (SELECT account_id, sum(taken) AS amount FROM parted GROUP BY account_id) AS back
        WHERE balances.account_id = back.account_id AND back.amount > 0
    )
    SELECT amount - taken AS amount FROM parted WHERE amount > taken
""")
BEAR = text(f"""
    INSERT INTO transfers (debit_account_id, credit_account_id, amount, currency, kind, ticket_id, settlement_id,
        occurred_at, booked_on)
    SELECT :organizer, :payable, decided.received - decided.win - decided.stake_back, ticket.currency, '{OVERPAID}',
        decided.ticket_id, decided.id, :at, :booked_on {_PAID}
    ORDER BY decided.ticket_id
    RETURNING amount
""")


def recover_chunk(session: Session, operator: Operator, run: SettlementRun, after: int, size: int) -> int | None:
    """Take back, claim or bear what the next ``size`` tickets of a run were paid too much; the last one, or none.

    A ticket that was seen to is passed over, so the whole may be repeated from the start after a crash.

    Raises:
        Refusal: ``payout_held``; ``settlement_under_way``, another run is about to take this one's place.
    """
    enter_payouts(session, run.trade, run.subject_id)
    session.execute(select(func.shut_gate(SETTLEMENT_GATE, run.subject_id)))
    upto = None if is_superseded(session, run) else last_of_chunk(session, run, after, size)
    if upto is None:
        return None
    pool, at = session.get_one(Pool, run.subject_id), trade_time(session)
    these = {"run": run.id, "after": after, "upto": upto, "claims": Kind.CLAIMS.value}
    booked = {**these, "at": at, "booked_on": operator.day_of(at), "payable": run.payable_account_id}
    session.execute(LOCK, these)
    session.execute(OPEN_CLAIMS, these)
    _note(session, WINS_CLAIMED, pool, session.execute(TAKE_BACK, booked).mappings().all())
    organizer = open_account(session, Kind.ORGANIZER, OPERATOR, pool.currency)
    _note(session, CASH_OVERPAID, pool, session.execute(BEAR, {**booked, "organizer": organizer}).mappings().all())
    return upto


def _note(session: Session, kind: Significant, pool: Pool, overs: Sequence[RowMapping]) -> None:
    """Put on record that money cannot be had back: once for a chunk, for the transfers tell it ticket by ticket."""
    if overs:
        amount = format_amount(sum(over["amount"] for over in overs), currency(pool.currency))
        note(session, kind, f"pool:{pool.id}", pool=pool.code, tickets=len(overs), amount=amount)
