"""Watching what is either well or not: an event when it turns, and silence while it stays as it is."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from office.significant.kinds import Kind
from office.significant.log import SignificantEvent, note


@dataclass(frozen=True)
class Watch:
    """What tells that a thing under watch turned bad, and that it is well again."""

    bad: Kind
    well: Kind


def note_turn(session: Session, watch: Watch, subject: str, bad: bool, **facts: object) -> bool:
    """Write down that a subject turned bad, or well again; whether it turned.

    How it stood is told by the last event of these kinds on the subject, and by none: well. Whoever finds a turn takes
    the subject's lock and looks again, so that of two who see the same turn one writes it down.
    """
    if _was_bad(session, watch, subject) == bad:
        return False
    session.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(f"watch:{subject}", 0))))
    if _was_bad(session, watch, subject) == bad:
        return False
    note(session, watch.bad if bad else watch.well, subject, None, **facts)
    return True


def _was_bad(session: Session, watch: Watch, subject: str) -> bool:
    last = session.scalar(
        select(SignificantEvent.kind)
        .where(SignificantEvent.subject == subject, SignificantEvent.kind.in_((watch.bad.code, watch.well.code)))
        .order_by(SignificantEvent.id.desc())
        .limit(1)
    )
    return last == watch.bad.code
