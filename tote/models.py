"""Pools as announced, the bets in them, their closing and their division."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any

from sqlalchemy import (
    ARRAY,
    CheckConstraint,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    Numeric,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Fact

ALL_POSITIONS = "*"
"""The one outcome of a pool of positions: what its bets name is told by their marks. No announced code is like it."""


class NotHeld(StrEnum):
    """What becomes of a pool of positions where one of them was not held, as announced with it (D-22)."""

    RETURN_POOL = "return_pool"
    DROP = "drop"


class Pool(Fact):
    """A pool with the terms it was announced on (T-Rules 24); they are never changed, so no setting touches a pool.

    Money in minor units, ``fund_percent`` of the pool goes to winners (T-Rules 4, 23), ``minimum_coefficient`` is the
    organizer's promise of D-6. Where every bet has one ``price``, it is both limits of the stake (T-Rules 5), and
    ``minimum_win`` and ``maximum_win`` bound the win of a bet (T-Rules 6, D-4). ``opens_at`` is inclusive,
    ``closes_at`` exclusive.

    A pool of positions has ``positions`` (each with its outcomes), ``levels`` of match percent, and says what becomes
    of a level nobody reached (``empty_level``, D-7) and of the pool where a position was not held (``not_held``, D-22);
    any other has none of them. :mod:`tote.positions` reads them. Stakes, price and limits are those of one bet, which
    is one row of a ticket.
    """

    __tablename__ = "pools"
    __table_args__ = (
        CheckConstraint("minimum_stake > 0 AND maximum_stake >= minimum_stake", name="stake_limits"),
        CheckConstraint("opens_at < closes_at", name="window"),
        CheckConstraint("fund_percent > 0 AND fund_percent <= 100", name="fund_percent"),
        CheckConstraint("minimum_stake = price AND maximum_stake = price", name="one_price"),
        CheckConstraint("minimum_win >= 0 AND maximum_win > 0 AND minimum_win <= maximum_win", name="win_limits"),
        CheckConstraint("num_nonnulls(levels, positions, empty_level, not_held) IN (0, 4)", name="by_positions"),
        CheckConstraint("empty_level IN ('jackpot', 'other_levels')", name="empty_level_known"),
        CheckConstraint("not_held IN ('return_pool', 'drop')", name="not_held_known"),
    )

    code: Mapped[str] = mapped_column(unique=True)
    name: Mapped[str]
    game: Mapped[str]
    event_id: Mapped[int] = mapped_column(ForeignKey("events.id"), index=True)
    currency: Mapped[str]
    opens_at: Mapped[datetime]
    closes_at: Mapped[datetime]
    minimum_stake: Mapped[int]
    maximum_stake: Mapped[int]
    fund_percent: Mapped[Decimal] = mapped_column(Numeric)
    minimum_coefficient: Mapped[Decimal | None] = mapped_column(Numeric)
    price: Mapped[int | None]
    minimum_win: Mapped[int | None]
    maximum_win: Mapped[int | None]
    levels: Mapped[list[dict[str, str]] | None] = mapped_column(JSONB(none_as_null=True))
    positions: Mapped[list[dict[str, Any]] | None] = mapped_column(JSONB(none_as_null=True))
    empty_level: Mapped[str | None]
    not_held: Mapped[str | None]
    stakes_account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), unique=True)
    fund_account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), unique=True)
    wins_account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), unique=True)
    announced_by: Mapped[int] = mapped_column(ForeignKey("users.id"))


class PoolOutcome(Fact):
    """One of the outcomes a bet on the pool may name, with its code (T-Rules 8.2, 24).

    A pool of positions has one, ``ALL_POSITIONS``, on which all its bets are counted.
    """

    __tablename__ = "pool_outcomes"
    __table_args__ = (UniqueConstraint("pool_id", "code"),)

    pool_id: Mapped[int] = mapped_column(ForeignKey("pools.id"))
    code: Mapped[str]
    name: Mapped[str]


class PoolBet(Fact):
    """The bets of a ticket in a pool: one outcome and one stake in minor units, or ``rows`` bets of equal stakes.

    Where the pool is of positions, ``marks`` are the outcomes marked in each, in the order of the announcement: every
    way of taking one of each is a row (T-Rules 3, 22.2). They are empty where the rows were uploaded one by one. The
    stake is that of the whole ticket.
    """

    __tablename__ = "pool_bets"
    __table_args__ = (
        CheckConstraint("rows > 0 AND stake % rows = 0", name="rows"),
        ForeignKeyConstraint(["pool_id", "outcome"], ["pool_outcomes.pool_id", "pool_outcomes.code"]),
        # As a constraint and not an index alone, so that what is said of a bet later can name its pool with it.
        UniqueConstraint("pool_id", "ticket_id"),
    )

    ticket_id: Mapped[int] = mapped_column(ForeignKey("tickets.id"), unique=True)
    pool_id: Mapped[int]
    outcome: Mapped[str]
    stake: Mapped[int]
    rows: Mapped[int] = mapped_column(server_default=text("1"))
    marks: Mapped[list[list[str]] | None] = mapped_column(JSONB(none_as_null=True))


class UploadedRows(Fact):
    """A part of the rows of a ticket that were uploaded one by one, as a reduced system is.

    ``places`` holds a byte for each mark, position by position and within a position row by row: the place of the
    marked outcome among those announced for the position, from 0. :mod:`tote.uploads` writes and counts them.
    """

    __tablename__ = "uploaded_rows"
    __table_args__ = (
        CheckConstraint("part >= 0 AND rows > 0 AND octet_length(places) % rows = 0", name="shape"),
        UniqueConstraint("ticket_id", "part"),
    )

    ticket_id: Mapped[int] = mapped_column(ForeignKey("pool_bets.ticket_id"))
    part: Mapped[int] = mapped_column(Integer)
    rows: Mapped[int] = mapped_column(Integer)
    places: Mapped[bytes]


class PoolClosing(Fact):
    """The end of a pool's sales, counted under the exclusive gate: after it nothing lands in the pool (T-Prov 12)."""

    __tablename__ = "pool_closings"

    pool_id: Mapped[int] = mapped_column(ForeignKey("pools.id"), unique=True)
    bets: Mapped[int]
    stakes: Mapped[int]
    withdrawal: Mapped[int]
    fund: Mapped[int]
    closed_by: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    closed_at: Mapped[datetime]


class CancellationReason(StrEnum):
    """In what a bet broke the rules, so that the organizer cancels it (T-Rules 29)."""

    AFTER_START = "after_start"
    UNDER_AGE = "under_age"
    INFLUENCE = "influence"
    UNPAID = "unpaid"
    WRONG_DETAILS = "wrong_details"
    OTHER_BREACH = "other_breach"


class CancellationStage(StrEnum):
    """How far the pool was when a bet of it was cancelled; it decides where the stake comes from (D-18)."""

    SELLING = "selling"
    CLOSED = "closed"
    SETTLED = "settled"


class PoolCancellation(Fact):
    """A bet the organizer cancelled, even a played one, for a breach of the rules (T-Rules 29, D-18).

    Before the settlement it leaves the pool as if never made: its stake comes out of the stakes while they are
    collected, and out of withdrawal and prize fund after the closing (``from_…``, minor units, whole the stake). After
    it the other wins stand: nothing comes out of the pool and the organizer returns the stake.
    """

    __tablename__ = "pool_cancellations"
    __table_args__ = (
        ForeignKeyConstraint(["pool_id", "ticket_id"], ["pool_bets.pool_id", "pool_bets.ticket_id"]),
        CheckConstraint("stage IN ('selling', 'closed', 'settled')", name="stage_known"),
        CheckConstraint(
            "reason IN ('after_start', 'under_age', 'influence', 'unpaid', 'wrong_details', 'other_breach')",
            name="reason_known",
        ),
        CheckConstraint("from_stakes >= 0 AND from_withdrawal >= 0 AND from_fund >= 0", name="not_negative"),
        Index("ix_pool_cancellations_pool_id_id", "pool_id", "id"),
    )

    ticket_id: Mapped[int] = mapped_column(unique=True)
    pool_id: Mapped[int]
    stage: Mapped[str]
    reason: Mapped[str]
    explanation: Mapped[str]
    from_stakes: Mapped[int]
    from_withdrawal: Mapped[int]
    from_fund: Mapped[int]
    cancelled_by: Mapped[int] = mapped_column(ForeignKey("users.id"))
    cancelled_at: Mapped[datetime]


class PoolDivision(Fact):
    """How the prize fund of a pool was divided by one settlement run (T-Rules 36.1), as the sheet prints it.

    Where the event was not held the pool is ``returned``: every stake goes back, the withdrawal with it (T-Rules 32).

    ``true_outcomes`` of a pool of positions are what came true in each, in their order, empty where one was not held.
    ``coefficient_numerator / coefficient_denominator`` is the exact coefficient; both are empty without winners, in a
    minus pool, and where levels have coefficients of their own (``PoolLevelDivision``). ``jackpot_shortfall`` is what
    the organizer bore, in minor units, because the jackpot no longer had what a corrected division gave it (D-14).
    """

    __tablename__ = "pool_divisions"
    __table_args__ = (CheckConstraint("jackpot_shortfall >= 0", name="shortfall_not_negative"),)

    run_id: Mapped[int] = mapped_column(ForeignKey("settlement_runs.id"), unique=True)
    pool_id: Mapped[int] = mapped_column(ForeignKey("pools.id"))
    true_outcomes: Mapped[list[str | None]] = mapped_column(ARRAY(Text))
    minus_pool: Mapped[bool]
    returned: Mapped[bool] = mapped_column(default=False)
    winning_bets: Mapped[int]
    winning_stake: Mapped[int]
    coefficient_numerator: Mapped[Decimal | None] = mapped_column(Numeric)
    coefficient_denominator: Mapped[Decimal | None] = mapped_column(Numeric)
    wins: Mapped[int]
    to_jackpot: Mapped[int]
    from_organizer: Mapped[int]
    jackpot_shortfall: Mapped[int] = mapped_column(default=0)


class PoolLevelDivision(Fact):
    """One level of a division: how many bets reached it, their stakes, and its exact part of the fund, in minor units.

    ``level`` is its place among those announced, from 1. The coefficient is the fund over the winning stakes (T-Rules
    36.2), the win of a bet the fund over their number where each has one price (T-Rules 11.3).
    """

    __tablename__ = "pool_level_divisions"
    __table_args__ = (
        CheckConstraint("(winning_bets > 0) = (winning_stake > 0)", name="winners_have_stakes"),
        UniqueConstraint("run_id", "level"),
    )

    run_id: Mapped[int] = mapped_column(ForeignKey("pool_divisions.run_id"))
    level: Mapped[int] = mapped_column(Integer)
    winning_bets: Mapped[int]
    winning_stake: Mapped[int]
    fund_numerator: Mapped[Decimal] = mapped_column(Numeric)
    fund_denominator: Mapped[Decimal] = mapped_column(Numeric)
