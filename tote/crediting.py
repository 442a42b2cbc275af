"""Crediting a completed run: wins onto game accounts, every ticket's state after the decision (D-17, DESIGN 3.7).

Of a run that took another's place only what is due more is credited; :mod:`tote.recovery` sees to what was too much.
"""

from __future__ import annotations

from sqlalchemy import func, insert, select, text
from sqlalchemy.orm import Session

from db.clock import trade_time
from ledger.holds import enter_payouts
from ledger.money import currency, format_amount
from ledger.settlements import End, Settlement, SettlementCrediting, SettlementRun
from office.operator import Operator
from office.settings.versions import value_of
from office.significant.kinds import LARGE_WIN
from office.significant.log import note_all
from office.significant.thresholds import LARGE_WIN_FROM
from tote.pools import TICKET_TRADE
from tote.settlement import SETTLEMENT_GATE, is_superseded

CREDIT = "win_credited"

# A chunk is found by the numbers of its tickets in every table, and what became of a decision is looked up one by one:
# left to itself the database joins by reading whole tables, chunk after chunk, once some hundred thousand are in them.
TICKETS = "tickets AS ticket ON ticket.id = decided.ticket_id AND ticket.id > :after AND ticket.id <= :upto"
NO_END = "(SELECT ended.id FROM endings AS ended WHERE ended.settlement_id = decided.id) IS NULL"
# A ticket whose payment is held by itself is passed over, and credited when that ends (late_crediting.py).
NOT_HELD = f"""NOT EXISTS (
    SELECT FROM payout_holds AS held LEFT JOIN payout_releases AS released ON released.hold_id = held.id
    WHERE held.trade = '{TICKET_TRADE}' AND held.subject_id = decided.ticket_id AND released.id IS NULL)"""
# The balances are locked in the order of their accounts before any is updated, so that two pools credited at once
# never wait on one another in a circle.
LOCK = text(f"""
    SELECT balance.account_id FROM balances AS balance
    WHERE balance.account_id IN (
        SELECT player.account_id FROM settlements AS decided
        JOIN {TICKETS}
        JOIN players AS player ON player.id = ticket.player_id
        WHERE decided.run_id = :run AND decided.ticket_id > :after AND decided.ticket_id <= :upto
            AND decided.win + decided.stake_back > decided.received)
    ORDER BY balance.account_id FOR UPDATE
""")
CREDIT_WINS = text(f"""
    WITH due AS (
        SELECT decided.id, decided.ticket_id, decided.win + decided.stake_back - decided.received AS amount,
            player.account_id, ticket.currency
        FROM settlements AS decided
        JOIN {TICKETS}
        JOIN players AS player ON player.id = ticket.player_id
        WHERE decided.run_id = :run AND decided.ticket_id > :after AND decided.ticket_id <= :upto
            AND decided.win + decided.stake_back > decided.received
            AND {NO_END} AND {NOT_HELD}
    ), ended AS (
        INSERT INTO endings (settlement_id, "end", amount, ended_at)
        SELECT id, :credited, amount, :at FROM due ORDER BY ticket_id
    ), moved AS (
        INSERT INTO transfers (debit_account_id, credit_account_id, amount, currency, kind, ticket_id, settlement_id,
            occurred_at, booked_on)
        SELECT :payable, account_id, amount, currency, :kind, ticket_id, id, :at, :booked_on FROM due ORDER BY ticket_id
    )
    UPDATE balances SET balance = balance + owed.amount
    FROM (SELECT account_id, sum(amount) AS amount FROM due GROUP BY account_id) AS owed
    WHERE balances.account_id = owed.account_id
""")
# The gate is shut: nobody credits these between this look and the crediting.
LARGE_WINS = text(f"""
    SELECT decided.ticket_id, decided.win, ticket.player_id, ticket.currency
    FROM settlements AS decided JOIN {TICKETS}
    WHERE decided.run_id = :run AND decided.ticket_id > :after AND decided.ticket_id <= :upto
        AND decided.win >= :large AND decided.win + decided.stake_back > decided.received
        AND ticket.player_id IS NOT NULL
        AND {NO_END} AND {NOT_HELD}
    ORDER BY decided.ticket_id
""")
# What nobody had fetched of earlier decisions is fetched no more.
END_FORMER = text("""
    INSERT INTO endings (settlement_id, "end", amount, ended_at)
    SELECT former.id, 'reversed', 0, :at
    FROM settlements AS decided
    JOIN settlements AS former ON former.ticket_id = decided.ticket_id AND former.version < decided.version
        AND former.ticket_id > :after AND former.ticket_id <= :upto
    WHERE decided.run_id = :run AND decided.ticket_id > :after AND decided.ticket_id <= :upto
        AND former.win + former.stake_back > former.received
        AND (SELECT ended.id FROM endings AS ended WHERE ended.settlement_id = former.id) IS NULL
    ORDER BY former.id
""")
# What earlier decisions had paid or credited in full ends as they did, and moves nothing.
END_RECEIVED = text(f"""
    INSERT INTO endings (settlement_id, "end", amount, ended_at)
    SELECT decided.id, CASE WHEN ticket.player_id IS NULL THEN 'paid' ELSE 'credited' END, 0, :at
    FROM settlements AS decided JOIN {TICKETS}
    WHERE decided.run_id = :run AND decided.ticket_id > :after AND decided.ticket_id <= :upto
        AND decided.win + decided.stake_back BETWEEN 1 AND decided.received
        AND {NO_END}
    ORDER BY decided.ticket_id
""")
# A cash ticket may be paid between the completion and this statement: its state already follows the decision. What a
# later version has replaced is followed no more; a state that lags behind an ending of this transaction catches up.
FOLLOW = text("""
    WITH decided AS MATERIALIZED (
        SELECT this.id, this.ticket_id, this.decision,
            (SELECT ended."end" FROM endings AS ended WHERE ended.settlement_id = this.id) AS "end"
        FROM settlements AS this
        WHERE this.run_id = :run AND this.ticket_id > :after AND this.ticket_id <= :upto
            AND (SELECT next.id FROM settlements AS next WHERE next.reverses_id = this.id) IS NULL
    )
    UPDATE ticket_states AS state
    SET settlement_id = decided.id, status = coalesce(decided."end", decided.decision)
    FROM decided
    WHERE state.ticket_id = decided.ticket_id AND state.ticket_id > :after AND state.ticket_id <= :upto
        AND (state.settlement_id IS DISTINCT FROM decided.id
            OR state.status = decided.decision AND decided."end" IS NOT NULL)
""")


def credit_chunk(session: Session, operator: Operator, run: SettlementRun, after: int, size: int) -> int | None:
    """Credit the next ``size`` tickets of a completed run behind the ticket ``after``; the last one, or none.

    A ticket credited before is passed over, so the whole may be repeated from the start after a crash. A run that
    another has taken the place of credits nothing more.

    Raises:
        Refusal: ``payout_held``; ``settlement_under_way``, another run is about to take this one's place.
    """
    enter_payouts(session, run.trade, run.subject_id)
    session.execute(select(func.shut_gate(SETTLEMENT_GATE, run.subject_id)))
    upto = None if is_superseded(session, run) else last_of_chunk(session, run, after, size)
    if upto is None:
        return None
    at = trade_time(session)
    these = {"run": run.id, "after": after, "upto": upto}
    if run.version > 1:
        session.execute(END_FORMER, {**these, "at": at})
        session.execute(END_RECEIVED, {**these, "at": at})
    _note_large_wins(session, these)
    session.execute(LOCK, these)
    session.execute(
        CREDIT_WINS,
        {
            **these,
            "at": at,
            "booked_on": operator.day_of(at),
            "payable": run.payable_account_id,
            "kind": CREDIT,
            "credited": End.CREDITED,
        },
    )
    session.execute(FOLLOW, these)
    return upto


def last_of_chunk(session: Session, run: SettlementRun, after: int, size: int) -> int | None:
    """The last of the next ``size`` tickets of a run behind a ticket, or none."""
    chunk = (
        select(Settlement.ticket_id)
        .where(Settlement.run_id == run.id, Settlement.ticket_id > after)
        .order_by(Settlement.ticket_id)
        .limit(size)
        .subquery()
    )
    last: int | None = session.scalar(select(func.max(chunk.c.ticket_id)))
    return last


def _note_large_wins(session: Session, these: dict[str, int]) -> None:
    """Write down the large wins about to be credited (INDUSTRY), each once: what has its ending is passed over."""
    found = session.execute(LARGE_WINS, {**these, "large": value_of(session, LARGE_WIN_FROM)}).all()
    wins = [
        {
            "subject": f"ticket:{won.ticket_id}",
            "player_id": won.player_id,
            "facts": {"win": format_amount(won.win, currency(won.currency)), "currency": won.currency, "end": CREDIT},
        }
        for won in found
    ]
    note_all(session, LARGE_WIN, wins)


def finish(session: Session, run: SettlementRun) -> None:
    """Put on record that the run is credited to the last ticket; one that was superseded never is."""
    session.execute(select(func.shut_gate(SETTLEMENT_GATE, run.subject_id)))
    if not is_credited(session, run.id) and not is_superseded(session, run):
        session.execute(insert(SettlementCrediting).values(run_id=run.id, credited_at=trade_time(session)))


def is_credited(session: Session, run_id: int) -> bool:
    """Whether the run is credited to the last ticket."""
    done = select(SettlementCrediting.id).where(SettlementCrediting.run_id == run_id)
    return session.scalar(done) is not None
