"""Sealing: what became final since the last seal is put into the chain, off the way of those who write (DESIGN 3.5)."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, func, select
from sqlalchemy.orm import Session

from db.session import Sessions
from ledger.checkpoints import BalanceCheckpoint, write_checkpoints
from ledger.journal import Transfer
from ledger.seals.blocks import Block
from ledger.seals.finality import Finality, final_ids, next_ids
from ledger.seals.models import Types, sealed_tables

# Whoever seals holds this advisory lock for a block; the number is only a name for it.
SEALING_LOCK = 7_120_002
PATIENCE = 10.0
BLOCK_ROWS = 100_000
TRANSFERS = Transfer.__tablename__
CHECKPOINTS = BalanceCheckpoint.__tablename__


@dataclass(frozen=True)
class WrittenSeal:
    """A seal that was just written: its number and hash, and how many rows it holds."""

    number: int
    hash: bytes
    rows: int


@dataclass(frozen=True)
class SealReport:
    """The seals written, in order, and the tables left for another time as somebody was writing there for too long."""

    seals: tuple[WrittenSeal, ...]
    unfinished: tuple[str, ...]


def seal(sessions: Sessions, *, patience: float = PATIENCE, block_rows: int = BLOCK_ROWS) -> SealReport:
    """Seal all that is final, a transaction for each block of at most ``block_rows`` rows of a table.

    Waits at most ``patience`` seconds for those who write at this moment. Writes no seal when there is nothing new.

    Raises:
        UnsealableError: a table has a column without a canonical form, or ids from elsewhere than its sequence.
    """
    with sessions.begin() as session:
        connection = _read_committed(session)
        tables = sealed_tables(connection)
        finality = final_ids(connection, tables.keys() - {CHECKPOINTS}, patience)
    written: list[WrittenSeal] = []
    while block := _seal_block(sessions, finality, tables, block_rows):
        written.append(block)
    return SealReport(tuple(written), finality.unfinished)


def _seal_block(
    sessions: Sessions, finality: Finality, tables: dict[str, Types], block_rows: int
) -> WrittenSeal | None:
    """One seal over the next rows of every table, or none when there are none."""
    with sessions.begin() as session:
        connection = _read_committed(session)
        session.execute(select(func.pg_advisory_xact_lock(SEALING_LOCK)))
        block = Block.after_last(connection)
        for table, below in sorted(finality.closed_below.items()):
            block.cover(table, tables[table], below, block_rows)
        if not block.spans:
            return None
        if TRANSFERS in block.spans:
            write_checkpoints(session, block.number, block.spans[TRANSFERS], block.recorded_at)
            # Only a sealer writes here, and this one holds the lock: what there is is final.
            block.cover(CHECKPOINTS, tables[CHECKPOINTS], next_ids(connection, [CHECKPOINTS])[CHECKPOINTS])
        return WrittenSeal(block.number, block.close(), block.rows)


def _read_committed(session: Session) -> Connection:
    """Each statement must see what committed before it: a snapshot taken before a wait would miss what was waited for.

    What is sealed is final, so that the statements of a block agree with one another all the same.
    """
    return session.connection(execution_options={"isolation_level": "READ COMMITTED"})
