"""What the hash of a seal is made of (DESIGN 3.5): its own row and the rows of its contents, in the canonical form."""

from __future__ import annotations

from sqlalchemy import Connection, text

from ledger.seals.canonical import row_digests

LINK = {
    "id": "bigint",
    "recorded_at": "timestamp with time zone",
    "sealed_at": "timestamp with time zone",
    "form": "text",
    "previous_hash": "bytea",
    "contents_digest": "bytea",
}
"""The columns of a seal that its hash covers, with their types. A column added later belongs to another form."""

CONTENT = {
    "id": "bigint",
    "recorded_at": "timestamp with time zone",
    "seal_id": "bigint",
    "table_name": "text",
    "columns": "text[]",
    "ids": "int8multirange",
    "count": "bigint",
    "digest": "bytea",
    "closed_below": "bigint",
    "row_marks": "bytea",
}
"""The columns of a seal's contents that its contents' digest covers."""


def link_hashes(source: str) -> str:
    """The SQL of ``id`` and ``digest`` of seals: the digest is what the seal's hash must be."""
    return row_digests("seals", LINK, source)


def contents_digest(connection: Connection, number: int) -> bytes:
    """The SHA-256 over the digests of a seal's contents, in the order in which they were written."""
    contents = row_digests("seal_contents", CONTENT, "public.seal_contents WHERE seal_id = :seal")
    over_all = f"SELECT sha256(coalesce(string_agg(digest, ''::bytea ORDER BY id), '')) FROM ({contents}) AS contents"
    return bytes(connection.execute(text(over_all), {"seal": number}).scalar_one())
