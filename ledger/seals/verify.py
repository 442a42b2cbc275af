"""Verifying: the chain from its first seal on, and every sealed row against it (DESIGN 3.5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Row, func, literal, or_, select, text

from ledger.checkpoints import BalanceCheckpoint, balance_before, movements
from ledger.journal import Transfer
from ledger.seals.canonical import FORM, UnsealableError, in_public
from ledger.seals.chain import contents_digest, link_hashes
from ledger.seals.contents import Content, check_content
from ledger.seals.finality import next_ids
from ledger.seals.findings import Fault, Finding
from ledger.seals.guards import check_guards
from ledger.seals.models import GENESIS, Seal, SealContent, Types, sealed_tables
from ledger.seals.outside import compare_digests

LIMIT = 100
"""How many findings are enough: a table rewritten as a whole need not be listed."""

SEALS = Seal.__tablename__
CONTENTS = SealContent.__tablename__
TRANSFERS = Transfer.__tablename__
BATCH = 500
BEGINNING = -(2**63)
"""Nothing may stand below the first seal's rows, not even under an id no sequence gives."""

_LINKS = f"""
SELECT seals.id, seals.form, seals.previous_hash, seals.contents_digest, seals.hash, links.digest AS right_hash
FROM ({link_hashes("public.seals WHERE id > :after ORDER BY id LIMIT :batch")}) AS links
JOIN public.seals ON seals.id = links.id ORDER BY seals.id
"""


def verify(connection: Connection, digests: Path | None = None, *, limit: int = LIMIT) -> list[Finding]:
    """What is wrong, seal by seal from the first, at most ``limit`` findings; none when all is as it was sealed.

    ``digests`` is the file that was kept outside. Only reads, while others go on writing and sealing; memory is bounded
    by the size of a block.

    Raises:
        DigestFileError: the file of digests is damaged.
    """
    tables = sealed_tables(connection)
    outside = compare_digests(connection, digests) if digests is not None else ()
    found = chain(
        check_guards(connection),
        _check_chain(connection, tables, limit),
        _check_orphans(connection),
        _check_sequences(connection, tables),
        outside,
    )
    return list(islice(found, limit))


def _check_chain(connection: Connection, tables: dict[str, Types], limit: int) -> Iterator[Finding]:
    number, previous = 0, GENESIS
    closed: dict[str, int] = {}
    for link in _links(connection):
        yield from _check_link(connection, link, number + 1, previous)
        spans: dict[str, tuple[int, int]] = {}
        for content in _contents(connection, link.id, closed):
            yield from check_content(connection, content, tables.get(content.table, {}), limit)
            spans[content.table] = content.start, content.below
            closed[content.table] = content.below
        yield from _check_checkpoints(connection, link.id, spans.get(TRANSFERS, (0, 0)))
        number, previous = link.id, link.hash


def _links(connection: Connection) -> Iterator[Row[Any]]:
    after = BEGINNING
    while batch := connection.execute(text(_LINKS), {"after": after, "batch": BATCH}).all():
        yield from batch
        after = batch[-1].id


def _check_link(connection: Connection, link: Row[Any], number: int, previous: bytes) -> Iterator[Finding]:
    if (link.id, link.previous_hash) != (number, previous):
        yield Finding(Fault.LINK_BROKEN, SEALS, link.id, link.id)
    if link.hash != link.right_hash or link.form != FORM:
        yield Finding(Fault.SEAL_CHANGED, SEALS, link.id, link.id)
    if link.contents_digest != contents_digest(connection, link.id):
        yield Finding(Fault.CONTENTS_CHANGED, SEALS, link.id, link.id)


def _contents(connection: Connection, seal: int, closed: dict[str, int]) -> list[Content]:
    found = connection.execute(
        select(SealContent.id, SealContent.table_name, SealContent.columns, SealContent.closed_below)
        .where(SealContent.seal_id == seal)
        .order_by(SealContent.id)
    )
    return [
        Content(
            row.id, seal, row.table_name, tuple(row.columns), closed.get(row.table_name, BEGINNING), row.closed_below
        )
        for row in found
    ]


def _check_checkpoints(connection: Connection, seal: int, span: tuple[int, int]) -> Iterator[Finding]:
    """Every balance of a seal is the one before it and what the seal's transfers moved, and none is missing."""
    moved = movements((Transfer.id >= span[0]) & (Transfer.id < span[1]))
    stored = select(BalanceCheckpoint).where(BalanceCheckpoint.seal_id == seal).subquery("stored")
    right = balance_before(moved.c.account_id, seal) + moved.c.movement
    account = func.coalesce(moved.c.account_id, stored.c.account_id)
    wrong = (
        select(account)
        .select_from(moved.join(stored, stored.c.account_id == moved.c.account_id, full=True))
        .where(or_(moved.c.account_id.is_(None), stored.c.balance.is_distinct_from(right)))
        .order_by(account)
    )
    for account_id in connection.scalars(wrong):
        yield Finding(Fault.CHECKPOINT_WRONG, BalanceCheckpoint.__tablename__, account_id, seal)


def _check_orphans(connection: Connection) -> Iterator[Finding]:
    """Contents whose seal is gone, or was never written."""
    known = select(literal(1)).where(Seal.id == SealContent.seal_id)
    orphans = select(SealContent.id, SealContent.seal_id).where(~known.exists()).order_by(SealContent.id)
    for content, seal in connection.execute(orphans):
        yield Finding(Fault.INSERTED, CONTENTS, content, seal)


def _check_sequences(connection: Connection, tables: Iterable[str]) -> Iterator[Finding]:
    """Rows above all ids a sequence has given. The rows are read first: writers go on drawing ids."""
    for table in sorted(tables):
        highest = connection.scalar(text(f"SELECT max(id) FROM {in_public(table)}")) or 0
        try:
            following = next_ids(connection, [table])[table]
        except UnsealableError:
            yield Finding(Fault.UNREADABLE, table)
        else:
            if highest >= following:
                yield Finding(Fault.INSERTED, table, highest)
