"""Stops of sales, and the house's gate: what holds for every bet is asked in the placing transaction (DESIGN 3.4)."""

from __future__ import annotations

from importlib import import_module

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"

FACTS = ("sales_stops", "sales_resumptions")
SCOPES = "everywhere game sport event pool market outcome desk terminal"

# The gate of class 0 is the house's, and the first that anybody takes: a stop of sales or a change of a setting takes
# it exclusive, so that its instant divides the bets. What a bet must know of both is read here as well, behind all its
# gates: whether any stop is open (then which one it meets), and by the newest version whether the caller's book of
# settings is stale. So neither costs a bet a round trip.
GATES = """
-- Asked for a row of a larger query, such as a ticket: written out there it would be planned with each of them.
CREATE FUNCTION setting_at(setting text, instant timestamptz) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT value FROM setting_versions WHERE name = setting AND effective_from <= instant
        ORDER BY effective_from DESC, id DESC LIMIT 1);
END
$$;

CREATE FUNCTION stop_met(pool bigint, outcome text, terminal bigint, at timestamptz, OUT stop_id bigint)
LANGUAGE plpgsql STABLE AS $$
DECLARE
    switches text[];
BEGIN
    SELECT ARRAY['everywhere:', 'game:' || pools.game, 'sport:' || events.sport, 'event:' || events.code,
        'pool:' || pools.code, 'outcome:pool:' || pools.code || '/' || outcome]
    INTO switches FROM pools JOIN events ON events.id = pools.event_id WHERE pools.id = pool;
    IF terminal IS NOT NULL THEN
        SELECT switches || ARRAY['desk:' || desks.code, 'terminal:' || terminals.code]
        INTO switches FROM terminals JOIN desks ON desks.id = terminals.desk_id WHERE terminals.id = terminal;
    END IF;
    SELECT stop.id INTO stop_id
    FROM open_sales_stops AS standing JOIN sales_stops AS stop ON stop.id = standing.stop_id
    WHERE standing.switch = ANY (switches) AND stop.effective_from <= at
    ORDER BY array_position(switches, standing.switch), stop.id LIMIT 1;
END
$$;

CREATE FUNCTION enter_sale(pool bigint, outcome text, terminal bigint, OUT entered_at timestamptz, OUT stop_id bigint,
    OUT pool_closed boolean, OUT shift_id bigint, OUT shift_open boolean, OUT cash_account_id bigint,
    OUT settings_epoch bigint)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    stops_stand boolean;
BEGIN
    PERFORM pg_advisory_xact_lock_shared(0, 0);
    PERFORM pg_advisory_xact_lock_shared(1, pool::integer);
    SELECT shift.shift_id, shift.shift_open, shift.cash_account_id INTO shift_id, shift_open, cash_account_id
    FROM enter_shift(terminal) AS shift;
    SELECT EXISTS (SELECT FROM pool_closings WHERE pool_id = pool), EXISTS (SELECT FROM open_sales_stops),
        (SELECT max(id) FROM setting_versions)
    INTO pool_closed, stops_stand, settings_epoch;
    entered_at := trade_clock();
    IF stops_stand THEN
        stop_id := stop_met(pool, outcome, terminal, entered_at);
    END IF;
END
$$;
"""


def upgrade() -> None:
    """Make the facts and the projection of stops, and let sales pass the house's gate."""
    op.create_table(
        "sales_stops",
        *_of_a_fact(),
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("effective_from", sa.DateTime(timezone=True), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("stopped_by", sa.BigInteger(), nullable=False),
        sa.CheckConstraint(_one_of(SCOPES), name=op.f("ck_sales_stops_scope_known")),
        sa.CheckConstraint("(subject = '') = (scope = 'everywhere')", name=op.f("ck_sales_stops_subject_named")),
        sa.ForeignKeyConstraint(["stopped_by"], ["users.id"], name=op.f("fk_sales_stops_stopped_by")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sales_stops")),
    )
    op.create_table(
        "sales_resumptions",
        *_of_a_fact(),
        sa.Column("stop_id", sa.BigInteger(), nullable=False),
        sa.Column("resumed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("resumed_by", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["stop_id"], ["sales_stops.id"], name=op.f("fk_sales_resumptions_stop_id")),
        sa.ForeignKeyConstraint(["resumed_by"], ["users.id"], name=op.f("fk_sales_resumptions_resumed_by")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sales_resumptions")),
        sa.UniqueConstraint("stop_id", name=op.f("uq_sales_resumptions_stop_id")),
    )
    op.create_table(
        "open_sales_stops",
        sa.Column("stop_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("switch", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["stop_id"], ["sales_stops.id"], name=op.f("fk_open_sales_stops_stop_id")),
        sa.PrimaryKeyConstraint("stop_id", name=op.f("pk_open_sales_stops")),
    )
    op.create_index(op.f("ix_open_sales_stops_switch"), "open_sales_stops", ["switch"])
    for fact in FACTS:
        op.execute(f"SELECT guard_fact('{fact}')")
    op.execute("GRANT SELECT, INSERT, DELETE ON open_sales_stops TO totalizator_application")
    op.execute("DROP FUNCTION enter_sale(bigint, bigint)")
    op.execute(GATES)


def downgrade() -> None:
    """Let sales pass as before, and take the tables away."""
    op.execute("DROP FUNCTION enter_sale(bigint, text, bigint), stop_met(bigint, text, bigint, timestamptz)")
    op.execute("DROP FUNCTION setting_at(text, timestamptz)")
    op.execute(_enter_sale_of_0003())
    for table in ("open_sales_stops", *reversed(FACTS)):
        op.drop_table(table)


def _enter_sale_of_0003() -> str:
    gates: str = import_module("migrations.versions.0003_gates_and_chart").GATES
    return "CREATE FUNCTION enter_sale" + gates.partition("CREATE FUNCTION enter_sale")[2].partition("$$;")[0] + "$$;"


def _one_of(words: str) -> str:
    known = ", ".join(f"'{word}'" for word in words.split())
    return f"scope IN ({known})"


def _of_a_fact() -> tuple[sa.Column, sa.Column]:
    return (
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column(
            "recorded_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
    )
