"""A table to be rendered: its columns' titles and its rows, whatever it becomes on paper or in a file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from documents.csv import Cell


@dataclass(frozen=True)
class Table:
    """Columns and rows; the rows may be read once only, as they come from the database."""

    columns: Sequence[str]
    rows: Iterable[Sequence[Cell]]
