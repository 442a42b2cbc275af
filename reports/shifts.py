"""A shift's sheet: opening cash, received and paid out kept apart, expected and counted (B-Prov 15, 17)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.orm import Session

from desk.models import Desk, Shift
from desk.shifts import cash_moved, closing_of
from ledger.refusals import Refusal


@dataclass(frozen=True)
class ShiftSheet:
    """The cash of a shift, in minor units; ``counted_cash`` and ``closed_at`` once it is closed."""

    id: int
    desk_id: int
    opened_by: int
    opened_at: datetime
    opening_cash: int
    received: int
    paid_out: int
    counted_cash: int | None
    closed_at: datetime | None

    @property
    def expected_cash(self) -> int:
        """What must lie in the desk: opening, and every cash transfer of the shift."""
        return self.opening_cash + self.received - self.paid_out


def shift_sheet(session: Session, shift_id: int) -> ShiftSheet:
    """The sheet of a shift.

    Raises:
        Refusal: ``not_found``.
    """
    shift = session.get(Shift, shift_id)
    if shift is None:
        raise Refusal("not_found", "Такой смены нет.")
    cash = session.get_one(Desk, shift.desk_id).cash_account_id
    received, paid_out = cash_moved(session, cash, shift_id)
    closing = closing_of(session, shift_id)
    return ShiftSheet(
        id=shift.id,
        desk_id=shift.desk_id,
        opened_by=shift.opened_by,
        opened_at=shift.opened_at,
        opening_cash=shift.counted,
        received=received,
        paid_out=paid_out,
        counted_cash=closing.counted if closing else None,
        closed_at=closing.closed_at if closing else None,
    )
