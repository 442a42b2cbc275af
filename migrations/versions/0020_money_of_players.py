"""Money of players: means of deposits, withdrawals, ends of registrations, persons who excluded themselves."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"

FACTS = (
    "registration_endings",
    "self_exclusions",
    "deposits",
    "bank_details",
    "account_withdrawals",
    "withdrawal_endings",
)
KINDS = "ck_accounts_kind_known"
KINDS_KNOWN = sa.text("SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = :name")
# A later way there finds the line of an earlier one: it is a fact, and no way back takes it out of the chart.
CHART_LINE = """
    INSERT INTO chart_lines (kind, code, title, normal_side, effective_from)
    VALUES ('under_way', '76.8', 'Переводы игрокам в пути', 'credit', '2005-02-10')
    ON CONFLICT DO NOTHING
"""
# Whatever was put onto game accounts so far came as cash at a desk.
EARLIER_DEPOSITS = """
    INSERT INTO deposits (player_id, means, amount, transfer_id, entered_by, deposited_at)
    SELECT player.id, 'cash_desk', moved.amount, moved.id, shift.opened_by, moved.occurred_at
    FROM transfers AS moved
    JOIN players AS player ON player.account_id = moved.credit_account_id
    LEFT JOIN shifts AS shift ON shift.id = moved.shift_id
    WHERE moved.kind = 'deposit' ORDER BY moved.id
"""


def upgrade() -> None:
    """Make the tables, say how earlier deposits came, and let the journal of payouts hold payouts from accounts."""
    op.add_column("players", sa.Column("excluded_until", sa.DateTime(timezone=True), nullable=True))
    op.execute("GRANT UPDATE (excluded_until) ON players TO totalizator_application")
    _know_kind("under_way")
    op.execute(CHART_LINE)
    _registration_endings()
    _self_exclusions()
    _deposits()
    _bank_details()
    _account_withdrawals()
    _withdrawal_endings()
    for fact in FACTS:
        op.execute(f"SELECT guard_fact('{fact}')")
    op.execute(EARLIER_DEPOSITS)
    _let_payouts_be_from_accounts()


def downgrade() -> None:
    """Take it back but the chart's line; where a game account was paid from, the narrower journal refuses that."""
    op.drop_constraint(op.f("ck_payouts_of_one_thing"), "payouts")
    op.drop_constraint(op.f("ck_payouts_tickets_have_codes"), "payouts")
    op.drop_constraint(op.f("ck_payouts_code_entry_known"), "payouts")
    op.drop_column("payouts", "withdrawal_id")
    _check("payouts", "code_entry_known", "code_entry IN ('scanned', 'typed', 'unrecorded')")
    op.alter_column("payouts", "settlement_id", nullable=False)
    for fact in reversed(FACTS):
        op.drop_table(fact)
    _forget_kind("under_way")
    op.drop_column("players", "excluded_until")


def _know_kind(kind: str) -> None:
    """Let accounts be of one kind more than they may be so far."""
    known = _kinds_known()
    op.drop_constraint(op.f(KINDS), "accounts")
    op.execute(f"ALTER TABLE accounts ADD CONSTRAINT {KINDS} {known[:-1]} OR kind = '{kind}')")


def _forget_kind(kind: str) -> None:
    known = _kinds_known().replace(f" OR (kind = '{kind}'::text)", "")
    op.drop_constraint(op.f(KINDS), "accounts")
    op.execute(f"ALTER TABLE accounts ADD CONSTRAINT {KINDS} {known}")


def _kinds_known() -> str:
    return str(op.get_bind().execute(KINDS_KNOWN, {"name": KINDS}).scalar_one())


def _registration_endings() -> None:
    op.create_table(
        "registration_endings",
        *_of_a_fact(),
        sa.Column("player_id", sa.BigInteger(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("ended_by", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=False),
        *_refer("registration_endings", player_id="players", ended_by="users"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_registration_endings")),
        sa.UniqueConstraint("player_id", name=op.f("uq_registration_endings_player_id")),
    )


def _self_exclusions() -> None:
    op.create_table(
        "self_exclusions",
        *_of_a_fact(),
        sa.Column("person_id", sa.BigInteger(), nullable=False),
        sa.Column("person_version_id", sa.BigInteger(), nullable=False),
        sa.Column("player_id", sa.BigInteger(), nullable=True),
        sa.Column("taken_by", sa.BigInteger(), nullable=True),
        sa.Column("terminal_id", sa.BigInteger(), nullable=True),
        sa.Column("begins_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("begins_at < ends_at", name=op.f("ck_self_exclusions_ends_later")),
        sa.CheckConstraint(
            "(player_id IS NULL) <> (taken_by IS NULL)", name=op.f("ck_self_exclusions_online_or_at_a_desk")
        ),
        *_refer(
            "self_exclusions",
            person_id="persons",
            person_version_id="person_versions",
            player_id="players",
            taken_by="users",
            terminal_id="terminals",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_self_exclusions")),
    )
    _index("self_exclusions", "person_id", "id")
    _index("self_exclusions", "person_version_id")


def _deposits() -> None:
    op.create_table(
        "deposits",
        *_of_a_fact(),
        sa.Column("player_id", sa.BigInteger(), nullable=False),
        sa.Column("means", sa.Text(), nullable=False),
        sa.Column("provider", sa.Text(), nullable=True),
        sa.Column("payment_id", sa.Text(), nullable=True),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("transfer_id", sa.BigInteger(), nullable=False),
        sa.Column("entered_by", sa.BigInteger(), nullable=True),
        sa.Column("deposited_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("amount > 0", name=op.f("ck_deposits_amount_positive")),
        sa.CheckConstraint(
            "means IN ('cash_desk', 'bank_transfer', 'payment_system', 'card')", name=op.f("ck_deposits_means_known")
        ),
        sa.CheckConstraint("(means = 'cash_desk') = (provider IS NULL)", name=op.f("ck_deposits_cash_has_no_provider")),
        sa.CheckConstraint("(provider IS NULL) = (payment_id IS NULL)", name=op.f("ck_deposits_provider_numbers_it")),
        *_refer("deposits", player_id="players", transfer_id="transfers", entered_by="users"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_deposits")),
        sa.UniqueConstraint("provider", "payment_id", name=op.f("uq_deposits_provider_payment_id")),
        sa.UniqueConstraint("transfer_id", name=op.f("uq_deposits_transfer_id")),
    )
    _index("deposits", "player_id", "id")


def _bank_details() -> None:
    op.create_table(
        "bank_details",
        *_of_a_fact(),
        sa.Column("player_id", sa.BigInteger(), nullable=False),
        sa.Column("person_version_id", sa.BigInteger(), nullable=False),
        sa.Column("told_by_player", sa.BigInteger(), nullable=True),
        sa.Column("told_by", sa.BigInteger(), nullable=True),
        sa.Column("told_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "(player_id = told_by_player) OR told_by_player IS NULL", name=op.f("ck_bank_details_own_account_only")
        ),
        sa.CheckConstraint(
            "(told_by_player IS NULL) <> (told_by IS NULL)", name=op.f("ck_bank_details_told_by_somebody")
        ),
        *_refer(
            "bank_details",
            player_id="players",
            person_version_id="person_versions",
            told_by_player="players",
            told_by="users",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bank_details")),
    )
    _index("bank_details", "player_id", "id")
    _index("bank_details", "person_version_id")


def _account_withdrawals() -> None:
    op.create_table(
        "account_withdrawals",
        *_of_a_fact(),
        sa.Column("player_id", sa.BigInteger(), nullable=False),
        sa.Column("means", sa.Text(), nullable=False),
        sa.Column("usual_means", sa.Text(), nullable=False),
        sa.Column("cause", sa.Text(), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("person_version_id", sa.BigInteger(), nullable=False),
        sa.Column("bank_details_id", sa.BigInteger(), nullable=True),
        sa.Column("transfer_id", sa.BigInteger(), nullable=False),
        sa.Column("withdrawn_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("amount > 0", name=op.f("ck_account_withdrawals_amount_positive")),
        sa.CheckConstraint("means IN ('cash_desk', 'bank_transfer')", name=op.f("ck_account_withdrawals_means_known")),
        sa.CheckConstraint(
            "usual_means IN ('cash_desk', 'bank_transfer', 'payment_system', 'card')",
            name=op.f("ck_account_withdrawals_usual_means_known"),
        ),
        sa.CheckConstraint("cause IN ('asked', 'registration_ended')", name=op.f("ck_account_withdrawals_cause_known")),
        sa.CheckConstraint(
            "(means = 'bank_transfer') = (bank_details_id IS NOT NULL)",
            name=op.f("ck_account_withdrawals_transfers_have_an_account"),
        ),
        *_refer(
            "account_withdrawals",
            player_id="players",
            person_version_id="person_versions",
            bank_details_id="bank_details",
            transfer_id="transfers",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_account_withdrawals")),
        sa.UniqueConstraint("transfer_id", name=op.f("uq_account_withdrawals_transfer_id")),
    )
    _index("account_withdrawals", "player_id", "id")
    _index("account_withdrawals", "person_version_id")
    _index("account_withdrawals", "bank_details_id")


def _withdrawal_endings() -> None:
    op.create_table(
        "withdrawal_endings",
        *_of_a_fact(),
        sa.Column("withdrawal_id", sa.BigInteger(), nullable=False),
        sa.Column("end", sa.Text(), nullable=False),
        sa.Column("payment_order", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("transfer_id", sa.BigInteger(), nullable=False),
        sa.Column("decided_by", sa.BigInteger(), nullable=False),
        sa.Column("decided_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("\"end\" IN ('sent', 'returned')", name=op.f("ck_withdrawal_endings_end_known")),
        sa.CheckConstraint(
            "(\"end\" = 'sent') = (payment_order IS NOT NULL)", name=op.f("ck_withdrawal_endings_sent_by_an_order")
        ),
        sa.CheckConstraint(
            "(\"end\" = 'returned') = (reason IS NOT NULL)", name=op.f("ck_withdrawal_endings_returned_for_a_reason")
        ),
        *_refer(
            "withdrawal_endings",
            withdrawal_id="account_withdrawals",
            transfer_id="transfers",
            decided_by="users",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_withdrawal_endings")),
        sa.UniqueConstraint("withdrawal_id", name=op.f("uq_withdrawal_endings_withdrawal_id")),
        sa.UniqueConstraint("transfer_id", name=op.f("uq_withdrawal_endings_transfer_id")),
    )


def _let_payouts_be_from_accounts() -> None:
    """A line is for one settlement or one withdrawal; what is paid from an account has no code that came any way."""
    op.alter_column("payouts", "settlement_id", nullable=True)
    op.add_column("payouts", sa.Column("withdrawal_id", sa.BigInteger(), nullable=True))
    op.create_unique_constraint(op.f("uq_payouts_withdrawal_id"), "payouts", ["withdrawal_id"])
    op.create_foreign_key(op.f("fk_payouts_withdrawal_id"), "payouts", "account_withdrawals", ["withdrawal_id"], ["id"])
    op.drop_constraint(op.f("ck_payouts_code_entry_known"), "payouts")
    _check("payouts", "code_entry_known", "code_entry IN ('scanned', 'typed', 'unrecorded', 'no_code')")
    _check("payouts", "of_one_thing", "(settlement_id IS NULL) <> (withdrawal_id IS NULL)")
    _check("payouts", "tickets_have_codes", "(withdrawal_id IS NOT NULL) = (code_entry = 'no_code')")


def _refer(table: str, **columns: str) -> list[sa.ForeignKeyConstraint]:
    return [
        sa.ForeignKeyConstraint([column], [f"{to}.id"], name=op.f(f"fk_{table}_{column}"))
        for column, to in columns.items()
    ]


def _index(table: str, *columns: str) -> None:
    op.create_index(op.f(f"ix_{table}_{'_'.join(columns)}"), table, columns)


def _check(table: str, name: str, condition: str) -> None:
    op.create_check_constraint(op.f(f"ck_{table}_{name}"), table, condition)


def _of_a_fact() -> tuple[sa.Column, sa.Column]:
    return (
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column(
            "recorded_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
    )
