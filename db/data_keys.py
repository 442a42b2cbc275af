"""Data keys: what texts are sealed under, each kept wrapped by a master key (DESIGN 3.9).

A text names its data key and is never sealed anew: a rotation of the master key rewraps the rows of this table, and a
fact that nobody may change opens under the new master key all the same. To destroy a text for good its data key is
destroyed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import CheckConstraint, Index, Sequence, func, insert, select, update
from sqlalchemy.orm import Mapped, Session, mapped_column

from db import envelopes
from db.base import Base
from db.envelopes import SealBrokenError
from db.instants import Instant
from db.master_keys import MasterKeys, Wrapped

BATCH = 500
IDS = Sequence("data_keys_id_seq")


class DataKey(Base):
    """A data key, wrapped; a retired one opens what it sealed and seals no more, of a destroyed one nothing is left."""

    __tablename__ = "data_keys"
    __table_args__ = (
        CheckConstraint("(wrapped IS NULL) = (destroyed_at IS NOT NULL)", name="destroyed_or_there"),
        Index("ix_data_keys_wrapped_under_id", "wrapped_under", "id", postgresql_where="wrapped IS NOT NULL"),
        Index("ix_data_keys_purpose_id", "purpose", "id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    purpose: Mapped[str]
    wrapped: Mapped[bytes | None]
    wrapped_under: Mapped[str]
    made_at: Mapped[datetime] = mapped_column(Instant, server_default=func.clock_timestamp())
    retired_at: Mapped[datetime | None]
    destroyed_at: Mapped[datetime | None]


class KeyDestroyedError(Exception):
    """The data key of a text was destroyed, and with it the text."""


def make(session: Session, masters: MasterKeys, purpose: str, key: bytes | None = None) -> tuple[int, bytes]:
    """A fresh data key on record (or ``key``, where one is taken over); its number and itself."""
    made = key or envelopes.new_key()
    key_id = session.scalars(select(IDS.next_value())).one()
    wrapped = masters.wrap(made, _row(key_id, purpose))
    row = {"id": key_id, "purpose": purpose, "wrapped": wrapped.blob, "wrapped_under": wrapped.under}
    session.execute(insert(DataKey).values(row))
    return key_id, made


def unwrapped(masters: MasterKeys, row: DataKey) -> bytes:
    """The key a row holds.

    Raises:
        KeyDestroyedError: it was destroyed.
        UnknownMasterKeyError: DATA_KEYS lacks its master key.
    """
    if row.wrapped is None:
        raise KeyDestroyedError(f"data key {row.id} was destroyed")
    return masters.unwrap(Wrapped(row.wrapped_under, row.wrapped), _row(row.id, row.purpose))


def destroy(session: Session, ids: Iterable[int]) -> None:
    """Destroy data keys: what was sealed under them is gone for everybody, in every copy that lacks the key."""
    gone = {"wrapped": None, "destroyed_at": func.clock_timestamp()}
    session.execute(update(DataKey).where(DataKey.id.in_(sorted(ids)), DataKey.wrapped.is_not(None)).values(gone))


@dataclass(frozen=True)
class Batch:
    """What was done of a batch of rows: how many, up to which number, and which are not what was stored."""

    done: int
    last: int | None
    broken: tuple[int, ...]


def rewrap(session: Session, masters: MasterKeys, after: int = 0, limit: int = BATCH) -> Batch:
    """Wrap data keys of the older master keys under the newest, those behind a number, in the order of the numbers.

    Rows that another rotation holds are passed over, and so is a row that does not open: it is named.
    """
    old = select(DataKey).where(DataKey.wrapped.is_not(None), DataKey.wrapped_under.in_(list(masters.older)))
    behind = old.where(DataKey.id > after).order_by(DataKey.id).limit(limit)
    # Not a lock on the key: whoever writes a row that points here need not wait.
    rows = session.scalars(behind.with_for_update(skip_locked=True, key_share=True)).all()
    broken = tuple(row.id for row in rows if not _wrapped_anew(masters, row))
    session.flush()
    return Batch(len(rows) - len(broken), rows[-1].id if rows else None, broken)


def _wrapped_anew(masters: MasterKeys, row: DataKey) -> bool:
    try:
        wrapped = masters.wrap(unwrapped(masters, row), _row(row.id, row.purpose))
    except SealBrokenError:
        return False
    row.wrapped, row.wrapped_under = wrapped.blob, wrapped.under
    return True


def hanging(session: Session) -> dict[str, int]:
    """How many data keys hang on which master key, by its id."""
    counted = (
        select(DataKey.wrapped_under, func.count()).where(DataKey.wrapped.is_not(None)).group_by(DataKey.wrapped_under)
    )
    return {under: count for under, count in session.execute(counted)}


def _row(key_id: int, purpose: str) -> bytes:
    return f"data_keys {key_id} {purpose}".encode("ascii")
