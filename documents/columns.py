"""Columns of a table, declared once for every form it takes: what a cell holds, and what stands over it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from documents import table
from documents.table import Kind


@dataclass(frozen=True)
class Column:
    """A column: its key for programs, its title for people, what it holds.

    ``words`` say in people's language what a text holds as a code; a text that is not among them is shown as it is.
    ``closed`` words are all the codes there can be. Where codes are made after a pattern, ``spoken`` says one of them.
    """

    key: str
    title: str
    kind: Kind = Kind.TEXT
    words: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    closed: bool = True
    spoken: Callable[[str], str] | None = None


def rendered(columns: Sequence[Column], summed: Collection[str]) -> tuple[table.Column, ...]:
    """The columns as a file or a paper has them, those with the summed keys added up below."""
    return tuple(table.Column(column.title, column.kind, summed=column.key in summed) for column in columns)
