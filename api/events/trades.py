"""The trades that events speak with; the events' room knows none of them, so it is told here."""

from __future__ import annotations

from sqlalchemy.orm import Session

from events.starts.sales import Trade, refuse_after_start
from office.stops.models import SalesStop
from tote.late_bets import TOTE

TRADES: tuple[Trade, ...] = (TOTE,)


def refuse_sales_after_start(session: Session, stop: SalesStop) -> None:
    """Object to ending a stop that keeps bets on a started event from being sold.

    Raises:
        Refusal: ``event_started``.
    """
    refuse_after_start(session, stop, TRADES)
