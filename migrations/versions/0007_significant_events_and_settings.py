"""Significant events and versions of settings: what is kept of who did what."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0007"
down_revision = "0006"

FACTS = ("significant_events", "setting_versions")


def upgrade() -> None:
    """Make both tables and guard them: they are facts."""
    op.create_table(
        "significant_events",
        *_of_a_fact(),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("severity", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=True),
        sa.Column("player_id", sa.BigInteger(), nullable=True),
        sa.Column("terminal_id", sa.BigInteger(), nullable=True),
        sa.Column("facts", postgresql.JSONB(), nullable=False),
        sa.Column("occurred_at", sa.DateTime(timezone=True), server_default=sa.text("trade_clock()"), nullable=False),
        sa.CheckConstraint(
            "severity IN ('notice', 'warning', 'alarm')", name=op.f("ck_significant_events_severity_known")
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_significant_events_user_id")),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_significant_events_player_id")),
        sa.ForeignKeyConstraint(["terminal_id"], ["terminals.id"], name=op.f("fk_significant_events_terminal_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_significant_events")),
    )
    op.create_index(op.f("ix_significant_events_kind_id"), "significant_events", ["kind", "id"])
    op.create_index(op.f("ix_significant_events_subject_id"), "significant_events", ["subject", "id"])
    op.create_table(
        "setting_versions",
        *_of_a_fact(),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", postgresql.JSONB(), nullable=False),
        sa.Column("old", postgresql.JSONB(), nullable=False),
        sa.Column("effective_from", sa.DateTime(timezone=True), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("changed_by", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["changed_by"], ["users.id"], name=op.f("fk_setting_versions_changed_by")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_setting_versions")),
    )
    op.create_index(
        op.f("ix_setting_versions_name_effective_from_id"), "setting_versions", ["name", "effective_from", "id"]
    )
    for fact in FACTS:
        op.execute(f"SELECT guard_fact('{fact}')")


def downgrade() -> None:
    """Take both away."""
    for fact in reversed(FACTS):
        op.drop_table(fact)


def _of_a_fact() -> tuple[sa.Column, sa.Column]:
    return (
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column(
            "recorded_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
    )
