"""How far a seal closed each table is found at once, however old the seal: reports are read as of it (DESIGN 3.8)."""

from __future__ import annotations

from alembic import op

revision = "0023"
down_revision = "0021"


def upgrade() -> None:
    """Make the index."""
    op.create_index(op.f("ix_seal_contents_table_name_seal_id"), "seal_contents", ["table_name", "seal_id"])


def downgrade() -> None:
    """Take it away."""
    op.drop_index(op.f("ix_seal_contents_table_name_seal_id"), "seal_contents")
