"""A stop of sales and its resumption are facts; which stops are open is a projection that the gates of a sale read."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from sqlalchemy import CheckConstraint, ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Fact


class Scope(StrEnum):
    """What a stop may stop, the widest first: of several that a bet meets, the widest is told."""

    EVERYWHERE = "everywhere"
    GAME = "game"
    SPORT = "sport"
    EVENT = "event"
    POOL = "pool"
    MARKET = "market"
    OUTCOME = "outcome"
    DESK = "desk"
    TERMINAL = "terminal"


class SalesStop(Fact):
    """No bet of the scope is taken from ``effective_from`` on, until the stop is ended.

    ``subject`` is the code of what is stopped, a sport's or game's name; of an outcome ``pool:<pool>/<outcome>``, so
    that a market's outcome can be told from a pool's; of everywhere it is empty.
    """

    __tablename__ = "sales_stops"
    __table_args__ = (
        CheckConstraint(f"scope IN ({', '.join(repr(scope.value) for scope in Scope)})", name="scope_known"),
        CheckConstraint("(subject = '') = (scope = 'everywhere')", name="subject_named"),
    )

    scope: Mapped[str]
    subject: Mapped[str]
    effective_from: Mapped[datetime]
    reason: Mapped[str]
    stopped_by: Mapped[int] = mapped_column(ForeignKey("users.id"))


class SalesResumption(Fact):
    """The end of a stop: sales of its scope go on, unless another stop holds them."""

    __tablename__ = "sales_resumptions"

    stop_id: Mapped[int] = mapped_column(ForeignKey("sales_stops.id"), unique=True)
    resumed_at: Mapped[datetime]
    reason: Mapped[str]
    resumed_by: Mapped[int] = mapped_column(ForeignKey("users.id"))


class OpenSalesStop(Base):
    """A stop that has not been ended: every sale looks here, so that ended ones cost it nothing (DESIGN 3.2).

    ``switch`` is ``<scope>:<subject>``: a bet meets a stop by having its switch among its own.
    """

    __tablename__ = "open_sales_stops"

    stop_id: Mapped[int] = mapped_column(ForeignKey("sales_stops.id"), primary_key=True, autoincrement=False)
    switch: Mapped[str] = mapped_column(index=True)
