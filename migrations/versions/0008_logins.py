"""Logins: one-time passwords, sessions that may only change one, and counts of attempts at guessing."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0008"
down_revision = "0007"

HOLDERS = ("users", "players")
COUNTED = "attempts, failures, last_at, noted_at"


def upgrade() -> None:
    """Add the columns and the table; the application may delete counts, and nothing else anywhere."""
    for table in HOLDERS:
        op.add_column(table, sa.Column("password_until", sa.DateTime(timezone=True), nullable=True))
        op.execute(f"GRANT UPDATE (password_until) ON {table} TO totalizator_application")
    op.add_column("access_tokens", sa.Column("restricted", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.execute("GRANT UPDATE (restricted) ON access_tokens TO totalizator_application")
    for holder in ("user_id", "player_id"):
        name = op.f(f"ix_access_tokens_{holder}")
        op.create_index(name, "access_tokens", [holder], postgresql_where=sa.text("ended_at IS NULL"))
    op.create_table(
        "attempt_counts",
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("door", sa.Text(), nullable=False),
        sa.Column("attempts", postgresql.ARRAY(sa.DateTime(timezone=True)), nullable=False),
        sa.Column("failures", sa.BigInteger(), nullable=False),
        sa.Column("last_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("noted_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_attempt_counts")),
    )
    op.execute("SELECT open_to_application('attempt_counts')")
    op.execute("REVOKE UPDATE ON attempt_counts FROM totalizator_application")
    op.execute(f"GRANT DELETE, UPDATE ({COUNTED}) ON attempt_counts TO totalizator_application")


def downgrade() -> None:
    """Take them away: a one-time password becomes one like any other, and nobody's attempts are counted."""
    op.drop_table("attempt_counts")
    for holder in ("user_id", "player_id"):
        op.drop_index(op.f(f"ix_access_tokens_{holder}"), "access_tokens")
    op.drop_column("access_tokens", "restricted")
    for table in HOLDERS:
        op.drop_column(table, "password_until")
