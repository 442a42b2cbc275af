"""Settlements: a decision on a ticket is a version, how a version ends is one row (DESIGN 3.1, 3.7).

A run writes the versions of a whole pool or event in chunks. Nobody acts on a version before the run's one
completion row stands; then its money is booked, and wins are credited in chunks.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import CheckConstraint, ColumnElement, ForeignKey, Index, UniqueConstraint, func, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from db.base import Fact


class Decision(StrEnum):
    """What a version decides. ``returned`` is by rule, ``cancelled`` by the organizer for a breach (T-Rules 29)."""

    WON = "won"
    LOST = "lost"
    RETURNED = "returned"
    CANCELLED = "cancelled"


class End(StrEnum):
    """How a version ends; the endings exclude one another by a unique key."""

    PAID = "paid"
    CREDITED = "credited"
    EXPIRED = "expired"
    REVERSED = "reversed"


class Cause(StrEnum):
    """What a run goes by: the protocol of an event, or the organizer's word against one ticket (T-Rules 29, 30)."""

    PROTOCOL = "protocol"
    CANCELLATION = "cancellation"


class SettlementRun(Fact):
    """The settling of one pool, event or ticket for one ``cause``: ``trade`` and ``subject_id`` say of what.

    What the run owes lies on ``payable_account_id`` from its completion on. ``started_at`` is the instant of the
    determination, from which the terms of payment are counted. Version n+1 goes by a corrected protocol and takes the
    place of version n (D-14).
    """

    __tablename__ = "settlement_runs"
    __table_args__ = (
        UniqueConstraint("trade", "subject_id", "version"),
        CheckConstraint("cause IN ('protocol', 'cancellation')", name="cause_known"),
        CheckConstraint("(cause = 'protocol') = (protocol_id IS NOT NULL)", name="protocol_named"),
    )

    trade: Mapped[str]
    subject_id: Mapped[int]
    version: Mapped[int]
    cause: Mapped[str]
    protocol_id: Mapped[int | None] = mapped_column(ForeignKey("protocols.id"))
    payable_account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"))
    started_at: Mapped[datetime]


class SettlementCompletion(Fact):
    """The row from which on a run's versions are valid and its money is booked; one a run."""

    __tablename__ = "settlement_completions"

    run_id: Mapped[int] = mapped_column(ForeignKey("settlement_runs.id"), unique=True)
    tickets: Mapped[int]
    due: Mapped[int]
    completed_at: Mapped[datetime]


class SettlementCrediting(Fact):
    """Every game account the run owed was credited and every ticket's state follows the run; one a run."""

    __tablename__ = "settlement_creditings"

    run_id: Mapped[int] = mapped_column(ForeignKey("settlement_runs.id"), unique=True)
    credited_at: Mapped[datetime]


class Settlement(Fact):
    """One decision on one ticket, money in minor units: the win, and the stake given back beside it.

    The two parts are kept apart because in a minus pool the win lapses and the stake does not (D-21). ``received`` is
    what earlier versions have paid or credited and nobody took back: a version is due what of its win and stake goes
    beyond it (D-14). ``payable_from`` and ``payable_until`` bound a cash payout, the second exclusive; both are empty
    where nothing is due, the second also where what is due does not lapse. Version n+1 names version n, which it
    reverses.
    """

    __tablename__ = "settlements"
    __table_args__ = (
        UniqueConstraint("ticket_id", "version"),
        Index("ix_settlements_run_id_ticket_id", "run_id", "ticket_id"),
        CheckConstraint("win >= 0 AND stake_back >= 0 AND received >= 0", name="not_negative"),
        CheckConstraint("(win + stake_back > received) = (payable_from IS NOT NULL)", name="due_has_a_term"),
        CheckConstraint("(version = 1) = (reverses_id IS NULL)", name="later_versions_reverse"),
    )

    ticket_id: Mapped[int] = mapped_column(ForeignKey("tickets.id"))
    version: Mapped[int]
    run_id: Mapped[int] = mapped_column(ForeignKey("settlement_runs.id"))
    reverses_id: Mapped[int | None] = mapped_column(ForeignKey("settlements.id"), unique=True)
    decision: Mapped[str]
    win: Mapped[int]
    stake_back: Mapped[int]
    received: Mapped[int] = mapped_column(default=0)
    payable_from: Mapped[datetime | None]
    payable_until: Mapped[datetime | None]

    @property
    def due(self) -> int:
        """What is still to be paid or credited by this version, in minor units."""
        return max(self.win + self.stake_back - self.received, 0)

    @property
    def stake_due(self) -> int:
        """What of ``due`` gives the stake back, in minor units; the rest is a win (:func:`given_back`)."""
        return max(self.stake_back - self.received, 0)

    @property
    def over(self) -> int:
        """What earlier versions paid beyond this one, in minor units: taken back, claimed, or the organizer's."""
        return max(self.received - self.win - self.stake_back, 0)


def given_back(decided: Any, amount: Any) -> ColumnElement[int]:
    """What of an amount that a decision pays or owes gives the stake back, in a query; the rest is a win (T-Prov 16).

    What earlier versions paid counts towards the stake first, so that what is left of it is what never lapses (D-21).
    """
    return func.least(func.greatest(decided.stake_back - decided.received, 0), amount)


class Ending(Fact):
    """How a settlement ended: paid in cash, credited to a game account, expired, or reversed by a later version.

    ``amount`` is what the end moved, in minor units; nothing where earlier versions had paid it all, and where a later
    version reversed what nobody had fetched.
    """

    __tablename__ = "endings"

    settlement_id: Mapped[int] = mapped_column(ForeignKey("settlements.id"), unique=True)
    end: Mapped[str]
    amount: Mapped[int]
    ended_at: Mapped[datetime]


def valid_settlement(session: Session, ticket_id: int) -> Settlement | None:
    """The last version of a ticket whose run is complete, or none while nothing is decided for all to see."""
    return session.scalar(
        select(Settlement)
        .join(SettlementCompletion, SettlementCompletion.run_id == Settlement.run_id)
        .where(Settlement.ticket_id == ticket_id)
        .order_by(Settlement.version.desc())
        .limit(1)
    )


def ending_of(session: Session, settlement_id: int) -> Ending | None:
    """How a version ended, if it did."""
    return session.scalar(select(Ending).where(Ending.settlement_id == settlement_id))
