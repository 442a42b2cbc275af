"""Which rows are final: the id below which no row of a table can appear any more (DESIGN 3.5).

An insert locks its table (``RowExclusiveLock``, kept until its transaction ends) when the statement is parsed or its
cached plan is taken up, and ``COPY`` when it opens the table: always before the executor draws the first id from the
sequence. A foreign key locks the table it points at more weakly, so that readers of keys do not count as writers.
Therefore, in this order:

1. Read the sequence's last value b. Whoever drew an id up to b held the lock of the table before this reading.
2. List the transactions that hold the lock. Whoever drew an id up to b and is not on the list has ended before, and a
   lock is released only after the commit is visible. The other order would be wrong: a writer that locks after the
   listing and draws before the reading is on no list, and its id is not above b.
3. Wait until none on the list holds the lock. Then every id up to b is a visible row or will never be one.

Nothing of this is stored or compared with transaction numbers, so that a restored database goes on where it stood.
Nobody is blocked: neither reading takes a lock that a writer wants.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import Connection, text

from ledger.seals.canonical import UnsealableError

POLL = 0.02
"""Seconds between two looks at the locks."""


@dataclass(frozen=True)
class Finality:
    """``closed_below`` by table, and the tables whose writers did not end in time: they are sealed another time."""

    closed_below: dict[str, int]
    unfinished: tuple[str, ...]


# A partition's writer may lock the partition alone, hence the whole tree. A prepared transaction changes its name
# from that of a session to '-1/…', so that all of them are waited for.
_WRITERS = text("""
    SELECT sealed.name, locks.virtualtransaction
    FROM unnest(CAST(:tables AS text[])) AS sealed (name)
    CROSS JOIN LATERAL (
        SELECT to_regclass('public.' || quote_ident(sealed.name)) AS relid
        UNION SELECT relid FROM pg_partition_tree(to_regclass('public.' || quote_ident(sealed.name)))
    ) AS tree
    JOIN pg_locks AS locks ON locks.locktype = 'relation' AND locks.relation = tree.relid::oid
    WHERE locks.database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND locks.mode = 'RowExclusiveLock' AND locks.granted AND locks.pid IS DISTINCT FROM pg_backend_pid()
""")

_SEQUENCES = text("""
    SELECT sealed.name, pg_get_serial_sequence('public.' || quote_ident(sealed.name), 'id'), sequence.seqcache
    FROM unnest(CAST(:tables AS text[])) AS sealed (name) LEFT JOIN pg_sequence AS sequence
        ON sequence.seqrelid = pg_get_serial_sequence('public.' || quote_ident(sealed.name), 'id')::regclass
""")


def final_ids(connection: Connection, tables: Iterable[str], patience: float) -> Finality:
    """What of each table is final, after waiting at most ``patience`` seconds for those who were writing.

    The connection must be in READ COMMITTED and have written nothing itself.

    Raises:
        UnsealableError: a table's ids do not come one by one from a sequence of its own.
    """
    closed_below = next_ids(connection, tables)
    deadline = time.monotonic() + patience
    awaited = _writers(connection, closed_below)
    busy = awaited
    while busy and time.monotonic() < deadline:
        time.sleep(POLL)
        now = _writers(connection, closed_below)
        busy = (awaited & now) | {(table, writer) for table, writer in now if writer.startswith("-1/")}
    unfinished = sorted({table for table, _ in busy})
    return Finality({table: at for table, at in closed_below.items() if table not in unfinished}, tuple(unfinished))


def next_ids(connection: Connection, tables: Iterable[str]) -> dict[str, int]:
    """The id that the next row of each table will get, at this moment."""
    sequences = connection.execute(_SEQUENCES, {"tables": sorted(tables)}).all()
    for table, sequence, cache in sequences:
        # A session with ids in store could write one without holding the lock when it drew it.
        if sequence is None or cache != 1:
            raise UnsealableError(table, "ids must come one by one from the table's own sequence")
    readings = [
        f"SELECT {n} AS n, last_value + is_called::int AS next FROM {sequence}"
        for n, (_, sequence, _) in enumerate(sequences)
    ]
    if not readings:
        return {}
    found = connection.execute(text(" UNION ALL ".join(readings)))
    return {sequences[row.n].name: row.next for row in found}


def _writers(connection: Connection, tables: Iterable[str]) -> set[tuple[str, str]]:
    """Who holds the lock of a writer on which table."""
    found = connection.execute(_WRITERS, {"tables": sorted(tables)})
    return {(table, writer) for table, writer in found}
