"""What may happen to a pool: events not held, bets cancelled, decisions made again (T-Rules 29, 32; D-14)."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Let results say that nothing took place, runs have another cause, decisions know what was received."""
    _let_events_fail()
    _let_runs_have_causes()
    _let_decisions_be_made_again()
    _let_bets_be_cancelled()


def downgrade() -> None:
    """Take it all back; where an event was not held or a bet was cancelled, the narrower rules refuse that."""
    op.drop_table("pool_cancellations")
    op.create_index(op.f("ix_pool_bets_pool_id_ticket_id"), "pool_bets", ["pool_id", "ticket_id"])
    op.drop_constraint(op.f("uq_pool_bets_pool_id_ticket_id"), "pool_bets")
    op.drop_column("pool_divisions", "returned")
    _swap("settlements", "due_has_a_term", "(win + stake_back > 0) = (payable_from IS NOT NULL)")
    _swap("settlements", "not_negative", "win >= 0 AND stake_back >= 0")
    op.drop_column("settlements", "received")
    op.alter_column("settlement_runs", "protocol_id", nullable=False)
    op.drop_column("settlement_runs", "cause")
    op.drop_constraint(op.f("ck_results_held_names_an_outcome"), "results")
    op.drop_column("results", "standing")
    _check("results", "names_an_outcome", "cardinality(outcomes) > 0")


def _let_events_fail() -> None:
    """Whatever was entered before says of itself that the event was held: it names outcomes."""
    _add_filled("results", sa.Column("standing", sa.Text(), server_default="held", nullable=False))
    op.drop_constraint(op.f("ck_results_names_an_outcome"), "results")
    _check("results", "standing_known", "standing IN ('held', 'not_held', 'interrupted')")
    _check("results", "held_names_an_outcome", "(standing = 'held') = (cardinality(outcomes) > 0)")


def _let_runs_have_causes() -> None:
    _add_filled("settlement_runs", sa.Column("cause", sa.Text(), server_default="protocol", nullable=False))
    op.alter_column("settlement_runs", "protocol_id", nullable=True)
    _check("settlement_runs", "cause_known", "cause IN ('protocol', 'cancellation')")
    _check("settlement_runs", "protocol_named", "(cause = 'protocol') = (protocol_id IS NOT NULL)")


def _let_decisions_be_made_again() -> None:
    _add_filled("settlements", sa.Column("received", sa.BigInteger(), server_default="0", nullable=False))
    _swap("settlements", "not_negative", "win >= 0 AND stake_back >= 0 AND received >= 0")
    _swap("settlements", "due_has_a_term", "(win + stake_back > received) = (payable_from IS NOT NULL)")
    _add_filled("pool_divisions", sa.Column("returned", sa.Boolean(), server_default="false", nullable=False))


def _let_bets_be_cancelled() -> None:
    op.create_unique_constraint(op.f("uq_pool_bets_pool_id_ticket_id"), "pool_bets", ["pool_id", "ticket_id"])
    op.drop_index(op.f("ix_pool_bets_pool_id_ticket_id"), "pool_bets")
    op.create_table(
        "pool_cancellations",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column(
            "recorded_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.Column("ticket_id", sa.BigInteger(), nullable=False),
        sa.Column("pool_id", sa.BigInteger(), nullable=False),
        sa.Column("stage", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("explanation", sa.Text(), nullable=False),
        sa.Column("from_stakes", sa.BigInteger(), nullable=False),
        sa.Column("from_withdrawal", sa.BigInteger(), nullable=False),
        sa.Column("from_fund", sa.BigInteger(), nullable=False),
        sa.Column("cancelled_by", sa.BigInteger(), nullable=False),
        sa.Column("cancelled_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("stage IN ('selling', 'closed', 'settled')", name=op.f("ck_pool_cancellations_stage_known")),
        sa.CheckConstraint(
            "reason IN ('after_start', 'under_age', 'influence', 'unpaid', 'wrong_details', 'other_breach')",
            name=op.f("ck_pool_cancellations_reason_known"),
        ),
        sa.CheckConstraint(
            "from_stakes >= 0 AND from_withdrawal >= 0 AND from_fund >= 0",
            name=op.f("ck_pool_cancellations_not_negative"),
        ),
        sa.ForeignKeyConstraint(["cancelled_by"], ["users.id"], name=op.f("fk_pool_cancellations_cancelled_by")),
        sa.ForeignKeyConstraint(
            ["pool_id", "ticket_id"],
            ["pool_bets.pool_id", "pool_bets.ticket_id"],
            name=op.f("fk_pool_cancellations_pool_id_ticket_id"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pool_cancellations")),
        sa.UniqueConstraint("ticket_id", name=op.f("uq_pool_cancellations_ticket_id")),
    )
    op.create_index(op.f("ix_pool_cancellations_pool_id_id"), "pool_cancellations", ["pool_id", "id"])
    op.execute("SELECT guard_fact('pool_cancellations')")


def _add_filled(table: str, column: sa.Column) -> None:
    """Add a column whose earlier rows get the default; later ones say it themselves."""
    op.add_column(table, column)
    op.alter_column(table, column.name, server_default=None)


def _swap(table: str, name: str, condition: str) -> None:
    op.drop_constraint(op.f(f"ck_{table}_{name}"), table)
    _check(table, name, condition)


def _check(table: str, name: str, condition: str) -> None:
    op.create_check_constraint(op.f(f"ck_{table}_{name}"), table, condition)
