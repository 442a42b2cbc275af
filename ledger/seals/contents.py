"""Whether the rows of a table still are what a seal holds of them, and if not, which (DESIGN 3.5)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice

from sqlalchemy import Connection, text

from ledger.seals.canonical import UnsealableError, in_public, row_digests
from ledger.seals.findings import Fault, Finding
from ledger.seals.models import MARK, Types

_SPAN = "{source} WHERE id >= :start AND id < :below"

_COMPARE = """
SELECT coalesce(bool_and(seen.digest = content.digest AND seen.ids = content.ids AND seen.count = content.count), false)
        AS rows,
    coalesce(bool_and(seen.marks = content.row_marks), false) AS marks
FROM seal_contents AS content CROSS JOIN (
    SELECT count(*) AS count, range_agg(int8range(id, id + 1)) AS ids,
        sha256(string_agg(digest, ''::bytea ORDER BY id)) AS digest,
        string_agg(substr(digest, 1, {mark}), ''::bytea ORDER BY id) AS marks
    FROM ({digests}) AS digests
) AS seen
WHERE content.id = :content
"""

_PRESENT = "SELECT id, substr(digest, 1, {mark}) AS mark FROM ({digests}) AS digests ORDER BY id LIMIT :most"

_RANGES = text("""
    SELECT lower(stretch), upper(stretch) FROM seal_contents CROSS JOIN unnest(ids) AS stretch
    WHERE seal_contents.id = :content ORDER BY 1
""")


@dataclass(frozen=True)
class Content:
    """What a seal says it holds of a table, and the span of ids it closes, ``below`` exclusive."""

    id: int
    seal: int
    table: str
    columns: tuple[str, ...]
    start: int
    below: int


def check_content(connection: Connection, content: Content, types: Types, limit: int) -> Iterator[Finding]:
    """Compare the rows with what was sealed; name at most ``limit`` of those that differ."""
    try:
        covered = {column: types[column] for column in content.columns}
        digests = row_digests(content.table, covered, _SPAN.format(source=in_public(content.table)))
    except (KeyError, UnsealableError):
        yield Finding(Fault.UNREADABLE, content.table, None, content.seal)
        return
    span = {"content": content.id, "start": content.start, "below": content.below}
    agree = connection.execute(text(_COMPARE.format(mark=MARK, digests=digests)), span).one()
    if agree.rows and agree.marks:
        return
    bad = [] if agree.rows else list(islice(_bad_rows(connection, content, digests, limit), limit))
    yield from bad or [Finding(Fault.MARKS_INCONSISTENT, content.table, None, content.seal)]


def _bad_rows(connection: Connection, content: Content, digests: str, limit: int) -> Iterator[Finding]:
    sealed = _sealed_marks(connection, content.id)
    query = text(_PRESENT.format(mark=MARK, digests=digests))
    # No more than were sealed can be right, so that a span torn open is not read to its end.
    span = {"start": content.start, "below": content.below, "most": len(sealed) + limit}
    present: dict[int, bytes] = {}
    for row_id, mark in connection.execute(query, span):
        # Somebody who may drop a primary key may write a second row of the same id.
        if row_id in present:
            yield Finding(Fault.INSERTED, content.table, row_id, content.seal)
        else:
            present[row_id] = mark
    for row_id in sorted(sealed.keys() | present.keys()):
        if row_id not in present:
            yield Finding(Fault.REMOVED, content.table, row_id, content.seal)
        elif row_id not in sealed:
            yield Finding(Fault.INSERTED, content.table, row_id, content.seal)
        elif sealed[row_id] != present[row_id]:
            yield Finding(Fault.CHANGED, content.table, row_id, content.seal)


def _sealed_marks(connection: Connection, content: int) -> dict[int, bytes]:
    """The mark of every sealed row, by its id."""
    all_marks = text("SELECT row_marks FROM seal_contents WHERE id = :content")
    marks = connection.scalars(all_marks, {"content": content}).first() or b""
    ranges = connection.execute(_RANGES, {"content": content})
    ids = chain.from_iterable(range(first, end) for first, end in ranges)
    return {row_id: marks[at : at + MARK] for row_id, at in zip(ids, range(0, len(marks), MARK), strict=False)}
