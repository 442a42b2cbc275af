"""The desk whole: certificates, agents, cash limits, cash on its way, fiscal receipts and reports (T-Prov 4, 18)."""

from __future__ import annotations

from importlib import import_module

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"

FACTS = (
    "desk_certificates",
    "agent_contracts",
    "contract_endings",
    "cash_limits",
    "cash_deliveries",
    "cash_receptions",
    "delivery_clearings",
    "payout_receipts",
    "fiscal_reports",
)

# A shift is open to nobody while the contract of the agent who keeps the point does not run: the last contract of the
# desk counts, and a desk that never had one is the organizer's own. Whoever ends a contract takes the gate of the
# desk's shift exclusive, and the end of the last day is read by the clock that dates the bet.
ENTER_SHIFT = """
CREATE OR REPLACE FUNCTION enter_shift(terminal bigint, OUT entered_at timestamptz,
    OUT shift_id bigint, OUT shift_open boolean, OUT cash_account_id bigint)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    here bigint;
BEGIN
    IF terminal IS NOT NULL THEN
        PERFORM pg_advisory_xact_lock_shared(5, terminal::integer);
        SELECT desk.id, latest.id, desk.cash_account_id INTO here, shift_id, cash_account_id
        FROM terminals AS worked_at JOIN desks AS desk ON desk.id = worked_at.desk_id
        CROSS JOIN LATERAL (SELECT id FROM shifts WHERE desk_id = desk.id ORDER BY id DESC LIMIT 1) AS latest
        WHERE worked_at.id = terminal;
        PERFORM pg_advisory_xact_lock_shared(2, shift_id::integer);
    END IF;
    PERFORM pg_current_xact_id();
    entered_at := trade_clock();
    shift_open := shift_id IS NOT NULL
        AND NOT EXISTS (SELECT FROM shift_closings AS closing WHERE closing.shift_id = enter_shift.shift_id)
        AND NOT EXISTS (SELECT FROM terminal_withdrawals AS withdrawal WHERE withdrawal.terminal_id = terminal)
        AND coalesce((
            SELECT contract.ends_at > enter_shift.entered_at
                AND NOT EXISTS (SELECT FROM contract_endings AS ending WHERE ending.contract_id = contract.id)
            FROM agent_contracts AS contract WHERE contract.desk_id = here ORDER BY contract.id DESC LIMIT 1), true);
END
$$;
"""

# A later way there finds the lines of an earlier one: they are facts, and no way back takes them out of the chart.
CHART = """
INSERT INTO chart_lines (kind, code, title, normal_side, effective_from) VALUES
    ('safe', '50.1', 'Главная касса', 'debit', '2005-02-10'),
    ('cash_in_transit', '57', 'Денежные средства в пути', 'debit', '2005-02-10')
ON CONFLICT DO NOTHING
"""

KINDS = (
    "cash bank special_fund player pool prize_fund wins_payable jackpot withdrawal_revenue organizer claims suspense"
)
NEW_KINDS = "safe cash_in_transit"
# A house of before knows no such accounts: on a way back they become suspense accounts, and themselves again on the
# next way there. What moved on them stays where it was, so that the books of both add up.
KEPT_AS_SUSPENSE = """
ALTER TABLE accounts DISABLE TRIGGER append_only;
UPDATE accounts SET kind = 'suspense', subject = kind WHERE kind IN ('safe', 'cash_in_transit');
ALTER TABLE accounts ENABLE ALWAYS TRIGGER append_only;
"""
THEMSELVES_AGAIN = """
ALTER TABLE accounts DISABLE TRIGGER append_only;
UPDATE accounts SET kind = subject, subject = 'operator'
    WHERE kind = 'suspense' AND subject IN ('safe', 'cash_in_transit');
ALTER TABLE accounts ENABLE ALWAYS TRIGGER append_only;
"""


def upgrade() -> None:
    """Make the tables and guard them: they are facts; let the gate see a contract that ended."""
    _certificates()
    _contracts()
    _limits()
    _deliveries()
    _fiscal_papers()
    op.add_column("shifts", sa.Column("expected", sa.BigInteger(), nullable=True))
    op.add_column("shift_closings", sa.Column("reason", sa.Text(), nullable=True))
    for fact in FACTS:
        op.execute(f"SELECT guard_fact('{fact}')")
    op.execute(ENTER_SHIFT)
    _know_accounts(f"{KINDS} {NEW_KINDS}")
    op.execute(THEMSELVES_AGAIN)
    op.execute(CHART)


def downgrade() -> None:
    """Give the gate its former sight, and take the tables away; the chart keeps its lines."""
    op.execute(KEPT_AS_SUSPENSE)
    _know_accounts(KINDS)
    op.execute(import_module("migrations.versions.0009_workplaces").ENTER_SHIFT)
    op.drop_column("shift_closings", "reason")
    op.drop_column("shifts", "expected")
    for fact in reversed(FACTS):
        op.drop_table(fact)


def _know_accounts(kinds: str) -> None:
    known = ", ".join(f"'{kind}'" for kind in kinds.split())
    op.drop_constraint(op.f("ck_accounts_kind_known"), "accounts")
    op.create_check_constraint(op.f("ck_accounts_kind_known"), "accounts", f'"kind" IN ({known})')


def _certificates() -> None:
    op.create_table(
        "desk_certificates",
        *_of_a_fact("desk_certificates"),
        sa.Column("number", sa.Text(), nullable=False),
        sa.Column("desks", sa.BigInteger(), nullable=False),
        sa.Column("issued_on", sa.Date(), nullable=False),
        *_by_whom_and_when("desk_certificates", "registered"),
        sa.UniqueConstraint("number", name=op.f("uq_desk_certificates_number")),
        _check("desk_certificates", "desks_positive", "desks > 0"),
    )


def _contracts() -> None:
    op.create_table(
        "agent_contracts",
        *_of_a_fact("agent_contracts"),
        sa.Column("desk_id", sa.BigInteger(), nullable=False),
        sa.Column("agent", sa.Text(), nullable=False),
        sa.Column("number", sa.Text(), nullable=False),
        sa.Column("dated", sa.Date(), nullable=False),
        sa.Column("valid_until", sa.Date(), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
        *_by_whom_and_when("agent_contracts", "entered"),
        _key("agent_contracts", "desk_id", "desks"),
        _check("agent_contracts", "runs_for_a_day", "valid_until >= dated"),
    )
    op.create_index(op.f("ix_agent_contracts_desk_id_id"), "agent_contracts", ["desk_id", "id"])
    op.create_table(
        "contract_endings",
        *_of_a_fact("contract_endings"),
        sa.Column("contract_id", sa.BigInteger(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        *_by_whom_and_when("contract_endings", "ended"),
        _key("contract_endings", "contract_id", "agent_contracts"),
        sa.UniqueConstraint("contract_id", name=op.f("uq_contract_endings_contract_id")),
    )


def _limits() -> None:
    op.create_table(
        "cash_limits",
        *_of_a_fact("cash_limits"),
        sa.Column("desk_id", sa.BigInteger(), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("basis", sa.Text(), nullable=False),
        *_by_whom_and_when("cash_limits", "set"),
        _key("cash_limits", "desk_id", "desks"),
        _check("cash_limits", "amount_not_negative", "amount >= 0"),
    )
    op.create_index(op.f("ix_cash_limits_desk_id_id"), "cash_limits", ["desk_id", "id"])


def _deliveries() -> None:
    op.create_table(
        "cash_deliveries",
        *_of_a_fact("cash_deliveries"),
        sa.Column("direction", sa.Text(), nullable=False),
        sa.Column("place", sa.Text(), nullable=False),
        sa.Column("desk_id", sa.BigInteger(), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("transfer_id", sa.BigInteger(), nullable=False),
        *_by_whom_and_when("cash_deliveries", "sent"),
        _key("cash_deliveries", "desk_id", "desks"),
        _key("cash_deliveries", "transfer_id", "transfers"),
        sa.UniqueConstraint("transfer_id", name=op.f("uq_cash_deliveries_transfer_id")),
        sa.UniqueConstraint("id", "sent_by", name=op.f("uq_cash_deliveries_id_sent_by")),
        _check("cash_deliveries", "amount_positive", "amount > 0"),
        _check("cash_deliveries", "direction_known", "direction IN ('to_desk', 'from_desk')"),
        _check("cash_deliveries", "place_known", "place IN ('bank', 'safe')"),
    )
    op.create_index(op.f("ix_cash_deliveries_desk_id_id"), "cash_deliveries", ["desk_id", "id"])
    op.create_table(
        "cash_receptions",
        *_of_a_fact("cash_receptions"),
        sa.Column("delivery_id", sa.BigInteger(), nullable=False),
        sa.Column("sent_by", sa.BigInteger(), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("transfer_id", sa.BigInteger(), nullable=False),
        *_by_whom_and_when("cash_receptions", "received"),
        sa.ForeignKeyConstraint(
            ["delivery_id", "sent_by"],
            ["cash_deliveries.id", "cash_deliveries.sent_by"],
            name=op.f("fk_cash_receptions_delivery_id_sent_by"),
        ),
        _key("cash_receptions", "transfer_id", "transfers"),
        sa.UniqueConstraint("delivery_id", name=op.f("uq_cash_receptions_delivery_id")),
        sa.UniqueConstraint("transfer_id", name=op.f("uq_cash_receptions_transfer_id")),
        _check("cash_receptions", "amount_positive", "amount > 0"),
        _check("cash_receptions", "two_persons", "received_by <> sent_by"),
    )
    op.create_table(
        "delivery_clearings",
        *_of_a_fact("delivery_clearings"),
        sa.Column("delivery_id", sa.BigInteger(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("transfer_id", sa.BigInteger(), nullable=False),
        *_by_whom_and_when("delivery_clearings", "cleared"),
        _key("delivery_clearings", "delivery_id", "cash_deliveries"),
        _key("delivery_clearings", "transfer_id", "transfers"),
        sa.UniqueConstraint("delivery_id", name=op.f("uq_delivery_clearings_delivery_id")),
        sa.UniqueConstraint("transfer_id", name=op.f("uq_delivery_clearings_transfer_id")),
        _check("delivery_clearings", "amount_positive", "amount > 0"),
        _check("delivery_clearings", "outcome_known", "outcome IN ('returned', 'missing')"),
    )


def _fiscal_papers() -> None:
    for table, subject, of in (("payout_receipts", "payout_id", "payouts"), ("fiscal_reports", "shift_id", "shifts")):
        op.create_table(
            table,
            *_of_a_fact(table),
            sa.Column(subject, sa.BigInteger(), nullable=False),
            sa.Column("version", sa.BigInteger(), nullable=False),
            sa.Column("number", sa.Text(), nullable=False),
            sa.Column("cash_register", sa.Text(), nullable=False),
            sa.Column("reason", sa.Text(), nullable=True),
            *_by_whom_and_when(table, "entered"),
            _key(table, subject, of),
            sa.UniqueConstraint(subject, "version", name=op.f(f"uq_{table}_{subject}_version")),
            _check(table, "corrected_for_a_reason", "(version = 1) = (reason IS NULL)"),
        )
        op.create_index(op.f(f"ix_{table}_cash_register_number"), table, ["cash_register", "number"])


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


def _check(table: str, name: str, condition: str) -> sa.CheckConstraint:
    return sa.CheckConstraint(condition, name=op.f(f"ck_{table}_{name}"))
