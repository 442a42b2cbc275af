"""Pools of positions: their terms, bets of many rows on one ticket, results a position, the division a level."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0028"
down_revision = "0027"
POOL_TERMS = {
    "by_positions": "num_nonnulls(levels, positions, empty_level, not_held) IN (0, 4)",
    "empty_level_known": "empty_level IN ('jackpot', 'other_levels')",
    "not_held_known": "not_held IN ('return_pool', 'drop')",
}
HELD = "held_names_an_outcome"
HELD_BEFORE = "(standing = 'held') = (cardinality(outcomes) > 0)"
HELD_SINCE = "(standing = 'held') = (cardinality(outcomes) > 0 OR positions IS NOT NULL)"


def upgrade() -> None:
    """Give pools, bets and results what positions need; whatever was before has one row a bet and no positions."""
    op.add_column("pools", sa.Column("levels", JSONB(), nullable=True))
    op.add_column("pools", sa.Column("positions", JSONB(), nullable=True))
    op.add_column("pools", sa.Column("empty_level", sa.Text(), nullable=True))
    op.add_column("pools", sa.Column("not_held", sa.Text(), nullable=True))
    for name, holds in POOL_TERMS.items():
        op.create_check_constraint(op.f(f"ck_pools_{name}"), "pools", holds)
    op.add_column("pool_bets", sa.Column("rows", sa.BigInteger(), server_default="1", nullable=False))
    op.add_column("pool_bets", sa.Column("marks", JSONB(), nullable=True))
    op.create_check_constraint(op.f("ck_pool_bets_rows"), "pool_bets", "rows > 0 AND stake % rows = 0")
    op.add_column("results", sa.Column("positions", JSONB(), nullable=True))
    op.drop_constraint(op.f(f"ck_results_{HELD}"), "results")
    op.create_check_constraint(op.f(f"ck_results_{HELD}"), "results", HELD_SINCE)
    _create_uploaded_rows()
    _create_level_divisions()


def downgrade() -> None:
    """Take it away, if nobody announced a pool of positions or told a result a position.

    Raises:
        RuntimeError: somebody did; bets and results would be lost.
    """
    told = "SELECT (SELECT count(positions) FROM pools) + (SELECT count(positions) FROM results)"
    if op.get_bind().exec_driver_sql(told).scalar():
        raise RuntimeError("There are positions of pools or results: they would be lost.")
    op.drop_table("pool_level_divisions")
    op.drop_table("uploaded_rows")
    op.drop_constraint(op.f(f"ck_results_{HELD}"), "results")
    op.create_check_constraint(op.f(f"ck_results_{HELD}"), "results", HELD_BEFORE)
    op.drop_column("results", "positions")
    op.drop_constraint(op.f("ck_pool_bets_rows"), "pool_bets")
    for name in ("marks", "rows"):
        op.drop_column("pool_bets", name)
    for name in POOL_TERMS:
        op.drop_constraint(op.f(f"ck_pools_{name}"), "pools")
    for name in ("not_held", "empty_level", "positions", "levels"):
        op.drop_column("pools", name)


def _create_uploaded_rows() -> None:
    op.create_table(
        "uploaded_rows",
        *_of_a_fact(),
        sa.Column("ticket_id", sa.BigInteger(), nullable=False),
        sa.Column("part", sa.Integer(), nullable=False),
        sa.Column("rows", sa.Integer(), nullable=False),
        sa.Column("places", sa.LargeBinary(), nullable=False),
        sa.CheckConstraint("part >= 0 AND rows > 0 AND octet_length(places) % rows = 0", name="shape"),
        sa.ForeignKeyConstraint(["ticket_id"], ["pool_bets.ticket_id"], name=op.f("fk_uploaded_rows_ticket_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_uploaded_rows")),
        sa.UniqueConstraint("ticket_id", "part", name=op.f("uq_uploaded_rows_ticket_id_part")),
    )
    op.execute("SELECT guard_fact('uploaded_rows')")


def _create_level_divisions() -> None:
    op.create_table(
        "pool_level_divisions",
        *_of_a_fact(),
        sa.Column("run_id", sa.BigInteger(), nullable=False),
        sa.Column("level", sa.Integer(), nullable=False),
        sa.Column("winning_bets", sa.BigInteger(), nullable=False),
        sa.Column("winning_stake", sa.BigInteger(), nullable=False),
        sa.Column("fund_numerator", sa.Numeric(), nullable=False),
        sa.Column("fund_denominator", sa.Numeric(), nullable=False),
        sa.CheckConstraint("(winning_bets > 0) = (winning_stake > 0)", name="winners_have_stakes"),
        sa.ForeignKeyConstraint(["run_id"], ["pool_divisions.run_id"], name=op.f("fk_pool_level_divisions_run_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pool_level_divisions")),
        sa.UniqueConstraint("run_id", "level", name=op.f("uq_pool_level_divisions_run_id_level")),
    )
    op.execute("SELECT guard_fact('pool_level_divisions')")


def _of_a_fact() -> tuple[sa.Column[object], ...]:
    return (
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column(
            "recorded_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
    )
