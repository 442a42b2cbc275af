"""Indexes that lists of proposals are read by: what still stands, and what came from a login or a terminal."""

from __future__ import annotations

from alembic import op

revision = "0014"
down_revision = "0013"

READ_BY = (("lapses_at", "id"), ("proposed_by", "id"), ("terminal_id", "id"))


def upgrade() -> None:
    """Make the indexes."""
    for columns in READ_BY:
        op.create_index(op.f(f"ix_proposals_{'_'.join(columns)}"), "proposals", columns)


def downgrade() -> None:
    """Take them away."""
    for columns in READ_BY:
        op.drop_index(op.f(f"ix_proposals_{'_'.join(columns)}"), "proposals")
