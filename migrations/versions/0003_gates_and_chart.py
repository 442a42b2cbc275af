"""Gates of placing (DESIGN 3.4), and the first map of accounts (RULES 7)."""

from __future__ import annotations

from alembic import op

revision = "0003"
down_revision = "0002"

# A gate is an advisory lock (class, id): 1 pool, 2 shift, always taken in this order (3 the settling of a pool and 4 a
# place of money are only ever taken exclusive, behind these). Whoever sells takes it shared;
# whoever closes takes it exclusive, and so waits for the sales under way and stops those behind. The function locks
# first, then takes its transaction id, and only then, in statements with snapshots of their own, reads the rows and
# the clock: lock and read in one statement would see an "open" from before the lock.
GATES = """
CREATE FUNCTION enter_shift(terminal bigint, OUT entered_at timestamptz,
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

CREATE FUNCTION enter_sale(pool bigint, terminal bigint, OUT entered_at timestamptz, OUT pool_closed boolean,
    OUT shift_id bigint, OUT shift_open boolean, OUT cash_account_id bigint)
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM pg_advisory_xact_lock_shared(1, pool::integer);
    SELECT shift.shift_id, shift.shift_open, shift.cash_account_id INTO shift_id, shift_open, cash_account_id
    FROM enter_shift(terminal) AS shift;
    pool_closed := EXISTS (SELECT FROM pool_closings WHERE pool_id = pool);
    entered_at := trade_clock();
END
$$;

CREATE FUNCTION shut_gate(class integer, id bigint) RETURNS timestamptz
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(class, id::integer);
    PERFORM pg_current_xact_id();
    RETURN trade_clock();
END
$$;
"""

CHART = """
INSERT INTO chart_lines (kind, code, title, normal_side, effective_from) VALUES
    ('cash', '50', 'Касса', 'debit', '2005-02-10'),
    ('bank', '51', 'Расчётный счёт', 'debit', '2005-02-10'),
    ('special_fund', '55', 'Специальный счёт выигрышного фонда', 'debit', '2005-02-10'),
    ('player', '76.1', 'Игровые счета игроков', 'credit', '2005-02-10'),
    ('pool', '76.2', 'Ставки в пулах', 'credit', '2005-02-10'),
    ('prize_fund', '76.3', 'Выигрышный фонд пулов', 'credit', '2005-02-10'),
    ('wins_payable', '76.4', 'Выигрыши к выплате', 'credit', '2005-02-10'),
    ('jackpot', '76.5', 'Джек-пот', 'credit', '2005-02-10'),
    ('claims', '76.6', 'Требования организатора', 'debit', '2005-02-10'),
    ('suspense', '76.7', 'Невыясненные суммы', 'credit', '2005-02-10'),
    ('withdrawal_revenue', '46', 'Изъятие (выручка)', 'credit', '2005-02-10'),
    ('organizer', '99', 'Собственные средства организатора', 'credit', '2005-02-10')
"""


def upgrade() -> None:
    """Make the gates and write the first lines of the chart."""
    op.execute(GATES)
    op.execute(CHART)


def downgrade() -> None:
    """Take the gates away; the chart goes with its table."""
    op.execute("DROP FUNCTION enter_sale(bigint, bigint), enter_shift(bigint), shut_gate(integer, bigint)")
