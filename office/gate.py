"""The house's gate: sales and payouts pass it first, shared; what holds for all of them from an instant on shuts it."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import func, select, text
from sqlalchemy.orm import Session

from db.instants import Instant
from ledger.refusals import Refusal

HOUSE_GATE = 0
PATIENT_FOR = "2s"


def shut_house(session: Session, *, patience: str | None = PATIENT_FOR) -> datetime:
    """Take the house's gate alone until this transaction ends; the instant, by the trade's clock, of having it.

    Sales and payouts under way are waited for, and those that come wait in turn. So none that was entered before the
    instant is still open, and every later one reads what this transaction writes. One that hangs would hold up the
    whole house that way: whoever may as well come back later waits for ``patience`` (an interval of PostgreSQL) only.

    Raises:
        OperationalError: the patience is over; nothing was written.
    """
    session.execute(text("SELECT set_config('lock_timeout', :patience, true)"), {"patience": patience or "0"})
    at: datetime = session.scalars(select(func.shut_gate(HOUSE_GATE, 0, type_=Instant))).one()
    session.execute(text("SELECT set_config('lock_timeout', '0', true)"))
    return at


def enter_house(session: Session) -> None:
    """Pass the house's gate: until this transaction ends no setting changes, and none that it reads is out of date.

    Before the gates of terminal and shift. A sale's own gates do the same in one step (``enter_sale``).
    """
    session.execute(select(func.pg_advisory_xact_lock_shared(HOUSE_GATE, 0)))


def refuse_too_early(instant: datetime, earliest: datetime) -> None:
    """What is decided now holds from now on at the earliest: nothing that was done is decided anew.

    Raises:
        Refusal: ``effective_from_too_early``.
    """
    if instant < earliest:
        said = "Этот момент слишком близок или уже прошёл: назовите более поздний или не указывайте его."
        raise Refusal("effective_from_too_early", said, earliest=earliest.isoformat())
