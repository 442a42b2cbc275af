"""The alarm hook's deliveries, and the indexes by which significant events are found."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"

CHANNELS = "channel IN ('file', 'log', 'webhook')"
INDEXES = {
    "ix_significant_events_severity_id": ["severity", "id"],
    "ix_significant_events_user_id_id": ["user_id", "id"],
    "ix_significant_events_occurred_at": ["occurred_at"],
}
CHANGING = {
    "alarm_channels": "planned_below",
    "alarm_deliveries": "attempts, next_attempt_at, delivered_at, abandoned_at, last_error",
}


def upgrade() -> None:
    """Make both tables, open to the application in the columns that change."""
    for name, columns in INDEXES.items():
        op.create_index(op.f(name), "significant_events", columns)
    _make_channels()
    _make_deliveries()
    for table, columns in CHANGING.items():
        op.execute(f"SELECT open_to_application('{table}')")
        op.execute(f"REVOKE UPDATE ON {table} FROM totalizator_application")
        op.execute(f"GRANT UPDATE ({columns}) ON {table} TO totalizator_application")


def downgrade() -> None:
    """Take all of it away; what went out stays out."""
    for table in reversed(CHANGING):
        op.drop_table(table)
    for name in INDEXES:
        op.drop_index(op.f(name), "significant_events")


def _make_channels() -> None:
    op.create_table(
        "alarm_channels",
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("planned_below", sa.BigInteger(), nullable=False),
        _now("first_set_at"),
        sa.CheckConstraint(CHANNELS, name=op.f("ck_alarm_channels_channel_known")),
        sa.PrimaryKeyConstraint("channel", name=op.f("pk_alarm_channels")),
    )


def _make_deliveries() -> None:
    op.create_table(
        "alarm_deliveries",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("event_id", sa.BigInteger(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("key", sa.Uuid(), server_default=sa.text("gen_random_uuid()"), nullable=False),
        _now("planned_at"),
        sa.Column("attempts", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        _now("next_attempt_at"),
        sa.Column("delivered_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("abandoned_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_error", sa.Text(), nullable=True),
        sa.CheckConstraint(CHANNELS, name=op.f("ck_alarm_deliveries_channel_known")),
        sa.CheckConstraint("delivered_at IS NULL OR abandoned_at IS NULL", name=op.f("ck_alarm_deliveries_one_end")),
        sa.ForeignKeyConstraint(["event_id"], ["significant_events.id"], name=op.f("fk_alarm_deliveries_event_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_alarm_deliveries")),
        sa.UniqueConstraint("event_id", "channel", name=op.f("uq_alarm_deliveries_event_id_channel")),
    )
    undelivered = sa.text("delivered_at IS NULL")
    op.create_index(op.f("ix_alarm_deliveries_undelivered"), "alarm_deliveries", ["id"], postgresql_where=undelivered)


def _now(name: str) -> sa.Column:
    return sa.Column(name, sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False)
