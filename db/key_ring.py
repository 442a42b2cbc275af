"""The data keys of one purpose as a process holds them: read once, for a bet cannot wait for a key."""

from __future__ import annotations

from threading import Lock

from cryptography.fernet import MultiFernet
from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from db.data_keys import DataKey, make, unwrapped
from db.master_keys import MasterKeys
from db.session import Sessions, transaction

TAKEN_OVER = "master"
"""The purpose of a former master key that itself became a data key, for texts that were sealed under it directly."""


class KeyRing:
    """Seals under the newest data key of its purpose, and knows every older one by its number.

    ``sessions`` must not be those of the request: its transaction may be rolled back after a key was made in it, and a
    thread that waited for a second connection of the same pool could wait for ever.
    """

    def __init__(self, sessions: Sessions, masters: MasterKeys, purpose: str) -> None:
        self._sessions = sessions
        self._masters = masters
        self._purpose = purpose
        self._looking = Lock()
        self._newest: int | None = None
        self._keys: dict[int, bytes] = {}
        self._direct: MultiFernet | None = None

    def newest(self) -> tuple[int, bytes]:
        """The key to seal under and its number; the first key of a purpose is made here."""
        if self._newest is None:
            with self._looking:
                if self._newest is None:
                    self._newest = self._look()
        return self._newest, self._keys[self._newest]

    def key(self, key_id: int) -> bytes:
        """The key with this number."""
        if key_id not in self._keys:
            with self._looking, transaction(self._sessions) as session:
                self._keys[key_id] = unwrapped(self._masters, session.get_one(DataKey, key_id))
        return self._keys[key_id]

    def direct(self) -> MultiFernet:
        """Opens what was sealed under master keys directly, those taken out of DATA_KEYS since included."""
        if self._direct is None:
            with self._looking, transaction(self._sessions) as session:
                taken_over = session.scalars(select(DataKey).where(DataKey.purpose == TAKEN_OVER))
                self._direct = self._masters.directly(*(unwrapped(self._masters, row) for row in taken_over))
        return self._direct

    def _look(self) -> int:
        with transaction(self._sessions) as session:
            row = newest_of(session, self._purpose)
            if row is None:
                row = self._first(session)
            self._keys[row.id] = unwrapped(self._masters, row)
            return row.id

    def _first(self, session: Session) -> DataKey:
        # All workers meet a new house at once; one of them makes its key.
        session.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(f"data key: {self._purpose}", 0))))
        made = newest_of(session, self._purpose)
        return made or session.get_one(DataKey, make(session, self._masters, self._purpose)[0])


def newest_of(session: Session, purpose: str) -> DataKey | None:
    """The key a purpose seals under now."""
    serving = select(DataKey).where(DataKey.purpose == purpose, DataKey.retired_at.is_(None))
    return session.scalar(serving.order_by(DataKey.id.desc()).limit(1))


def replace_newest(session: Session, masters: MasterKeys, purpose: str) -> int:
    """Let a purpose seal under a fresh key from the next start of each process on; older ones only open."""
    key_id, _ = make(session, masters, purpose)
    older = (DataKey.purpose == purpose, DataKey.id < key_id, DataKey.retired_at.is_(None))
    session.execute(update(DataKey).where(*older).values(retired_at=func.clock_timestamp()))
    return key_id


def take_over(session: Session, masters: MasterKeys) -> None:
    """Keep the older master keys as data keys, so that what they sealed directly opens without them in DATA_KEYS."""
    session.execute(select(func.pg_advisory_xact_lock(func.hashtextextended("take over master keys", 0))))
    rows = session.scalars(select(DataKey).where(DataKey.purpose == TAKEN_OVER))
    present = {unwrapped(masters, row) for row in rows}
    for text in masters.older.values():
        if text not in present:
            make(session, masters, TAKEN_OVER, text)
