"""Whether every append-only table and partition still has the trigger that refuses changes (DESIGN 3.1)."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Connection, text

from db.facts import is_mutable
from ledger.seals.findings import Fault, Finding

# 58 is a statement's trigger before UPDATE, DELETE and TRUNCATE, 'A' is ENABLE ALWAYS.
_UNGUARDED = text("""
    SELECT relname FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT EXISTS (
        SELECT FROM pg_trigger
        WHERE tgrelid = pg_class.oid AND tgname = 'append_only' AND tgenabled = 'A' AND tgtype = 58
            AND tgqual IS NULL AND cardinality(tgattr::int2[]) = 0
            AND tgfoid = to_regprocedure('public.refuse_change()')
    )
    ORDER BY relname
""")


def check_guards(connection: Connection) -> Iterator[Finding]:
    """Every table and partition that is not on the written list of mutable ones and could be changed."""
    for table in connection.scalars(_UNGUARDED):
        if not is_mutable(table):
            yield Finding(Fault.UNGUARDED, table)
