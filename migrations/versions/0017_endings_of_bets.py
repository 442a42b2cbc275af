"""How bets end without a desk: terms of payment with what prolongs them, claims, disputes (T-Rules 33, 40, 45)."""

from __future__ import annotations

import os

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0017"
down_revision = "0016"

FACTS = ("payment_terms", "claims", "claim_decisions", "disputes", "dispute_decisions")
DECISIONS = "decision IN ('upheld', 'rejected')"

# The runs of before 0017 were all of Totolot pools: three months from the day after the determination (T-Rules 40),
# ten days for claims from the outcome (33), thirty for disputes behind the term (45), by the zone that was set last.
TERMS_OF_EARLIER_RUNS = """
    INSERT INTO payment_terms (run_id, payable_from, payable_until, claims_until, disputes_until)
    SELECT run.id,
        day.first AT TIME ZONE zone.name,
        (day.first + interval '3 months' + interval '1 day') AT TIME ZONE zone.name,
        (day.outcome + interval '11 days') AT TIME ZONE zone.name,
        (day.first + interval '3 months' + interval '31 days') AT TIME ZONE zone.name
    FROM settlement_runs AS run
    JOIN settlement_completions AS complete ON complete.run_id = run.id
    CROSS JOIN (
        SELECT coalesce((SELECT value #>> '{}' FROM setting_versions WHERE name = 'operator_time_zone'
            ORDER BY id DESC LIMIT 1), :zone) AS name
    ) AS zone
    CROSS JOIN LATERAL (
        SELECT date_trunc('day', run.started_at AT TIME ZONE zone.name) + interval '1 day' AS first,
            date_trunc('day', announced.drawn_up_at AT TIME ZONE zone.name) AS outcome
        FROM pools AS pool JOIN protocols AS announced ON announced.event_id = pool.event_id AND announced.version = 1
        WHERE pool.id = run.subject_id
    ) AS day
    WHERE run.trade = 'tote'
    ORDER BY run.id
"""


def upgrade() -> None:
    """Make the tables, let holds tell why they stand, and find what is unpaid without going through every ticket."""
    op.add_column("payout_holds", sa.Column("cause", sa.Text(), server_default="decision", nullable=False))
    op.alter_column("payout_holds", "cause", server_default=None)
    op.create_check_constraint(
        op.f("ck_payout_holds_cause_known"), "payout_holds", "cause IN ('decision', 'claim', 'dispute')"
    )
    op.create_index(
        op.f("ix_ticket_states_won"), "ticket_states", ["settlement_id"], postgresql_where=sa.text("status = 'won'")
    )
    _make_terms()
    _make_claims()
    _make_disputes()
    for fact in FACTS:
        op.execute(f"SELECT guard_fact('{fact}')")
    zone = os.environ.get("OPERATOR_TIME_ZONE", "Europe/Minsk")
    op.get_bind().execute(sa.text(TERMS_OF_EARLIER_RUNS), {"zone": zone})


def downgrade() -> None:
    """Take it all away; what was held for a claim is held by decision again."""
    for fact in reversed(FACTS):
        op.drop_table(fact)
    op.drop_index(op.f("ix_ticket_states_won"), "ticket_states")
    op.drop_column("payout_holds", "cause")


def _make_terms() -> None:
    op.create_table(
        "payment_terms",
        *_of_a_fact(),
        _number("run_id"),
        _number("ticket_id", nullable=True),
        _instant("payable_from"),
        _instant("payable_until"),
        _instant("claims_until", nullable=True),
        _instant("disputes_until"),
        _number("hold_id", nullable=True),
        sa.CheckConstraint(
            "payable_from < payable_until AND payable_until < disputes_until", name=op.f("ck_payment_terms_in_order")
        ),
        sa.CheckConstraint(
            "ticket_id IS NULL OR hold_id IS NOT NULL", name=op.f("ck_payment_terms_a_ticket_has_its_own_by_a_hold")
        ),
        sa.ForeignKeyConstraint(["run_id"], ["settlement_runs.id"], name=op.f("fk_payment_terms_run_id")),
        sa.ForeignKeyConstraint(["ticket_id"], ["tickets.id"], name=op.f("fk_payment_terms_ticket_id")),
        sa.ForeignKeyConstraint(["hold_id"], ["payout_holds.id"], name=op.f("fk_payment_terms_hold_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_payment_terms")),
    )
    op.create_index(op.f("ix_payment_terms_run_id_ticket_id"), "payment_terms", ["run_id", "ticket_id"])
    op.create_index(
        op.f("uq_payment_terms_run_id"),
        "payment_terms",
        ["run_id"],
        unique=True,
        postgresql_where=sa.text("hold_id IS NULL"),
    )


def _make_claims() -> None:
    op.create_table(
        "claims",
        *_of_a_fact(),
        _number("pool_id"),
        _number("ticket_id", nullable=True),
        _number("protocol_id"),
        sa.Column("statement", sa.Text(), nullable=False),
        sa.Column("documents", postgresql.JSONB(), nullable=False),
        _number("hold_id"),
        _number("entered_by"),
        _instant("entered_at"),
        sa.CheckConstraint("jsonb_array_length(documents) > 0", name=op.f("ck_claims_with_documents")),
        sa.ForeignKeyConstraint(["pool_id"], ["pools.id"], name=op.f("fk_claims_pool_id")),
        sa.ForeignKeyConstraint(
            ["pool_id", "ticket_id"],
            ["pool_bets.pool_id", "pool_bets.ticket_id"],
            name=op.f("fk_claims_pool_id_ticket_id"),
        ),
        sa.ForeignKeyConstraint(["protocol_id"], ["protocols.id"], name=op.f("fk_claims_protocol_id")),
        sa.ForeignKeyConstraint(["hold_id"], ["payout_holds.id"], name=op.f("fk_claims_hold_id")),
        sa.ForeignKeyConstraint(["entered_by"], ["users.id"], name=op.f("fk_claims_entered_by")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_claims")),
        sa.UniqueConstraint("hold_id", name=op.f("uq_claims_hold_id")),
        sa.UniqueConstraint("id", "entered_by", name=op.f("uq_claims_id_entered_by")),
    )
    op.create_index(op.f("ix_claims_pool_id_id"), "claims", ["pool_id", "id"])
    _make_decisions("claim_decisions", "claim_id", "claims")


def _make_disputes() -> None:
    op.create_table(
        "disputes",
        *_of_a_fact(),
        _number("ticket_id"),
        sa.Column("statement", sa.Text(), nullable=False),
        _number("hold_id", nullable=True),
        _number("entered_by"),
        _instant("entered_at"),
        sa.ForeignKeyConstraint(["ticket_id"], ["tickets.id"], name=op.f("fk_disputes_ticket_id")),
        sa.ForeignKeyConstraint(["hold_id"], ["payout_holds.id"], name=op.f("fk_disputes_hold_id")),
        sa.ForeignKeyConstraint(["entered_by"], ["users.id"], name=op.f("fk_disputes_entered_by")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_disputes")),
        sa.UniqueConstraint("hold_id", name=op.f("uq_disputes_hold_id")),
        sa.UniqueConstraint("id", "entered_by", name=op.f("uq_disputes_id_entered_by")),
    )
    op.create_index(op.f("ix_disputes_ticket_id_id"), "disputes", ["ticket_id", "id"])
    _make_decisions("dispute_decisions", "dispute_id", "disputes")


def _make_decisions(table: str, subject: str, of: str) -> None:
    """Decisions of another login than entered: the composite key carries the enterer, the check compares."""
    op.create_table(
        table,
        *_of_a_fact(),
        _number(subject),
        _number("entered_by"),
        sa.Column("decision", sa.Text(), nullable=False),
        sa.Column("explanation", sa.Text(), nullable=False),
        _number("decided_by"),
        _instant("decided_at"),
        sa.CheckConstraint(DECISIONS, name=op.f(f"ck_{table}_decision_known")),
        sa.CheckConstraint("entered_by <> decided_by", name=op.f(f"ck_{table}_two_persons")),
        sa.ForeignKeyConstraint(
            [subject, "entered_by"], [f"{of}.id", f"{of}.entered_by"], name=op.f(f"fk_{table}_{subject}_entered_by")
        ),
        sa.ForeignKeyConstraint(["decided_by"], ["users.id"], name=op.f(f"fk_{table}_decided_by")),
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{table}")),
        sa.UniqueConstraint(subject, name=op.f(f"uq_{table}_{subject}")),
    )


def _of_a_fact() -> tuple[sa.Column, sa.Column]:
    return (
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column(
            "recorded_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
    )


def _number(name: str, *, nullable: bool = False) -> sa.Column:
    return sa.Column(name, sa.BigInteger(), nullable=nullable)


def _instant(name: str, *, nullable: bool = False) -> sa.Column:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=nullable)
