"""Columns of a table, declared once for every form it takes: what a cell holds, and what stands over it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType


class Kind(StrEnum):
    """What the cells of a column hold, so that each form writes them in its own way."""

    TEXT = "text"
    MONEY = "money"
    NUMBER = "number"
    DATE = "date"
    INSTANT = "instant"


@dataclass(frozen=True)
class Column:
    """A column: its key for programs, its title for people, what it holds.

    ``words`` say in people's language what a text holds as a code; a text that is not among them is shown as it is.
    ``closed`` words are all the codes there can be.
    """

    key: str
    title: str
    kind: Kind = Kind.TEXT
    words: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    closed: bool = True
