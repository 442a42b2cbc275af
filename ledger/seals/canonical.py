"""The canonical form of a row, written out and hashed by the database: what a seal is a seal of (DESIGN 3.5).

A row is the text ``<table> <column> <value> <column> <value> …``, columns by name. Every part is preceded by its
length in octets (``6 amount 5 10000 ``), so that no two rows share a text; an empty value is ``0 ``, none at all is
``- ``. Values are written without regard to what a session has set:

* instants and dates as seconds since 1970-01-01 UTC, instants with six decimals;
* bytes and intervals as hexadecimal digits, an interval in PostgreSQL's binary form;
* text as it is; numbers, truth values, JSON, arrays and ranges as PostgreSQL writes them.

The digest of a row is the SHA-256 of that text in UTF-8. Another form than this one must get another ``FORM``.
"""

from __future__ import annotations

from collections.abc import Mapping

FORM = "1"

_AS_IT_IS = "CAST({} AS text)"
_SECONDS = "CAST(extract(epoch FROM {}) AS text)"
TEXTS = {
    "bigint": _AS_IT_IS,
    "bigint[]": _AS_IT_IS,
    "boolean": _AS_IT_IS,
    "bytea": "encode({}, 'hex')",
    "character varying": _AS_IT_IS,
    "date": _SECONDS,
    "int8multirange": _AS_IT_IS,
    "integer": _AS_IT_IS,
    "interval": "encode(interval_send({}), 'hex')",
    "jsonb": _AS_IT_IS,
    "numeric": _AS_IT_IS,
    "smallint": _AS_IT_IS,
    "text": _AS_IT_IS,
    "text[]": _AS_IT_IS,
    "timestamp with time zone": _SECONDS,
    "uuid": _AS_IT_IS,
}
"""How a value of each type is written. A type is admitted here when its text cannot depend on a session's settings."""


class UnsealableError(Exception):
    """A table cannot be sealed as it stands: its columns or its numbering break what the seals rest on."""

    def __init__(self, table: str, reason: str) -> None:
        super().__init__(f"{table}: {reason}")


def row_digests(table: str, types: Mapping[str, str], source: str) -> str:
    """The SQL of ``id`` and ``digest`` for the rows of ``source``, a FROM with all it needs (``x WHERE …``).

    ``types`` are the columns to cover with their PostgreSQL types.

    Raises:
        UnsealableError: a column's type has no canonical form.
    """
    texts = ", ".join(f"{_text(table, name, kind)} AS c{n}" for n, (name, kind) in enumerate(sorted(types.items())))
    parts = [_literal(_part(table))]
    for n, name in enumerate(sorted(types)):
        parts += [_literal(_part(name)), f"coalesce(octet_length(c{n}) || ' ' || c{n}, '-')", "' '"]
    # OFFSET 0 keeps the planner from writing each value twice, once for its length and once for itself.
    return (
        f"SELECT id, sha256(convert_to({' || '.join(parts)}, 'UTF8')) AS digest "
        f"FROM (SELECT id, {texts} FROM {source} OFFSET 0) AS texts"
    )


def quoted(name: str) -> str:
    """A table or column as SQL names it, whatever signs it holds."""
    return '"' + name.replace('"', '""') + '"'


def in_public(table: str) -> str:
    """A table named with its schema: a session's search path or temporary tables must not lead elsewhere."""
    return f"public.{quoted(table)}"


def _text(table: str, column: str, kind: str) -> str:
    try:
        return TEXTS[kind].format(quoted(column))
    except KeyError:
        raise UnsealableError(table, f"{column} is {kind}, which has no canonical form") from None


def _part(text: str) -> str:
    return f"{len(text.encode('utf-8'))} {text} "


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
