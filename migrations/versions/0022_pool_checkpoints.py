"""Checkpoints of what pools hold, so that running totals need not add up every bet."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0017"


def upgrade() -> None:
    """Make the table, a fact; whatever was sold before is kept by the first sweep."""
    op.create_table(
        "pool_checkpoints",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column(
            "recorded_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.Column("pool_id", sa.BigInteger(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("closed_below", sa.BigInteger(), nullable=False),
        sa.Column("bets", sa.BigInteger(), nullable=False),
        sa.Column("stakes", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["pool_id", "outcome"],
            ["pool_outcomes.pool_id", "pool_outcomes.code"],
            name=op.f("fk_pool_checkpoints_pool_id_outcome"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pool_checkpoints")),
        sa.UniqueConstraint(
            "pool_id", "outcome", "closed_below", name=op.f("uq_pool_checkpoints_pool_id_outcome_closed_below")
        ),
    )
    op.create_index("ix_pool_checkpoints_closed_below", "pool_checkpoints", ["closed_below"])
    op.execute("SELECT guard_fact('pool_checkpoints')")


def downgrade() -> None:
    """Take it away: totals are added up from the bets again, and nothing is lost."""
    op.drop_table("pool_checkpoints")
