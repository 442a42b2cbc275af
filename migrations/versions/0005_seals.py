"""Seals, what they hold, and the balances at each of them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0005"
down_revision = "0004"

FACTS = ("seals", "seal_contents", "balance_checkpoints")


def upgrade() -> None:
    """Make the tables of the seals, all three of them facts."""
    op.create_table(
        "seals",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column(
            "recorded_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.Column("sealed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("form", sa.Text(), nullable=False),
        sa.Column("previous_hash", sa.LargeBinary(), nullable=False),
        sa.Column("contents_digest", sa.LargeBinary(), nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.CheckConstraint("id > 0", name=op.f("ck_seals_numbered_from_one")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_seals")),
        sa.UniqueConstraint("hash", name=op.f("uq_seals_hash")),
        sa.UniqueConstraint("previous_hash", name=op.f("uq_seals_previous_hash")),
    )
    op.create_table(
        "seal_contents",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column(
            "recorded_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.Column("seal_id", sa.BigInteger(), nullable=False),
        sa.Column("table_name", sa.Text(), nullable=False),
        sa.Column("columns", sa.ARRAY(sa.Text()), nullable=False),
        sa.Column("ids", postgresql.INT8MULTIRANGE(), nullable=False),
        sa.Column("count", sa.BigInteger(), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("closed_below", sa.BigInteger(), nullable=False),
        sa.Column("row_marks", sa.LargeBinary(), nullable=False),
        postgresql.ExcludeConstraint(
            ("table_name", "="), ("ids", "&&"), using="gist", name="ex_seal_contents_sealed_once"
        ),
        _sealed_by("seal_contents"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_seal_contents")),
        sa.UniqueConstraint("table_name", "closed_below", name=op.f("uq_seal_contents_table_name_closed_below")),
    )
    op.create_index(op.f("ix_seal_contents_seal_id"), "seal_contents", ["seal_id"], unique=False)
    op.create_table(
        "balance_checkpoints",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column(
            "recorded_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.Column("seal_id", sa.BigInteger(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("balance", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_balance_checkpoints_account_id")),
        _sealed_by("balance_checkpoints"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_balance_checkpoints")),
        sa.UniqueConstraint("account_id", "seal_id", name=op.f("uq_balance_checkpoints_account_id_seal_id")),
    )
    op.create_index(op.f("ix_balance_checkpoints_seal_id"), "balance_checkpoints", ["seal_id"], unique=False)
    for table in FACTS:
        op.execute(f"SELECT guard_fact('{table}')")


def downgrade() -> None:
    """Drop the tables of the seals with what they hold: nothing sealed before can be verified after it."""
    op.execute("DROP TABLE balance_checkpoints, seal_contents, seals")


def _sealed_by(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["seal_id"], ["seals.id"], name=op.f(f"fk_{table}_seal_id"), deferrable=True, initially="DEFERRED"
    )
