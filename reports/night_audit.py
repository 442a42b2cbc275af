"""The audit that runs by itself once a day: what is wrong in books and seals becomes an alarm (INDUSTRY)."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, time, timedelta
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.orm import Session

from db.clock import trade_time
from db.session import Sessions, held_alone, transaction
from ledger.seals.verify import verify
from office.operator import Operator
from office.settings.versions import value_of
from office.significant.kinds import BOOKS_AUDITED, BOOKS_BROKEN, SEALS_BROKEN
from office.significant.log import SignificantEvent, note
from office.significant.thresholds import AUDIT_HOUR
from reports.audit import audit

# Whoever audits holds this advisory lock; the number is only a name for it.
AUDITING_LOCK = 7_120_019
SUBJECT = "audit:books"
SEALS = "audit:seals"


def audit_if_due(sessions: Sessions, operator: Operator, digests: Path | None = None) -> bool:
    """Audit books and seals if the hour has struck since the last audit; whether it was done.

    One event tells that the books are right, or how many breaches of which promise were found; another one names the
    seals' findings, if there are any. It repeats every day for as long as something is wrong. ``digests`` is the file
    of digests kept outside. Books and seals of years take longer than a transaction may stay idle: none is open beside
    the reading ones. Whoever comes while another audits goes away at once.
    """
    with held_alone(sessions, AUDITING_LOCK) as alone:
        if not alone or not _due_now(sessions, operator):
            return False
        books, seals = _findings(sessions, operator, digests)
        with transaction(sessions) as session:
            note(session, BOOKS_BROKEN if books else BOOKS_AUDITED, SUBJECT, breaches=dict(sorted(books.items())))
            if seals:
                note(session, SEALS_BROKEN, SEALS, findings=dict(sorted(seals.items())))
    return True


def _due_now(sessions: Sessions, operator: Operator) -> bool:
    with transaction(sessions) as session:
        return _is_due(session, operator)


def _is_due(session: Session, operator: Operator) -> bool:
    audits = SignificantEvent.kind.in_((BOOKS_AUDITED.code, BOOKS_BROKEN.code))
    last = session.scalar(
        select(SignificantEvent.occurred_at).where(audits).order_by(SignificantEvent.id.desc()).limit(1)
    )
    struck = _last_struck(trade_time(session), operator, value_of(session, AUDIT_HOUR))
    return last is None or last < struck


def _last_struck(now: datetime, operator: Operator, hour: int) -> datetime:
    """When the clock of the operator's zone last showed this hour."""
    today, zone = operator.day_of(now), operator.zone_at(now)
    struck = datetime.combine(today, time(hour), zone)
    return struck if struck <= now else datetime.combine(today - timedelta(days=1), time(hour), zone)


def _findings(sessions: Sessions, operator: Operator, digests: Path | None) -> tuple[Counter[str], Counter[str]]:
    """How often each promise of the books is broken, and each kind of fault found in the seals."""
    with sessions() as snapshot:
        snapshot.connection(execution_options={"isolation_level": "REPEATABLE READ"})
        books = Counter(breach.promise for breach in audit(snapshot, operator.currency))
    with sessions() as reader:
        seals = Counter(finding.fault.value for finding in verify(reader.connection(), digests))
    return books, seals
