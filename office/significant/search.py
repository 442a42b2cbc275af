"""Finding significant events again: the newest first for a screen, the oldest first for a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from ledger.refusals import Refusal
from office.significant.log import SignificantEvent


@dataclass(frozen=True)
class Wanted:
    """Which events somebody looks for; what is None does not matter. ``until`` itself is no longer wanted."""

    kind: str | None = None
    severity: str | None = None
    subject: str | None = None
    user_id: int | None = None
    since: datetime | None = None
    until: datetime | None = None

    def conditions(self) -> list[ColumnElement[bool]]:
        """The conditions on a row; an index serves each of them."""
        column = SignificantEvent
        named = {
            column.kind: self.kind,
            column.severity: self.severity,
            column.subject: self.subject,
            column.user_id: self.user_id,
        }
        found: list[ColumnElement[bool]] = [of == value for of, value in named.items() if value is not None]
        if self.since is not None:
            found.append(column.occurred_at >= self.since)
        if self.until is not None:
            found.append(column.occurred_at < self.until)
        return found


def newest(session: Session, wanted: Wanted, before: int, limit: int) -> Sequence[SignificantEvent]:
    """The events written down before the one with this id (0: from the latest), the latest first."""
    conditions = [*wanted.conditions(), *([SignificantEvent.id < before] if before else [])]
    found = select(SignificantEvent).where(*conditions).order_by(SignificantEvent.id.desc()).limit(limit)
    return session.scalars(found).all()


def event_by_id(session: Session, event_id: int) -> SignificantEvent:
    """An event.

    Raises:
        Refusal: ``not_found``.
    """
    found = session.get(SignificantEvent, event_id)
    if found is None:
        raise Refusal("not_found", "Такого события в журнале нет.")
    return found
