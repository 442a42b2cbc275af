"""Seals: a chain of hashes over everything that was written, and which tables it covers (DESIGN 3.5)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import (
    ARRAY,
    BigInteger,
    CheckConstraint,
    Connection,
    ForeignKey,
    Identity,
    Index,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.dialects.postgresql import INT8MULTIRANGE, ExcludeConstraint
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Fact
from db.facts import is_mutable

GENESIS = bytes(32)
"""What the first seal names as the hash of its predecessor."""


class Seal(Fact):
    """One link: its number is the ``id``, given by the chain and not by a sequence, so that none can be missing.

    ``hash`` is the digest of this row without it, in the form of ``ledger.seals.canonical``; ``contents_digest`` is the
    SHA-256 over the digests of its contents. ``sealed_at`` is the trade's time: all of the seal was written by then.
    """

    __tablename__ = "seals"
    __table_args__ = (CheckConstraint("id > 0", name="numbered_from_one"),)

    id: Mapped[int] = mapped_column(BigInteger, Identity(always=False), primary_key=True, sort_order=-2)
    sealed_at: Mapped[datetime]
    form: Mapped[str]
    previous_hash: Mapped[bytes] = mapped_column(unique=True)
    contents_digest: Mapped[bytes]
    hash: Mapped[bytes] = mapped_column(unique=True)


class SealContent(Fact):
    """What a seal holds of one table: exactly the rows ``ids``, with the columns the table had then.

    The rows are all there were from the table's previous ``closed_below`` up to this one, and no row can appear there
    any more: one that does is an intrusion. ``digest`` is the SHA-256 over the digests of the rows by id;
    ``row_marks`` are the first eight bytes of each, by which a changed row can be named.
    """

    __tablename__ = "seal_contents"
    __table_args__ = (
        UniqueConstraint("table_name", "closed_below"),
        Index("ix_seal_contents_table_name_seal_id", "table_name", "seal_id"),
        ExcludeConstraint(("table_name", "="), ("ids", "&&"), using="gist", name="ex_seal_contents_sealed_once"),
    )

    # The contents are written before their seal, whose hash needs them.
    seal_id: Mapped[int] = mapped_column(ForeignKey("seals.id", deferrable=True, initially="DEFERRED"), index=True)
    table_name: Mapped[str]
    columns: Mapped[list[str]] = mapped_column(ARRAY(Text))
    ids: Mapped[Any] = mapped_column(INT8MULTIRANGE)
    count: Mapped[int]
    digest: Mapped[bytes]
    closed_below: Mapped[int]
    row_marks: Mapped[bytes]


MARK = 8
"""Octets of a row's digest that a seal keeps for each row."""

CHAIN = frozenset({"seals", "seal_contents"})
"""The tables that are not sealed as they are the seals: the hashes cover them."""

Types = dict[str, str]

_COLUMNS = text("""
    SELECT class.relname, attribute.attname, format_type(attribute.atttypid, NULL)
    FROM pg_class AS class JOIN pg_attribute AS attribute ON attribute.attrelid = class.oid
    WHERE class.relnamespace = 'public'::regnamespace AND class.relkind IN ('r', 'p') AND NOT class.relispartition
        AND attribute.attnum > 0 AND NOT attribute.attisdropped
    ORDER BY class.relname, attribute.attname
""")


def append_only_tables(connection: Connection) -> dict[str, Types]:
    """Every table that is not on the written list of mutable ones, with its columns and their types.

    The database is asked and not the models: a process that knows only some of the rooms must not seal only those.
    """
    tables: dict[str, Types] = {}
    for table, column, kind in connection.execute(_COLUMNS):
        if not is_mutable(table):
            tables.setdefault(table, {})[column] = kind
    return tables


def sealed_tables(connection: Connection) -> dict[str, Types]:
    """The tables whose rows are sealed: all append-only ones but the chain itself."""
    return {table: types for table, types in append_only_tables(connection).items() if table not in CHAIN}
