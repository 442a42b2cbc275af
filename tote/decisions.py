"""The decisions of a run on the tickets of its pool, some thousands a statement (DESIGN 3.7, D-14)."""

from __future__ import annotations

from datetime import datetime
from itertools import islice
from typing import Any, cast

from sqlalchemy import CursorResult, func, select, text
from sqlalchemy.orm import Session

from ledger.settlements import Decision, Settlement
from office.operator import Operator
from tote.division import Settling
from tote.games.register import game
from tote.marked_bets import reached

# What a bet cancelled by the organizer is due was decided when it was cancelled (T-Rules 29).
_NEXT_BETS = """
    SELECT ticket_id, outcome, stake FROM pool_bets
    WHERE pool_id = :pool
        AND ticket_id > (SELECT coalesce(max(ticket_id), 0) FROM settlements WHERE run_id = :run)
        AND NOT EXISTS (SELECT FROM pool_cancellations WHERE pool_cancellations.ticket_id = pool_bets.ticket_id)
    ORDER BY ticket_id LIMIT :size
"""
# What each bet is due: as the group it belongs to, or, where its rows reached levels, reckoned for the ticket itself.
_BY_GROUP = """
    unnest(
        CAST(:outcomes AS text[]), CAST(:stakes AS bigint[]), CAST(:wins AS bigint[]), CAST(:returned AS bigint[])
    ) AS favoured (outcome, stake, win, stake_back)
    ON favoured.outcome = bet.outcome AND favoured.stake = bet.stake
"""
_BY_TICKET = """
    unnest(CAST(:tickets AS bigint[]), CAST(:wins AS bigint[]), CAST(:returned AS bigint[]))
        AS favoured (ticket_id, win, stake_back)
    ON favoured.ticket_id = bet.ticket_id
"""
# Looked up for those that are due something: a join reads the whole register of tickets for every chunk.
_AT_A_DESK = "(SELECT ticket.player_id FROM tickets AS ticket WHERE ticket.id = bet.ticket_id) IS NULL"
# A win from a game account is credited and does not lapse (D-17). The term is the win's; a stake given back outlives it
# (D-21), which the desk heeds.
_DECIDE = f"""
    INSERT INTO settlements
        (ticket_id, version, run_id, decision, win, stake_back, received, payable_from, payable_until)
    SELECT bet.ticket_id, 1, :run,
        CASE WHEN favoured.win IS NULL THEN :lost ELSE :decision END,
        coalesce(favoured.win, 0), coalesce(favoured.stake_back, 0), 0,
        CASE WHEN favoured.win + favoured.stake_back > 0 THEN CAST(:payable_from AS timestamptz) END,
        CASE WHEN favoured.win + favoured.stake_back > 0 AND {_AT_A_DESK}
            THEN CAST(:payable_until AS timestamptz) END
    FROM ({_NEXT_BETS}) AS bet
    LEFT JOIN {{favoured}}
    ORDER BY bet.ticket_id
"""
# Every earlier run is complete, and nobody is paid by it any more, so that the last version is the one this replaces
# and what was received is final. A stake or win that lapsed was received by nobody.
_DECIDE_AGAIN = f"""
    INSERT INTO settlements
        (ticket_id, version, run_id, reverses_id, decision, win, stake_back, received, payable_from, payable_until)
    SELECT bet.ticket_id, former.version + 1, :run, former.id,
        CASE WHEN favoured.win IS NULL THEN :lost ELSE :decision END,
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
    LEFT JOIN {{favoured}}
    ORDER BY bet.ticket_id
"""


STATEMENTS = {
    (again, by_ticket): text(statement.format(favoured=favoured))
    for again, statement in ((False, _DECIDE), (True, _DECIDE_AGAIN))
    for by_ticket, favoured in ((False, _BY_GROUP), (True, _BY_TICKET))
}
"""By whether an earlier run decided these tickets, and whether each is reckoned by itself."""


def decide_next(session: Session, operator: Operator, settling: Settling, size: int) -> int:
    """Decide the next ``size`` tickets of a pool; how many were decided, 0 when none is left."""
    payable_from, payable_until = _term(operator, settling)
    by_ticket = settling.pool.positions is not None
    decided = session.execute(
        STATEMENTS[settling.run.version > 1, by_ticket],
        {
            **(_tickets(session, settling, size) if by_ticket else _groups(settling)),
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


def _term(operator: Operator, settling: Settling) -> tuple[datetime, datetime | None]:
    """From when and until when cash is paid: a win by its game's term (T-Rules 40, D-1).

    The rulebook's terms are those of wins: a stake that is returned is fetched at once and for ever (T-Rules 32, D-21).
    """
    started = settling.run.started_at
    if settling.division.returned:
        return started, None
    term = game(settling.pool.game).payment_term(started, operator.zone_at(started))
    return term.start, term.end


def _groups(settling: Settling) -> dict[str, list[Any]]:
    """The groups that are due something or won nothing but the word, column by column, as the database unnests them."""
    favoured = settling.favoured
    return {
        "outcomes": [group.outcome for group, _ in favoured],
        "stakes": [group.stake for group, _ in favoured],
        "wins": [win.win for _, win in favoured],
        "returned": [win.returned_stake for _, win in favoured],
    }


def _tickets(session: Session, settling: Settling, size: int) -> dict[str, list[Any]]:
    """The next tickets of a pool of positions that won, or all of them where the stakes are returned."""
    last = select(func.coalesce(func.max(Settlement.ticket_id), 0)).where(Settlement.run_id == settling.run.id)
    after = session.scalars(last).one()
    next_bets = (one for one in reached(session, settling.pool, settling.true_outcomes, after) if one.cancelled is None)
    favoured = [one for one in islice(next_bets, size) if one.won or settling.division.returned]
    due = [one.due(settling.prizes) for one in favoured]
    return {
        "tickets": [one.ticket_id for one in favoured],
        "wins": [one.win for one in due],
        "returned": [one.returned_stake for one in due],
    }
