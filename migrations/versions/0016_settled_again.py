"""What a settlement that is made again may cost the organizer: jackpot money that has been drawn (D-14)."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """No division before this one was ever made again: the jackpot owed none of them anything."""
    column = sa.Column("jackpot_shortfall", sa.BigInteger(), server_default="0", nullable=False)
    op.add_column("pool_divisions", column)
    op.alter_column("pool_divisions", "jackpot_shortfall", server_default=None)
    op.create_check_constraint(
        op.f("ck_pool_divisions_shortfall_not_negative"), "pool_divisions", "jackpot_shortfall >= 0"
    )


def downgrade() -> None:
    """Forget it; the transfers that made the jackpot good stay."""
    op.drop_column("pool_divisions", "jackpot_shortfall")
