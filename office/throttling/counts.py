"""Counting attempts: each one before it is tried, so that of many at once no more than the limit are tried at all.

A count is a row with the instants of the attempts within the period; the row's lock puts parallel attempts in a line,
whatever worker they came to. An attempt that succeeds is given back.
"""

from __future__ import annotations

from datetime import datetime
from math import ceil

from sqlalchemy import delete, func, select, text, update
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, Session, mapped_column

from db.base import Base
from db.instants import Instant
from db.session import Sessions, transaction
from ledger.refusals import Refusal
from office.callers import Caller
from office.settings.versions import value_of
from office.significant.log import note
from office.throttling.doors import EVENTS, KEPT, Door, Knock

SWEPT_AT_ONCE = 10_000


class AttemptCount(Base):
    """The attempts of one subject at one door: those within the period, and how many since one last succeeded."""

    __tablename__ = "attempt_counts"

    digest: Mapped[bytes] = mapped_column(primary_key=True)
    door: Mapped[str]
    attempts: Mapped[list[datetime]] = mapped_column(ARRAY(Instant))
    failures: Mapped[int]
    last_at: Mapped[datetime]
    noted_at: Mapped[datetime | None]


# The row is locked before its expressions are evaluated, so every attempt sees those before it. A WHERE that does not
# hold changes nothing and returns nothing: an attempt that is refused is not counted, or nobody would get in again.
COUNT = text("""
    INSERT INTO attempt_counts AS kept (digest, door, attempts, failures, last_at)
    VALUES (:digest, :door, ARRAY[clock_timestamp()], 1, clock_timestamp())
    ON CONFLICT (digest) DO UPDATE SET
        attempts = ARRAY(SELECT made FROM unnest(kept.attempts) AS made WHERE made > clock_timestamp() - :period)
            || clock_timestamp(),
        failures = CASE WHEN kept.last_at < clock_timestamp() - :kept THEN 1 ELSE kept.failures + 1 END,
        last_at = clock_timestamp()
    WHERE (SELECT count(*) FROM unnest(kept.attempts) AS made WHERE made > clock_timestamp() - :period) < :most
    RETURNING failures
""")
# The door opens when so few attempts are left in the period that one more may be made.
WAIT = text("""
    SELECT extract(epoch FROM made + :period - clock_timestamp()) FROM attempt_counts, unnest(attempts) AS made
    WHERE digest = :digest ORDER BY made DESC OFFSET :most - 1 LIMIT 1
""")


def count(session: Session, secret: bytes, *knocks: Knock, by: Caller | None = None) -> Refusal | None:
    """Count an attempt at each door in turn, up to the first that is shut; the refusal, or none: it may be tried.

    The caller commits before the attempt is tried, and raises the refusal after that: what is counted must outlive
    whatever becomes of the attempt. An attempt at a second door stays counted at the first one. Doors are knocked at in
    the same order everywhere (whence it comes, then whom it concerns), so that nobody waits in a circle.
    """
    for knock in knocks:
        failures = _counted(session, secret, knock)
        if failures is None:
            _note_once(session, secret, knock, by)
            return _too_many(_wait(session, secret, knock))
        if knock.door.suspicious is not None and failures >= knock.door.suspicious:
            _note_once(session, secret, knock, by)
    return None


def give_back(session: Session, secret: bytes, knock: Knock) -> None:
    """The attempt was right: it is not counted, those that failed before it are."""
    session.execute(
        update(AttemptCount)
        .where(AttemptCount.digest == knock.digest(secret), func.cardinality(AttemptCount.attempts) > 0)
        .values(
            attempts=func.trim_array(AttemptCount.attempts, 1),
            failures=func.greatest(AttemptCount.failures - 1, 0),
        )
    )


def forget(session: Session, secret: bytes, knock: Knock) -> None:
    """The right one came: what failed before is forgotten."""
    session.execute(
        update(AttemptCount).where(AttemptCount.digest == knock.digest(secret)).values(attempts=[], failures=0)
    )


def sweep_counts(sessions: Sessions) -> int:
    """Delete the counts that say nothing any more; how many they were."""
    gone = 0
    while True:
        with transaction(sessions) as session:
            # Whoever counts may hold one of the rows and wait for another: locked ones are left to the next sweep.
            old = (
                select(AttemptCount.digest)
                .where(AttemptCount.last_at < func.clock_timestamp() - KEPT)
                .limit(SWEPT_AT_ONCE)
                .with_for_update(skip_locked=True)
            )
            deleted = delete(AttemptCount).where(AttemptCount.digest.in_(old)).returning(AttemptCount.digest)
            swept = len(session.execute(deleted).all())
        gone += swept
        if swept < SWEPT_AT_ONCE:
            return gone


def _counted(session: Session, secret: bytes, knock: Knock) -> int | None:
    """Count one attempt: the attempts since one last succeeded, this one included; none when the door is shut."""
    told = {**_of(session, secret, knock), "door": knock.door.name, "kept": KEPT}
    failures: int | None = session.scalar(COUNT, told)
    return failures


def _wait(session: Session, secret: bytes, knock: Knock) -> int:
    seconds = session.scalar(WAIT, _of(session, secret, knock))
    return max(1, ceil(seconds or 0))


def _of(session: Session, secret: bytes, knock: Knock) -> dict[str, object]:
    most = value_of(session, knock.door.attempts)
    return {"digest": knock.digest(secret), "period": knock.door.period, "most": most}


def _note_once(session: Session, secret: bytes, knock: Knock, by: Caller | None) -> None:
    """Note a shut or suspicious door once an hour for a subject, and no more of them in an hour than the setting."""
    digest = knock.digest(secret)
    first = session.scalar(
        update(AttemptCount)
        .where(
            AttemptCount.digest == digest,
            AttemptCount.noted_at.is_(None) | (AttemptCount.noted_at < func.clock_timestamp() - KEPT),
        )
        .values(noted_at=func.clock_timestamp())
        .returning(AttemptCount.failures)
    )
    if first is None:
        return
    journal = Knock(EVENTS, "journal", about="house:journal")
    if knock.door is EVENTS or _counted(session, secret, journal) is not None:
        _note(session, knock.door, knock.about or f"{knock.door.name}:{digest.hex()[:12]}", by, first)
    else:
        _note_once(session, secret, journal, None)


def _note(session: Session, door: Door, subject: str, by: Caller | None, failures: int) -> None:
    note(session, door.noted_as, subject, by, door=door.name, failures=failures)


def _too_many(seconds: int) -> Refusal:
    return Refusal("too_many_attempts", f"Слишком много попыток: повторите через {seconds} с.", retry_after=seconds)
