"""A bet from a game account knows no shift: its gates are entered without looking for one (DESIGN 3.4)."""

from __future__ import annotations

from alembic import op

revision = "0025"
down_revision = "0024"

ENTER_SALE = """
CREATE OR REPLACE FUNCTION enter_sale(pool bigint, outcome text, terminal bigint, OUT entered_at timestamptz,
    OUT stop_id bigint, OUT pool_closed boolean, OUT shift_id bigint, OUT shift_open boolean,
    OUT cash_account_id bigint, OUT settings_epoch bigint)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    stops_stand boolean;
BEGIN
    PERFORM pg_advisory_xact_lock_shared(0, 0);
    PERFORM pg_advisory_xact_lock_shared(1, pool::integer);
    {shift}
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
ALWAYS = """
    SELECT shift.shift_id, shift.shift_open, shift.cash_account_id INTO shift_id, shift_open, cash_account_id
    FROM enter_shift(terminal) AS shift;
"""
# The transaction gets its number in both branches: after the locks, before anything of the gates is read.
AT_A_DESK = """
    IF terminal IS NULL THEN
        PERFORM pg_current_xact_id();
        shift_open := false;
    ELSE
        SELECT shift.shift_id, shift.shift_open, shift.cash_account_id INTO shift_id, shift_open, cash_account_id
        FROM enter_shift(terminal) AS shift;
    END IF;
"""


def upgrade() -> None:
    """Enter a shift's gate where there is a terminal."""
    op.execute(ENTER_SALE.format(shift=AT_A_DESK))


def downgrade() -> None:
    """Look for a shift at every bet."""
    op.execute(ENTER_SALE.format(shift=ALWAYS))
