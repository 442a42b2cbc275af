"""What becomes of an event: changes of its start, scores of periods, annulments; where a protocol was drawn up."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0022"

FACTS = ("start_changes", "result_scores", "annulments")
NAMED = "(turn = 'not_started') = (instant IS NULL)"
TURNS = "turn IN ('corrected', 'moved', 'started', 'ended', 'not_started')"


def upgrade() -> None:
    """Make the three tables of facts, and let events and protocols tell a place."""
    op.add_column("events", sa.Column("venue", sa.Text(), nullable=True))
    op.add_column("protocols", sa.Column("place", sa.Text(), nullable=True))
    op.add_column("protocols", sa.Column("remarks", sa.Text(), nullable=True))
    _make_start_changes()
    _make_result_scores()
    _make_annulments()
    for fact in FACTS:
        op.execute(f"SELECT guard_fact('{fact}')")


def downgrade() -> None:
    """Take the tables and the columns away."""
    for fact in reversed(FACTS):
        op.drop_table(fact)
    op.drop_column("protocols", "remarks")
    op.drop_column("protocols", "place")
    op.drop_column("events", "venue")


def _make_start_changes() -> None:
    op.create_table(
        "start_changes",
        *_of_a_fact(),
        sa.Column("event_id", sa.BigInteger(), nullable=False),
        sa.Column("turn", sa.Text(), nullable=False),
        sa.Column("instant", sa.DateTime(timezone=True), nullable=True),
        sa.Column("was", sa.DateTime(timezone=True), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("stop_id", sa.BigInteger(), nullable=True),
        sa.Column("entered_by", sa.BigInteger(), nullable=False),
        sa.Column("entered_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(TURNS, name=op.f("ck_start_changes_turn_known")),
        sa.CheckConstraint(NAMED, name=op.f("ck_start_changes_names_an_instant")),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_start_changes_event_id")),
        sa.ForeignKeyConstraint(["stop_id"], ["sales_stops.id"], name=op.f("fk_start_changes_stop_id")),
        sa.ForeignKeyConstraint(["entered_by"], ["users.id"], name=op.f("fk_start_changes_entered_by")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_start_changes")),
    )
    op.create_index(op.f("ix_start_changes_event_id_id"), "start_changes", ["event_id", "id"])


def _make_result_scores() -> None:
    op.create_table(
        "result_scores",
        *_of_a_fact(),
        sa.Column("result_id", sa.BigInteger(), nullable=False),
        sa.Column("period", sa.Text(), nullable=False),
        sa.Column("home", sa.BigInteger(), nullable=False),
        sa.Column("away", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("home >= 0 AND away >= 0", name=op.f("ck_result_scores_not_negative")),
        sa.ForeignKeyConstraint(["result_id"], ["results.id"], name=op.f("fk_result_scores_result_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_result_scores")),
        sa.UniqueConstraint("result_id", "period", name=op.f("uq_result_scores_result_id_period")),
    )


def _make_annulments() -> None:
    op.create_table(
        "annulments",
        *_of_a_fact(),
        sa.Column("event_id", sa.BigInteger(), nullable=False),
        sa.Column("protocol_number", sa.BigInteger(), nullable=False),
        sa.Column("annulled_by", sa.Text(), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.Column("document_date", sa.Date(), nullable=False),
        sa.Column("remarks", sa.Text(), nullable=True),
        sa.Column("entered_by", sa.BigInteger(), nullable=False),
        sa.Column("entered_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_annulments_event_id")),
        sa.ForeignKeyConstraint(["protocol_number"], ["protocols.number"], name=op.f("fk_annulments_protocol_number")),
        sa.ForeignKeyConstraint(["entered_by"], ["users.id"], name=op.f("fk_annulments_entered_by")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_annulments")),
    )
    op.create_index(op.f("ix_annulments_event_id"), "annulments", ["event_id"])


def _of_a_fact() -> tuple[sa.Column, sa.Column]:
    return (
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column(
            "recorded_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
    )
