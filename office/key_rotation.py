"""Rotating the master key while the house works: data keys are wrapped anew in small batches, texts stay as they are.

Each batch is a transaction of its own, so a rotation that was stopped goes on where it stood, and several at once share
the work. Nobody waits: a bet, a payout and a view need no row that is rewritten, and both wrappings give the same key.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from db import data_keys
from db.data_keys import Batch
from db.envelopes import SealBrokenError
from db.key_ring import newest_of, replace_newest, take_over
from db.master_keys import MasterKeys
from db.session import Sessions, transaction
from ledger.codes import FORM, TICKET_CODES
from ledger.tickets import Ticket
from office.persons.details import Details
from office.persons.models import PersonVersion
from office.persons.register import Persons
from office.significant.kinds import KEYS_ROTATED
from office.significant.log import note

BATCH = 500
POLL = 0.2
"""Seconds until a rotation looks again for rows another one holds."""
PAUSE = 1.0
"""Seconds between two words on the progress: counting what is left reads the whole index."""
DIRECTLY = (PersonVersion.data_key_id.is_(None), PersonVersion.erased_at.is_(None))
"""Which persons lie under a master key itself."""
Step = Callable[..., Batch]
"""Does a batch of a table's rows behind a number: ``(session, after=)``."""
Alike = Callable[[int, list[int]], None]
"""Hears that a person shares a mark with others, by their numbers."""


@dataclass(frozen=True)
class Standing:
    """How many data keys hang on which master key, by its id, and how many persons lie directly under one."""

    hanging: dict[str, int]
    directly: int

    def left(self, masters: MasterKeys) -> dict[str, int]:
        """What a rotation still has to do, by table."""
        older = sum(self.hanging.get(key_id, 0) for key_id in masters.older)
        return {"data_keys": older, "person_versions": self.directly}

    def on_older(self, masters: MasterKeys) -> int:
        """What a rotation still has to do."""
        return sum(self.left(masters).values())

    def unknown(self, masters: MasterKeys) -> dict[str, int]:
        """What hangs on master keys that DATA_KEYS lacks: it cannot be read, nor wrapped anew."""
        return {key_id: count for key_id, count in self.hanging.items() if key_id not in masters.ids}


@dataclass(frozen=True)
class Rotated:
    """What a rotation did: how many rows; and the rows, by table and number, that are not what was stored."""

    done: int
    broken: tuple[str, ...]


def rotate(
    sessions: Sessions,
    masters: MasterKeys,
    persons: Persons,
    tell: Callable[[int, Standing], None],
    alike: Alike,
) -> Rotated:
    """Wrap everything under the newest master key. ``tell`` hears of the progress, and of the end.

    ``alike`` hears of each person from before there were marks whose marks are others', who may be the same human
    being. What does not open is named and passed over: somebody changed it, and the rest must not wait for that.
    """
    with transaction(sessions) as session:
        _keep_readable(session, masters)
    # A person's marks are locked till the commit, so each goes alone: two at once cannot wait for one another.
    seal_anew = partial(_seal_anew, persons=persons, alike=alike)
    steps: dict[str, Step] = {
        "data_keys": partial(data_keys.rewrap, masters=masters, limit=BATCH),
        "person_versions": seal_anew,
    }
    done, told = 0, 0.0
    broken: set[str] = set()
    for table, step in steps.items():
        for batch in _batches(sessions, masters, table, step):
            done += batch.done
            broken |= {f"{table} {row}" for row in batch.broken}
            if time.monotonic() - told >= PAUSE:
                tell(done, _now(sessions))
                told = time.monotonic()
    tell(done, _now(sessions))
    if done:
        with transaction(sessions) as session:
            note(session, KEYS_ROTATED, f"master_key:{masters.newest}", rewrapped=done, broken=sorted(broken))
    return Rotated(done, tuple(sorted(broken)))


def _batches(sessions: Sessions, masters: MasterKeys, table: str, step: Step) -> Iterator[Batch]:
    """A table's batches, each committed; from the beginning again while another rotation holds rows of it."""
    after, broken = 0, 0
    while True:
        with transaction(sessions) as session:
            batch = step(session, after=after)
        yield batch
        broken += len(batch.broken)
        if batch.last is not None:
            after = batch.last
        elif _now(sessions).left(masters)[table] <= broken:
            return
        else:
            after, broken = 0, 0
            time.sleep(POLL)


def _now(sessions: Sessions) -> Standing:
    with transaction(sessions) as session:
        return standing(session)


def standing(session: Session) -> Standing:
    """Where every row stands now."""
    return Standing(data_keys.hanging(session), session.scalars(select(func.count()).where(*DIRECTLY)).one())


def _keep_readable(session: Session, masters: MasterKeys) -> None:
    """New tickets get a key that no older master key ever wrapped; old ones stay readable without that master key."""
    codes = newest_of(session, TICKET_CODES)
    if codes is not None and codes.wrapped_under in masters.older:
        replace_newest(session, masters, TICKET_CODES)
    # Tickets from before there were data keys are the first ones: if the first is none, no other is.
    first = session.scalar(select(Ticket.code_sealed).order_by(Ticket.id).limit(1))
    if first is not None and not first.startswith(FORM):
        take_over(session, masters)


def _seal_anew(session: Session, persons: Persons, alike: Alike, after: int) -> Batch:
    """Give the next person from before there were data keys one, and the words and marks they are found by."""
    behind = select(PersonVersion).where(*DIRECTLY, PersonVersion.id > after).order_by(PersonVersion.id)
    version = session.scalar(behind.limit(1))
    if version is None:
        return Batch(0, None, ())
    try:
        details = persons.read(session, version.id)
    except SealBrokenError:
        return Batch(0, version.id, (version.id,))
    sealed = details is not None and _sealed_anew(session, persons, version, details)
    if sealed and details is not None and (others := persons.others_alike(session, version.person_id, details)):
        alike(version.person_id, others)
    return Batch(int(sealed), version.id, ())


def _sealed_anew(session: Session, persons: Persons, version: PersonVersion, details: Details) -> bool:
    """Whether this rotation did it: another one, or an erasure, may have come first, and then no mark is taken."""
    # Marks before the version's row: the order of office/persons/recognition.py.
    with session.begin_nested() as marks:
        persons.take_marks(session, version.person_id, details)
        still = select(PersonVersion.id).where(PersonVersion.id == version.id, *DIRECTLY)
        if session.scalar(still.with_for_update(key_share=True)) is None:
            marks.rollback()
            return False
        persons.seal_anew(session, version, details)
    return True
