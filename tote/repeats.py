"""A bet asked for again under its key is answered with its payable code: what is worth a look at that is noted."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy.orm import Session

from db.clock import trade_time
from ledger.tickets import Ticket
from office.callers import Caller
from office.significant.kinds import CODE_TOLD_AGAIN
from office.significant.log import note

SOON = timedelta(minutes=15)
"""A terminal that lost an answer asks again within this time; later, somebody else is asking."""


def note_repeat(session: Session, number: int, by: Caller) -> None:
    """Note that a desk ticket's code was told to another cashier than sold it, or long after; commits what it notes.

    The answer stays the first one's, for a terminal may have been without power for a night (DESIGN 4). But a code is
    money once its ticket has won (INDUSTRY: a reprint is logged).
    """
    ticket = session.get_one(Ticket, number)
    if ticket.player_id is not None:
        return
    late = trade_time(session) - ticket.placed_at > SOON
    if late or ticket.cashier_id != by.user_id:
        note(session, CODE_TOLD_AGAIN, f"ticket:{number}", by, sold_by=ticket.cashier_id, late=late)
        session.commit()
