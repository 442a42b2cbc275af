"""The declarative base: constraint names, and the two kinds of tables, facts and mutable projections."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar

from sqlalchemy import BigInteger, Identity, LargeBinary, MetaData, Text, func
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from db.instants import Instant

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}


class Base(DeclarativeBase):
    """Every table; constraints get names that do not depend on the order in which they were written."""

    metadata = MetaData(naming_convention=NAMES)
    type_annotation_map: ClassVar[dict[Any, Any]] = {int: BigInteger, str: Text, bytes: LargeBinary, datetime: Instant}


class Fact(Base):
    """A row that is written once: triggers refuse UPDATE, DELETE and TRUNCATE, to the owner as well.

    ``id`` comes from the table's own sequence, so that a boundary in ids is a boundary in time for the seals.
    ``recorded_at`` is when the row reached the database, whatever instant the row itself speaks of.
    """

    __abstract__ = True

    id: Mapped[int] = mapped_column(BigInteger, Identity(always=True), primary_key=True, sort_order=-2)
    recorded_at: Mapped[datetime] = mapped_column(Instant, server_default=func.clock_timestamp(), sort_order=-1)
