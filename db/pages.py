"""Lists read page by page, the newest first: by the number of the last row seen, so that no row comes twice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Select
from sqlalchemy.orm import InstrumentedAttribute

Wanted = TypeVar("Wanted", bound=Select[*tuple[Any, ...]])
Number = InstrumentedAttribute[int] | ColumnElement[int]


def newest_first(wanted: Wanted, number: Number, before: int, limit: int) -> Wanted:
    """The rows of ``wanted`` whose number is under ``before`` (0: from the newest), at most ``limit`` of them.

    ``number`` is the table's primary key: a list that ends its order with anything less tears pages apart
    (FIELD-FAULTS 083).
    """
    page = wanted.order_by(number.desc()).limit(limit)
    return page.where(number < before) if before else page


def matching(wanted: Wanted, asked: Mapping[Any, object]) -> Wanted:
    """The rows whose columns are what was asked; a column that was not asked for (``None``) may be anything."""
    return wanted.where(*(column == value for column, value in asked.items() if value is not None))
