"""How far the seals are behind: the age of the oldest fact that none of them holds."""

from __future__ import annotations

from sqlalchemy import Connection, text

from ledger.seals.canonical import in_public
from ledger.seals.models import sealed_tables

# Two looks into an index for each table, whatever their sizes.
_OLDEST = """
    (SELECT recorded_at FROM {table} WHERE id >= coalesce(
        (SELECT max(closed_below) FROM seal_contents WHERE table_name = :{name}), 1
    ) ORDER BY id LIMIT 1)
"""
_AGE = "SELECT extract(epoch FROM clock_timestamp() - min(recorded_at)) FROM ({oldest}) AS unsealed"


def seal_lag(connection: Connection) -> float:
    """Seconds since the oldest unsealed fact was written, by the database's own clock; 0 when all are sealed."""
    names = {f"table_{n}": table for n, table in enumerate(sealed_tables(connection))}
    oldest = " UNION ALL ".join(_OLDEST.format(table=in_public(table), name=name) for name, table in names.items())
    return max(0.0, float(connection.scalar(text(_AGE.format(oldest=oldest)), names) or 0))
