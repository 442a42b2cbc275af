"""Crediting tickets that were held by themselves while their run was credited: their claim or dispute is decided."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from db.session import Sessions, transaction
from ledger.holds import RELEASED, PayoutHold
from ledger.refusals import Refusal
from ledger.settlements import Settlement, SettlementCrediting, SettlementRun
from ledger.tickets import Status, Ticket, TicketState
from office.operator import Operator
from tote.crediting import credit_chunk
from tote.expiry import TICKET_HELD
from tote.pools import TICKET_TRADE


def credit_released(sessions: Sessions, operator: Operator) -> list[int]:
    """Credit what a hold of a single ticket kept from being credited, now that it has ended; the tickets' numbers.

    The sweep goes by state, and over the few tickets that were ever held. One whose pool is held, or settled anew,
    waits on: its new run credits it.
    """
    with transaction(sessions) as session:
        waiting = _waiting(session)
    credited: list[int] = []
    for number, run_id in waiting:
        try:
            with transaction(sessions) as session:
                reached = credit_chunk(session, operator, session.get_one(SettlementRun, run_id), number - 1, 1)
            credited += [] if reached is None else [number]
        except Refusal as refusal:
            if refusal.code not in ("payout_held", "settlement_under_way"):
                raise
    return credited


def _waiting(session: Session) -> list[tuple[int, int]]:
    """Tickets of game accounts that were held and are so no more, won and not credited, with their credited runs."""
    released = select(PayoutHold.subject_id).where(PayoutHold.trade == TICKET_TRADE, RELEASED)
    found = (
        select(Ticket.id, Settlement.run_id)
        .join(TicketState, TicketState.ticket_id == Ticket.id)
        .join(Settlement, Settlement.id == TicketState.settlement_id)
        .join(SettlementCrediting, SettlementCrediting.run_id == Settlement.run_id)
        .where(
            Ticket.id.in_(released),
            Ticket.player_id.is_not(None),
            TicketState.status.in_((Status.WON, Status.RETURNED)),
            ~TICKET_HELD,
        )
        .order_by(Ticket.id)
    )
    return [(number, run_id) for number, run_id in session.execute(found)]
