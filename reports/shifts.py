"""A shift's sheet: opening cash, received and paid out kept apart, expected and counted (B-Prov 15, 17)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row, Select, func, select, true
from sqlalchemy.orm import Session

from db.pages import matching, newest_first
from desk.models import Desk, Shift, ShiftClosing
from desk.shifts import no_such_shift, received_and_paid_out
from ledger.journal import Transfer


@dataclass(frozen=True)
class ShiftSheet:
    """The cash of a shift, in minor units; ``counted_cash`` and ``closed_at`` once it is closed.

    ``opening_difference`` is what was counted at the opening beyond what the books knew of.
    """

    id: int
    desk_id: int
    opened_by: int
    opened_at: datetime
    opening_cash: int
    received: int
    paid_out: int
    counted_cash: int | None
    closed_at: datetime | None
    opening_difference: int
    closing_reason: str | None

    @property
    def expected_cash(self) -> int:
        """What must lie in the desk: opening, and every cash transfer of the shift."""
        return self.opening_cash + self.received - self.paid_out


def shift_sheet(session: Session, shift_id: int) -> ShiftSheet:
    """The sheet of a shift.

    Raises:
        Refusal: ``not_found``.
    """
    found = session.execute(_sheets().where(Shift.id == shift_id)).first()
    if found is None:
        raise no_such_shift()
    return _sheet(found)


def shift_sheets(
    session: Session, before: int, limit: int, *, desk_id: int | None = None, is_open: bool | None = None
) -> list[ShiftSheet]:
    """The sheets of shifts, the latest opened first; of one desk, only open or only closed ones, where asked."""
    wanted = matching(_sheets(), {Shift.desk_id: desk_id, ShiftClosing.id.is_(None): is_open})
    return [_sheet(found) for found in session.execute(newest_first(wanted, Shift.id, before, limit))]


def _sheets() -> Select[*tuple[Any, ...]]:
    moved = received_and_paid_out(Desk.cash_account_id).where(Transfer.shift_id == Shift.id).lateral("moved")
    return (
        select(
            Shift.id,
            Shift.desk_id,
            Shift.opened_by,
            Shift.opened_at,
            Shift.counted,
            moved.c.received,
            moved.c.paid_out,
            ShiftClosing.counted,
            ShiftClosing.closed_at,
            Shift.counted - func.coalesce(Shift.expected, Shift.counted),
            ShiftClosing.reason,
        )
        .join(Desk, Desk.id == Shift.desk_id)
        .join(moved, true())
        .outerjoin(ShiftClosing, ShiftClosing.shift_id == Shift.id)
    )


def _sheet(found: Row[*tuple[Any, ...]]) -> ShiftSheet:
    number, desk_id, opened_by, opened_at, opening, received, paid_out, *ended = found
    return ShiftSheet(number, desk_id, opened_by, opened_at, opening, int(received), int(paid_out), *ended)
