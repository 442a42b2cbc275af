"""Tickets put on paper: an original once, duplicates with their numbers and reasons."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"

RULES = {
    "copy_not_negative": "copy >= 0",
    "duplicate_has_a_reason": "(copy = 0) = (reason IS NULL)",
    "form_known": "form IN ('pdf', 'escpos')",
    "printed_by_somebody": "(printed_by IS NULL) <> (player_id IS NULL)",
    "duplicate_by_the_office": "copy = 0 OR printed_by IS NOT NULL",
}
NAMED = {"ticket_id": "tickets", "printed_by": "users", "player_id": "players", "terminal_id": "terminals"}


def upgrade() -> None:
    """Make the table; tickets sold before are printed as originals while their shift lasts."""
    op.create_table(
        "ticket_prints",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column(
            "recorded_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.Column("ticket_id", sa.BigInteger(), nullable=False),
        sa.Column("copy", sa.BigInteger(), nullable=False),
        sa.Column("form", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("printed_by", sa.BigInteger(), nullable=True),
        sa.Column("player_id", sa.BigInteger(), nullable=True),
        sa.Column("terminal_id", sa.BigInteger(), nullable=True),
        sa.Column("printed_at", sa.DateTime(timezone=True), nullable=False),
        *(
            sa.ForeignKeyConstraint([column], [f"{table}.id"], name=op.f(f"fk_ticket_prints_{column}"))
            for column, table in NAMED.items()
        ),
        *(sa.CheckConstraint(rule, name=op.f(f"ck_ticket_prints_{name}")) for name, rule in RULES.items()),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ticket_prints")),
        sa.UniqueConstraint("ticket_id", "copy", name=op.f("uq_ticket_prints_ticket_id_copy")),
    )
    op.execute("SELECT guard_fact('ticket_prints')")


def downgrade() -> None:
    """Take it away."""
    op.drop_table("ticket_prints")
