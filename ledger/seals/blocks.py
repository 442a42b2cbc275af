"""A seal in the making: the rows it covers table by table, then the link itself (DESIGN 3.5)."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import Connection, func, select, text

from ledger.seals.canonical import FORM, in_public, row_digests
from ledger.seals.chain import LINK, contents_digest, link_hashes
from ledger.seals.models import GENESIS, MARK, Seal, SealContent, Types

# The block ends where the row after its last one begins, or where the table is closed.
_END = """
SELECT coalesce(
    (SELECT id FROM {source} WHERE id >= :start AND id < :below ORDER BY id OFFSET :rows LIMIT 1), :below
)
"""

_COVER = """
INSERT INTO seal_contents (recorded_at, seal_id, table_name, columns, ids, count, digest, closed_below, row_marks)
SELECT :recorded_at, :seal, :table, :columns, range_agg(int8range(id, id + 1)), count(*),
    sha256(string_agg(digest, ''::bytea ORDER BY id)), :below,
    string_agg(substr(digest, 1, {mark}), ''::bytea ORDER BY id)
FROM ({digests}) AS digests
HAVING count(*) > 0
RETURNING count
"""

_CLOSE = """
WITH link AS (SELECT {values})
INSERT INTO seals ({names}, hash)
SELECT {values_of_link}, digests.digest FROM link JOIN ({digests}) AS digests ON true
RETURNING hash
"""


@dataclass
class Block:
    """The next seal: its number, its predecessor's hash, and the span of ids closed by it in each table."""

    connection: Connection
    number: int
    previous_hash: bytes
    recorded_at: datetime
    sealed_at: datetime
    spans: dict[str, tuple[int, int]] = field(default_factory=dict)
    rows: int = 0

    @classmethod
    def after_last(cls, connection: Connection) -> Block:
        """Begin a block behind the last seal; the caller keeps other sealers away."""
        last = connection.execute(select(Seal.id, Seal.hash).order_by(Seal.id.desc()).limit(1)).first()
        number, previous = (last.id + 1, last.hash) if last else (1, GENESIS)
        recorded_at, sealed_at = connection.execute(text("SELECT clock_timestamp(), trade_clock()")).one()
        return cls(connection, number, previous, recorded_at, sealed_at)

    def cover(self, table: str, types: Types, below: int, rows: int | None = None) -> None:
        """Take in what no seal has closed of a table, up to the id ``below`` or the number of ``rows``."""
        start = self._closed(table)
        source = in_public(table)
        span = {"start": start, "below": below}
        if rows is not None:
            span["below"] = self.connection.scalar(text(_END.format(source=source)), {**span, "rows": rows})
        digests = row_digests(table, types, f"{source} WHERE id >= :start AND id < :below")
        content = {"seal": self.number, "table": table, "columns": sorted(types), "recorded_at": self.recorded_at}
        cover = text(_COVER.format(mark=MARK, digests=digests))
        written = self.connection.scalar(cover, {**content, **span})
        if written is not None:
            self.spans[table] = (start, span["below"])
            self.rows += written

    def close(self) -> bytes:
        """Write the link; returns its hash."""
        values = {
            "id": self.number,
            "recorded_at": self.recorded_at,
            "sealed_at": self.sealed_at,
            "form": FORM,
            "previous_hash": self.previous_hash,
            "contents_digest": contents_digest(self.connection, self.number),
        }
        link = _CLOSE.format(
            values=", ".join(f"CAST(:{name} AS {kind}) AS {name}" for name, kind in LINK.items()),
            names=", ".join(LINK),
            values_of_link=", ".join(f"link.{name}" for name in LINK),
            digests=link_hashes("link"),
        )
        return bytes(self.connection.execute(text(link), values).scalar_one())

    def _closed(self, table: str) -> int:
        """The first id that no seal has closed; sequences begin at 1."""
        last = select(func.max(SealContent.closed_below)).where(SealContent.table_name == table)
        return self.connection.scalar(last) or 1
