"""Workplaces completed: withdrawals of desks and terminals, their secrets, who works where; and indexes of lists."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

FACTS = (
    "desk_withdrawals",
    "terminal_credentials",
    "terminal_withdrawals",
    "desk_assignments",
    "assignment_endings",
)
INDEXES = {
    "ix_terminals_desk_id_id": ("terminals", ["desk_id", "id"], None),
    "ix_terminal_credentials_terminal_id_id": ("terminal_credentials", ["terminal_id", "id"], None),
    "ix_desk_assignments_cashier_id_id": ("desk_assignments", ["cashier_id", "id"], None),
    "ix_desk_assignments_desk_id_id": ("desk_assignments", ["desk_id", "id"], None),
    "ix_payouts_shift_id_number": ("payouts", ["shift_id", "number"], None),
    "ix_results_event_id_id": ("results", ["event_id", "id"], None),
    "ix_transfers_booked_on_id": ("transfers", ["booked_on", "id"], None),
    "ix_transfers_kind_id": ("transfers", ["kind", "id"], None),
    "ix_tickets_shift_id_id": ("tickets", ["shift_id", "id"], "shift_id IS NOT NULL"),
    "ix_tickets_placed_at": ("tickets", ["placed_at"], None),
    "ix_access_tokens_terminal_id": ("access_tokens", ["terminal_id"], "terminal_id IS NOT NULL"),
}

# The terminal's gate (class 5) is taken before the shift's: whoever withdraws a terminal takes it exclusive, waits for
# the sales under way at it, and stops those behind. A shift is open only to a terminal that still stands: one that was
# withdrawn finds it shut, while the desk's other terminals go on in it. A desk needs no gate of its own: it is
# withdrawn only while it has no open shift, and none opens at it afterwards.
ENTER_SHIFT = """
CREATE OR REPLACE FUNCTION enter_shift(terminal bigint, OUT entered_at timestamptz,
    OUT shift_id bigint, OUT shift_open boolean, OUT cash_account_id bigint)
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    IF terminal IS NOT NULL THEN
        PERFORM pg_advisory_xact_lock_shared(5, terminal::integer);
        SELECT latest.id, desk.cash_account_id INTO shift_id, cash_account_id
        FROM terminals AS worked_at JOIN desks AS desk ON desk.id = worked_at.desk_id
        CROSS JOIN LATERAL (SELECT id FROM shifts WHERE desk_id = desk.id ORDER BY id DESC LIMIT 1) AS latest
        WHERE worked_at.id = terminal;
        PERFORM pg_advisory_xact_lock_shared(2, shift_id::integer);
    END IF;
    PERFORM pg_current_xact_id();
    shift_open := shift_id IS NOT NULL
        AND NOT EXISTS (SELECT FROM shift_closings AS closing WHERE closing.shift_id = enter_shift.shift_id)
        AND NOT EXISTS (SELECT FROM terminal_withdrawals AS withdrawal WHERE withdrawal.terminal_id = terminal);
    entered_at := trade_clock();
END
$$;
"""
ENTER_SHIFT_OF_0003 = """
CREATE OR REPLACE FUNCTION enter_shift(terminal bigint, OUT entered_at timestamptz,
    OUT shift_id bigint, OUT shift_open boolean, OUT cash_account_id bigint)
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    IF terminal IS NOT NULL THEN
        SELECT latest.id, desk.cash_account_id INTO shift_id, cash_account_id
        FROM terminals AS worked_at JOIN desks AS desk ON desk.id = worked_at.desk_id
        CROSS JOIN LATERAL (SELECT id FROM shifts WHERE desk_id = desk.id ORDER BY id DESC LIMIT 1) AS latest
        WHERE worked_at.id = terminal;
        PERFORM pg_advisory_xact_lock_shared(2, shift_id::integer);
    END IF;
    PERFORM pg_current_xact_id();
    shift_open := shift_id IS NOT NULL
        AND NOT EXISTS (SELECT FROM shift_closings AS closing WHERE closing.shift_id = enter_shift.shift_id);
    entered_at := trade_clock();
END
$$;
"""


def upgrade() -> None:
    """Make the tables and guard them: they are facts; let the gate see a withdrawn terminal."""
    _withdrawals("desk_withdrawals", "desks", "desk_id")
    _withdrawals("terminal_withdrawals", "terminals", "terminal_id")
    op.create_table(
        "terminal_credentials",
        *_of_a_fact("terminal_credentials"),
        sa.Column("terminal_id", sa.BigInteger(), nullable=False),
        sa.Column("secret_digest", sa.LargeBinary(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        *_by_whom_and_when("terminal_credentials", "issued"),
        _key("terminal_credentials", "terminal_id", "terminals"),
    )
    op.create_table(
        "desk_assignments",
        *_of_a_fact("desk_assignments"),
        sa.Column("cashier_id", sa.BigInteger(), nullable=False),
        sa.Column("desk_id", sa.BigInteger(), nullable=False),
        *_by_whom_and_when("desk_assignments", "assigned"),
        _key("desk_assignments", "cashier_id", "users"),
        _key("desk_assignments", "desk_id", "desks"),
    )
    op.create_table(
        "assignment_endings",
        *_of_a_fact("assignment_endings"),
        sa.Column("assignment_id", sa.BigInteger(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        *_by_whom_and_when("assignment_endings", "ended"),
        _key("assignment_endings", "assignment_id", "desk_assignments"),
        sa.UniqueConstraint("assignment_id", name=op.f("uq_assignment_endings_assignment_id")),
    )
    for fact in FACTS:
        op.execute(f"SELECT guard_fact('{fact}')")
    for name, (table, columns, condition) in INDEXES.items():
        op.create_index(op.f(name), table, columns, postgresql_where=sa.text(condition) if condition else None)
    op.execute(ENTER_SHIFT)


def downgrade() -> None:
    """Give the gate its former sight, and take the tables and indexes away."""
    op.execute(ENTER_SHIFT_OF_0003)
    for name, (table, _, _) in INDEXES.items():
        op.drop_index(op.f(name), table)
    for fact in reversed(FACTS):
        op.drop_table(fact)


def _withdrawals(table: str, of: str, subject: str) -> None:
    """A table of what left the house for good, each thing once, with who, when and why."""
    op.create_table(
        table,
        *_of_a_fact(table),
        sa.Column(subject, sa.BigInteger(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        *_by_whom_and_when(table, "withdrawn"),
        _key(table, subject, of),
        sa.UniqueConstraint(subject, name=op.f(f"uq_{table}_{subject}")),
    )


def _of_a_fact(table: str) -> tuple[sa.schema.SchemaItem, ...]:
    return (
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column(
            "recorded_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{table}")),
    )


def _by_whom_and_when(table: str, done: str) -> tuple[sa.schema.SchemaItem, ...]:
    return (
        sa.Column(f"{done}_by", sa.BigInteger(), nullable=False),
        sa.Column(f"{done}_at", sa.DateTime(timezone=True), nullable=False),
        _key(table, f"{done}_by", "users"),
    )


def _key(table: str, column: str, of: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [f"{of}.id"], name=op.f(f"fk_{table}_{column}"))
