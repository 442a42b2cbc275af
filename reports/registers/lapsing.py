"""Whether a win has lapsed at a cut: :data:`tote.expiry.LAPSED`, told by the facts that the cut holds alone."""

from __future__ import annotations

from sqlalchemy import ColumnElement, and_, func, select

from ledger.holds import PayoutHold, PayoutRelease
from ledger.settlements import Settlement
from reports.registers.standing import Standing
from tote.pools import TICKET_TRADE, TRADE


def lapsed_at(at: Standing) -> ColumnElement[bool]:
    """Whether a decision is past its term at the cut, in a query of the tickets that stand so.

    What was held before its term ended is not lapsed while the hold stands (D-23), and a decision that a later one
    is about to replace does not lapse (D-14).
    """
    over = func.coalesce(at.decided.c.deadline <= at.cut.at, False)
    return and_(over, ~_held_in_time(at), ~_being_replaced(at))


def _held_in_time(at: Standing) -> ColumnElement[bool]:
    hold, release = at.cut.of(PayoutHold), at.cut.of(PayoutRelease)
    of_pool = (hold.trade == TRADE) & (hold.subject_id == at.bet.pool_id)
    of_ticket = (hold.trade == TICKET_TRADE) & (hold.subject_id == at.ticket.id)
    released = select(release.id).where(release.hold_id == hold.id).correlate(hold).exists()
    held = select(hold.id).where(of_pool | of_ticket, hold.held_at < at.decided.c.deadline, ~released)
    return held.correlate(at.bet, at.ticket, at.decided).exists()


def _being_replaced(at: Standing) -> ColumnElement[bool]:
    later = at.cut.of(Settlement)
    return select(later.id).where(later.reverses_id == at.decided.c.id).correlate(at.decided).exists()
