"""What the audit asks of pools of positions: tickets are what their marks come to, divisions have their levels."""

from __future__ import annotations

from ledger.audit import Check

POSITION_CHECKS = (
    Check(
        "в билете столько ставок, сколько можно составить из его отметок, и отмечено объявленное",
        """
        SELECT 'билет ' || bet.ticket_id AS subject, 'ставок ' || bet.rows || ', по отметкам иначе' AS detail
        FROM pool_bets AS bet JOIN pools AS pool ON pool.id = bet.pool_id
        LEFT JOIN LATERAL (
            -- A product, as there is none to add up: of at most two million, so that rounding finds it exactly.
            SELECT round(exp(sum(ln(jsonb_array_length(marked))))) AS rows, count(*) AS positions,
                bool_and(
                    pool.positions -> CAST(place - 1 AS integer) -> 'outcomes' @> codes.announced
                    AND jsonb_array_length(marked) = codes.different) AS announced
            FROM jsonb_array_elements(bet.marks) WITH ORDINALITY AS each (marked, place)
            CROSS JOIN LATERAL (
                SELECT jsonb_agg(jsonb_build_object('code', code)) AS announced, count(DISTINCT code) AS different
                FROM jsonb_array_elements(marked) AS told (code)
            ) AS codes
        ) AS cover ON bet.marks IS NOT NULL
        LEFT JOIN (
            SELECT ticket_id, sum(rows) AS rows, sum(octet_length(places)) AS marks
            FROM uploaded_rows GROUP BY ticket_id
        ) AS told ON told.ticket_id = bet.ticket_id
        WHERE CASE
            WHEN pool.positions IS NULL THEN bet.rows <> 1 OR bet.marks IS NOT NULL OR told.rows IS NOT NULL
            WHEN bet.marks IS NULL THEN told.rows IS DISTINCT FROM bet.rows
                OR told.marks <> bet.rows * jsonb_array_length(pool.positions)
            ELSE told.rows IS NOT NULL OR cover.announced IS NOT TRUE OR cover.rows <> bet.rows
                OR cover.positions <> jsonb_array_length(pool.positions) END
        """,
    ),
    Check(
        "уровни раздела — объявленные, и вместе дают его выигравшие ставки и фонд",
        """
        SELECT pool.code AS subject, 'расчёт ' || division.run_id || ' и его уровни расходятся' AS detail
        FROM pool_divisions AS division
        JOIN pools AS pool ON pool.id = division.pool_id
        JOIN pool_closings AS closing ON closing.pool_id = pool.id
        CROSS JOIN LATERAL (
            SELECT count(*) AS lines, coalesce(sum(winning_bets), 0) AS bets, coalesce(sum(winning_stake), 0) AS stakes,
                coalesce(sum(fund_numerator / fund_denominator), 0) AS fund
            FROM pool_level_divisions AS level WHERE level.run_id = division.run_id
        ) AS told
        CROSS JOIN LATERAL (
            SELECT coalesce(sum(from_fund), 0) AS fund FROM pool_cancellations WHERE pool_id = pool.id
        ) AS gone
        WHERE told.lines <> coalesce(jsonb_array_length(pool.levels), 0)
            OR pool.levels IS NOT NULL AND (
                told.bets <> division.winning_bets OR told.stakes <> division.winning_stake
                -- Exact fractions, each written out to many places: together they are a whole number.
                OR round(told.fund, 6) <> CASE WHEN division.minus_pool OR division.returned THEN 0
                    ELSE closing.fund - gone.fund END)
        """,
    ),
)
