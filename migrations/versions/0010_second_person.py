"""A second person: proposals, decisions, uses; corrected protocols; how the code of a payout came; held payouts."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0010"
down_revision = "0009"

FACTS = ("proposals", "proposal_decisions", "proposal_uses", "payout_holds", "payout_releases")


def upgrade() -> None:
    """Make the tables of approvals and of holds, then let results, protocols and payouts name an approval."""
    _make_proposals()
    _make_decisions()
    _make_uses()
    _make_holds()
    for fact in FACTS:
        op.execute(f"SELECT guard_fact('{fact}')")
    _let_protocols_be_corrected()
    _let_payouts_be_approved()


def downgrade() -> None:
    """Take the columns away, then the tables."""
    for table, columns in (
        ("payouts", ("code_entry", "approval_id", "approved_by")),
        ("protocols", ("corrects",)),
        ("results", ("proposal_id", "corrects", "reason")),
    ):
        for column in columns:
            op.drop_column(table, column)
    op.drop_constraint(op.f("uq_protocols_number_event_id"), "protocols")
    for fact in reversed(FACTS):
        op.drop_table(fact)


def _make_proposals() -> None:
    op.create_table(
        "proposals",
        *_of_a_fact(),
        sa.Column("act", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("content", postgresql.JSONB(), nullable=False),
        sa.Column("fingerprint", sa.LargeBinary(), nullable=False),
        sa.Column("proposed_by", sa.BigInteger(), nullable=False),
        sa.Column("terminal_id", sa.BigInteger(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("proposed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("lapses_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("proposed_at < lapses_at", name=op.f("ck_proposals_lapses_later")),
        sa.ForeignKeyConstraint(["proposed_by"], ["users.id"], name=op.f("fk_proposals_proposed_by")),
        sa.ForeignKeyConstraint(["terminal_id"], ["terminals.id"], name=op.f("fk_proposals_terminal_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_proposals")),
        sa.UniqueConstraint("id", "proposed_by", name=op.f("uq_proposals_id_proposed_by")),
        sa.UniqueConstraint("id", "fingerprint", name=op.f("uq_proposals_id_fingerprint")),
    )
    op.create_index(op.f("ix_proposals_subject_id"), "proposals", ["subject", "id"])


def _make_decisions() -> None:
    op.create_table(
        "proposal_decisions",
        *_of_a_fact(),
        sa.Column("proposal_id", sa.BigInteger(), nullable=False),
        sa.Column("proposed_by", sa.BigInteger(), nullable=False),
        sa.Column("decision", sa.Text(), nullable=False),
        sa.Column("decided_by", sa.BigInteger(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("decided_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "decision IN ('approved', 'refused', 'withdrawn')", name=op.f("ck_proposal_decisions_decision_known")
        ),
        sa.CheckConstraint(
            "(decision = 'withdrawn') = (proposed_by = decided_by)", name=op.f("ck_proposal_decisions_two_persons")
        ),
        sa.ForeignKeyConstraint(["decided_by"], ["users.id"], name=op.f("fk_proposal_decisions_decided_by")),
        sa.ForeignKeyConstraint(
            ["proposal_id", "proposed_by"],
            ["proposals.id", "proposals.proposed_by"],
            name=op.f("fk_proposal_decisions_proposal_id_proposed_by"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_proposal_decisions")),
        sa.UniqueConstraint("proposal_id", name=op.f("uq_proposal_decisions_proposal_id")),
        sa.UniqueConstraint("proposal_id", "decision", name=op.f("uq_proposal_decisions_proposal_id_decision")),
        sa.UniqueConstraint("proposal_id", "decided_by", name=op.f("uq_proposal_decisions_proposal_id_decided_by")),
    )


def _make_uses() -> None:
    op.create_table(
        "proposal_uses",
        *_of_a_fact(),
        sa.Column("proposal_id", sa.BigInteger(), nullable=False),
        sa.Column("decision", sa.Text(), nullable=False),
        sa.Column("fingerprint", sa.LargeBinary(), nullable=False),
        sa.Column("used_by", sa.BigInteger(), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("decision = 'approved'", name=op.f("ck_proposal_uses_approved")),
        sa.ForeignKeyConstraint(
            ["proposal_id", "decision"],
            ["proposal_decisions.proposal_id", "proposal_decisions.decision"],
            name=op.f("fk_proposal_uses_proposal_id_decision"),
        ),
        sa.ForeignKeyConstraint(
            ["proposal_id", "fingerprint"],
            ["proposals.id", "proposals.fingerprint"],
            name=op.f("fk_proposal_uses_proposal_id_fingerprint"),
        ),
        sa.ForeignKeyConstraint(["used_by"], ["users.id"], name=op.f("fk_proposal_uses_used_by")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_proposal_uses")),
        sa.UniqueConstraint("proposal_id", name=op.f("uq_proposal_uses_proposal_id")),
    )


def _make_holds() -> None:
    op.create_table(
        "payout_holds",
        *_of_a_fact(),
        sa.Column("trade", sa.Text(), nullable=False),
        sa.Column("subject_id", sa.BigInteger(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("held_by", sa.BigInteger(), nullable=False),
        sa.Column("held_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["held_by"], ["users.id"], name=op.f("fk_payout_holds_held_by")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_payout_holds")),
    )
    op.create_index(op.f("ix_payout_holds_trade_subject_id"), "payout_holds", ["trade", "subject_id"])
    op.create_table(
        "payout_releases",
        *_of_a_fact(),
        sa.Column("hold_id", sa.BigInteger(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("released_by", sa.BigInteger(), nullable=False),
        sa.Column("released_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["hold_id"], ["payout_holds.id"], name=op.f("fk_payout_releases_hold_id")),
        sa.ForeignKeyConstraint(["released_by"], ["users.id"], name=op.f("fk_payout_releases_released_by")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_payout_releases")),
        sa.UniqueConstraint("hold_id", name=op.f("uq_payout_releases_hold_id")),
    )


def _let_protocols_be_corrected() -> None:
    """Results entered before this revision have no proposal: what was not confirmed by then is entered again."""
    op.create_unique_constraint(op.f("uq_protocols_number_event_id"), "protocols", ["number", "event_id"])
    op.add_column("results", sa.Column("proposal_id", sa.BigInteger(), nullable=True))
    op.add_column("results", sa.Column("corrects", sa.BigInteger(), nullable=True))
    op.add_column("results", sa.Column("reason", sa.Text(), nullable=True))
    op.create_unique_constraint(op.f("uq_results_proposal_id"), "results", ["proposal_id"])
    op.create_unique_constraint(op.f("uq_results_id_corrects"), "results", ["id", "corrects"])
    _refer("results", ["proposal_id", "entered_by"], "proposals", ["id", "proposed_by"])
    _refer("results", ["corrects", "event_id"], "protocols", ["number", "event_id"])
    _check("results", "correction_has_a_reason", "(corrects IS NULL) = (reason IS NULL)")
    _check("results", "reason_known", "reason IN ('clerical_error', 'source_misread', 'wrong_event')")
    op.add_column("protocols", sa.Column("corrects", sa.BigInteger(), nullable=True))
    op.create_unique_constraint(op.f("uq_protocols_corrects"), "protocols", ["corrects"])
    _refer("protocols", ["result_id", "corrects"], "results", ["id", "corrects"])
    _check("protocols", "later_versions_correct", "(version = 1) = (corrects IS NULL)")


def _let_payouts_be_approved() -> None:
    """Nobody asked how the codes of earlier payouts came: they are marked so."""
    op.add_column("payouts", sa.Column("code_entry", sa.Text(), server_default="unrecorded", nullable=False))
    op.alter_column("payouts", "code_entry", server_default=None)
    op.add_column("payouts", sa.Column("approval_id", sa.BigInteger(), nullable=True))
    op.add_column("payouts", sa.Column("approved_by", sa.BigInteger(), nullable=True))
    op.create_unique_constraint(op.f("uq_payouts_approval_id"), "payouts", ["approval_id"])
    _refer("payouts", ["approval_id"], "proposal_uses", ["proposal_id"])
    _refer("payouts", ["approval_id", "approved_by"], "proposal_decisions", ["proposal_id", "decided_by"])
    _check("payouts", "code_entry_known", "code_entry IN ('scanned', 'typed', 'unrecorded')")
    _check("payouts", "approved_by_somebody", "(approval_id IS NULL) = (approved_by IS NULL)")
    _check("payouts", "two_persons", "approved_by <> cashier_id")


def _refer(table: str, columns: list[str], to: str, keys: list[str]) -> None:
    op.create_foreign_key(op.f(f"fk_{table}_{'_'.join(columns)}"), table, to, columns, keys)


def _check(table: str, name: str, condition: str) -> None:
    op.create_check_constraint(op.f(f"ck_{table}_{name}"), table, condition)


def _of_a_fact() -> tuple[sa.Column, sa.Column]:
    return (
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column(
            "recorded_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
    )
