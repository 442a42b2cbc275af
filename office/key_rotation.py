"""Rotating the master key while the house works: data keys are wrapped anew in small batches, texts stay as they are.

Each batch is a transaction of its own, so a rotation that was stopped goes on where it stood, and several at once share
the work. Nobody waits: a bet, a payout and a view need no row that is rewritten, and both wrappings give the same key.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from db import data_keys
from db.key_ring import newest_of, replace_newest, take_over
from db.master_keys import MasterKeys
from db.session import Sessions, transaction
from ledger.codes import FORM, TICKET_CODES
from ledger.tickets import Ticket
from office.persons.models import PersonVersion
from office.persons.register import Persons
from office.significant.kinds import KEYS_ROTATED
from office.significant.log import note

BATCH = 500
POLL = 0.2
"""Seconds until a rotation looks again for rows another one holds."""


@dataclass(frozen=True)
class Standing:
    """How many data keys hang on which master key, by its id, and how many persons lie directly under one."""

    hanging: dict[str, int]
    directly: int

    def on_older(self, masters: MasterKeys) -> int:
        """What a rotation still has to do."""
        return sum(self.hanging.get(key_id, 0) for key_id in masters.older) + self.directly

    def unknown(self, masters: MasterKeys) -> dict[str, int]:
        """What hangs on master keys that DATA_KEYS lacks: it cannot be read, nor wrapped anew."""
        return {key_id: count for key_id, count in self.hanging.items() if key_id not in masters.ids}


def rotate(sessions: Sessions, masters: MasterKeys, persons: Persons, tell: Callable[[int, Standing], None]) -> int:
    """Wrap everything under the newest master key; how much was done. ``tell`` hears of the progress after each batch.

    Raises:
        SealBrokenError: a row is not what was stored; the batches before it stand.
    """
    with transaction(sessions) as session:
        _keep_readable(session, masters)
    done = 0
    while True:
        with transaction(sessions) as session:
            batch = data_keys.rewrap(session, masters, BATCH) + _seal_anew(session, persons)
            done += batch
            now = standing(session)
        tell(done, now)
        if now.on_older(masters) == 0:
            break
        if batch == 0:
            time.sleep(POLL)
    if done:
        with transaction(sessions) as session:
            note(session, KEYS_ROTATED, f"master_key:{masters.newest}", rewrapped=done)
    return done


def standing(session: Session) -> Standing:
    """Where every row stands now."""
    directly = select(func.count()).where(PersonVersion.data_key_id.is_(None), PersonVersion.erased_at.is_(None))
    return Standing(data_keys.hanging(session), session.scalars(directly).one())


def _keep_readable(session: Session, masters: MasterKeys) -> None:
    """New tickets get a key that no older master key ever wrapped; old ones stay readable without that master key."""
    codes = newest_of(session, TICKET_CODES)
    if codes is not None and codes.wrapped_under in masters.older:
        replace_newest(session, masters, TICKET_CODES)
    # Tickets from before there were data keys are the first ones: if the first is none, no other is.
    first = session.scalar(select(Ticket.code_sealed).order_by(Ticket.id).limit(1))
    if first is not None and not first.startswith(FORM):
        take_over(session, masters)


def _seal_anew(session: Session, persons: Persons) -> int:
    """Give persons from before there were data keys one each, and the words and marks they are found by."""
    directly = select(PersonVersion).where(PersonVersion.data_key_id.is_(None), PersonVersion.erased_at.is_(None))
    rows = session.scalars(directly.order_by(PersonVersion.id).limit(BATCH).with_for_update(skip_locked=True)).all()
    for version in rows:
        details = persons.seal_anew(session, version)
        if details is not None:
            persons.take_marks(session, version.person_id, details)
    return len(rows)
