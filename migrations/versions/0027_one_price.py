"""Pools whose every bet has one price, and limits of the win of a bet (T-Rules 5, 6, D-4)."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
LIMITS = {
    "one_price": "minimum_stake = price AND maximum_stake = price",
    "win_limits": "minimum_win >= 0 AND maximum_win > 0 AND minimum_win <= maximum_win",
}


def upgrade() -> None:
    """Give pools the terms of Sportloto; those announced before have none of them."""
    for name in ("price", "minimum_win", "maximum_win"):
        op.add_column("pools", sa.Column(name, sa.BigInteger(), nullable=True))
    for name, holds in LIMITS.items():
        op.create_check_constraint(op.f(f"ck_pools_{name}"), "pools", holds)


def downgrade() -> None:
    """Take them away, if no pool was announced with them.

    What such a pool pays could not be reckoned again.

    Raises:
        RuntimeError: a pool has one of them.
    """
    told = "SELECT count(*) FROM pools WHERE coalesce(price, minimum_win, maximum_win) IS NOT NULL"
    if op.get_bind().exec_driver_sql(told).scalar():
        raise RuntimeError("A pool was announced at one price: its terms would be lost.")
    for name in LIMITS:
        op.drop_constraint(op.f(f"ck_pools_{name}"), "pools")
    for name in ("price", "minimum_win", "maximum_win"):
        op.drop_column("pools", name)
