"""The decisions of a run on the tickets of its pool, some thousands a statement (DESIGN 3.7, D-14)."""

from __future__ import annotations

from datetime import datetime
from typing import Any, cast

from sqlalchemy import CursorResult, TextClause, text
from sqlalchemy.orm import Session

from ledger.settlements import Decision
from office.operator import Operator
from tote.division import Settling
from tote.games.register import game

# What a bet cancelled by the organizer is due was decided when it was cancelled (T-Rules 29).
_NEXT_BETS = """
    SELECT ticket_id, outcome, stake FROM pool_bets
    WHERE pool_id = :pool
        AND ticket_id > (SELECT coalesce(max(ticket_id), 0) FROM settlements WHERE run_id = :run)
        AND NOT EXISTS (SELECT FROM pool_cancellations WHERE pool_cancellations.ticket_id = pool_bets.ticket_id)
    ORDER BY ticket_id LIMIT :size
"""
_FAVOURED = """
    unnest(
        CAST(:outcomes AS text[]), CAST(:stakes AS bigint[]), CAST(:wins AS bigint[]), CAST(:returned AS bigint[])
    ) AS favoured (outcome, stake, win, stake_back)
"""
# Looked up for those that are due something: a join reads the whole register of tickets for every chunk.
_AT_A_DESK = "(SELECT ticket.player_id FROM tickets AS ticket WHERE ticket.id = bet.ticket_id) IS NULL"
# A win from a game account is credited and does not lapse (D-17). The term is the win's; a stake given back outlives it
# (D-21), which the desk heeds.
DECIDE = text(f"""
    INSERT INTO settlements
        (ticket_id, version, run_id, decision, win, stake_back, received, payable_from, payable_until)
    SELECT bet.ticket_id, 1, :run,
        CASE WHEN favoured.outcome IS NULL THEN :lost ELSE :decision END,
        coalesce(favoured.win, 0), coalesce(favoured.stake_back, 0), 0,
        CASE WHEN favoured.win + favoured.stake_back > 0 THEN CAST(:payable_from AS timestamptz) END,
        CASE WHEN favoured.win + favoured.stake_back > 0 AND {_AT_A_DESK}
            THEN CAST(:payable_until AS timestamptz) END
    FROM ({_NEXT_BETS}) AS bet
    LEFT JOIN {_FAVOURED} ON favoured.outcome = bet.outcome AND favoured.stake = bet.stake
    ORDER BY bet.ticket_id
""")
# Every earlier run is complete, and nobody is paid by it any more, so that the last version is the one this replaces
# and what was received is final. A stake or win that lapsed was received by nobody.
DECIDE_AGAIN = text(f"""
    INSERT INTO settlements
        (ticket_id, version, run_id, reverses_id, decision, win, stake_back, received, payable_from, payable_until)
    SELECT bet.ticket_id, former.version + 1, :run, former.id,
        CASE WHEN favoured.outcome IS NULL THEN :lost ELSE :decision END,
        coalesce(favoured.win, 0), coalesce(favoured.stake_back, 0), paid.amount - taken.amount,
        CASE WHEN favoured.win + favoured.stake_back > paid.amount - taken.amount
            THEN CAST(:payable_from AS timestamptz) END,
        CASE WHEN favoured.win + favoured.stake_back > paid.amount - taken.amount AND {_AT_A_DESK}
            THEN CAST(:payable_until AS timestamptz) END
    FROM ({_NEXT_BETS}) AS bet
    CROSS JOIN LATERAL (
        SELECT id, version FROM settlements WHERE ticket_id = bet.ticket_id ORDER BY version DESC LIMIT 1
    ) AS former
    CROSS JOIN LATERAL (
        SELECT coalesce(sum(ended.amount), 0) AS amount
        FROM settlements AS earlier JOIN endings AS ended ON ended.settlement_id = earlier.id
        WHERE earlier.ticket_id = bet.ticket_id AND ended."end" IN ('paid', 'credited')
    ) AS paid
    CROSS JOIN LATERAL (
        SELECT coalesce(sum(back.amount), 0) AS amount
        FROM settlements AS earlier JOIN transfers AS back ON back.settlement_id = earlier.id
        WHERE earlier.ticket_id = bet.ticket_id AND back.kind = 'win_taken_back'
    ) AS taken
    LEFT JOIN {_FAVOURED} ON favoured.outcome = bet.outcome AND favoured.stake = bet.stake
    ORDER BY bet.ticket_id
""")


def decide_next(session: Session, operator: Operator, settling: Settling, size: int) -> int:
    """Decide the next ``size`` tickets of a pool; how many were decided, 0 when none is left."""
    payable_from, payable_until = _term(operator, settling)
    decided = session.execute(
        _statement(settling),
        {
            **_columns(settling),
            "decision": Decision.RETURNED if settling.division.returned else Decision.WON,
            "lost": Decision.LOST,
            "run": settling.run.id,
            "pool": settling.pool.id,
            "size": size,
            "payable_from": payable_from,
            "payable_until": payable_until,
        },
    )
    return cast(CursorResult[Any], decided).rowcount


def _statement(settling: Settling) -> TextClause:
    return DECIDE if settling.run.version == 1 else DECIDE_AGAIN


def _term(operator: Operator, settling: Settling) -> tuple[datetime, datetime | None]:
    """From when and until when cash is paid: a win by its game's term (T-Rules 40, D-1).

    The rulebook's terms are those of wins: a stake that is returned is fetched at once and for ever (T-Rules 32, D-21).
    """
    started = settling.run.started_at
    if settling.division.returned:
        return started, None
    term = game(settling.pool.game).payment_term(started, operator.zone_at(started))
    return term.start, term.end


def _columns(settling: Settling) -> dict[str, list[Any]]:
    """The groups that are due something or won nothing but the word, column by column, as the database unnests them."""
    favoured = settling.favoured
    return {
        "outcomes": [group.outcome for group, _ in favoured],
        "stakes": [group.stake for group, _ in favoured],
        "wins": [win.win for _, win in favoured],
        "returned": [win.returned_stake for _, win in favoured],
    }
