"""What the audit asks of the pools: no bet outside its pool's count, no fund with a remainder (D-3, T-Prov 12)."""

from __future__ import annotations

from ledger.audit import Check

POOL_CHECKS = (
    Check(
        "у каждого билета тотализатора одна ставка в пуле, равная его ставке",
        """
        SELECT 'билет ' || coalesce(bet.ticket_id, ticket.id) AS subject, 'билет и ставка в пуле расходятся' AS detail
        FROM tickets AS ticket FULL JOIN pool_bets AS bet ON bet.ticket_id = ticket.id
        WHERE bet.stake IS DISTINCT FROM ticket.stake
        """,
    ),
    Check(
        "закрытие пула насчитало все его ставки",
        """
        SELECT pool.code AS subject, 'при закрытии ' || closing.bets || ' на ' || closing.stakes ||
            ', ставок ' || coalesce(sold.bets, 0) || ' на ' || coalesce(sold.stakes, 0) AS detail
        FROM pool_closings AS closing JOIN pools AS pool ON pool.id = closing.pool_id
        LEFT JOIN (
            SELECT pool_id, count(*) AS bets, sum(stake) AS stakes FROM pool_bets GROUP BY pool_id
        ) AS sold ON sold.pool_id = pool.id
        WHERE closing.bets <> coalesce(sold.bets, 0) OR closing.stakes <> coalesce(sold.stakes, 0)
            OR closing.stakes <> closing.withdrawal + closing.fund
        """,
    ),
    Check(
        "счёт ставок пула до закрытия равен ставкам, после закрытия пуст",
        """
        SELECT pool.code AS subject, 'на счёте ' || moved.balance AS detail
        FROM pools AS pool
        CROSS JOIN LATERAL (
            SELECT coalesce((SELECT sum(amount) FROM transfers WHERE credit_account_id = pool.stakes_account_id), 0)
                - coalesce((SELECT sum(amount) FROM transfers WHERE debit_account_id = pool.stakes_account_id), 0)
                AS balance
        ) AS moved
        LEFT JOIN pool_closings AS closing ON closing.pool_id = pool.id
        WHERE moved.balance <> CASE WHEN closing.id IS NOT NULL THEN 0
            ELSE coalesce((SELECT sum(stake) FROM pool_bets WHERE pool_id = pool.id), 0) END
        """,
    ),
    Check(
        "выигрышный фонд после закрытия равен фонду, после расчёта пуст",
        """
        SELECT pool.code AS subject, 'на счёте ' || moved.balance AS detail
        FROM pools AS pool
        JOIN pool_closings AS closing ON closing.pool_id = pool.id
        CROSS JOIN LATERAL (
            SELECT coalesce((SELECT sum(amount) FROM transfers WHERE credit_account_id = pool.fund_account_id), 0)
                - coalesce((SELECT sum(amount) FROM transfers WHERE debit_account_id = pool.fund_account_id), 0)
                AS balance
        ) AS moved
        WHERE moved.balance <> CASE
            WHEN EXISTS (SELECT FROM pool_divisions WHERE pool_divisions.pool_id = pool.id) THEN 0
            ELSE closing.fund END
        """,
    ),
    Check(
        "фонд и добавленное организатором равны выигрышам и джек-поту",
        """
        SELECT pool.code AS subject, 'раздел не сходится' AS detail
        FROM pool_divisions AS division
        JOIN pools AS pool ON pool.id = division.pool_id
        JOIN pool_closings AS closing ON closing.pool_id = pool.id
        WHERE division.wins + division.to_jackpot <> division.from_organizer
            + CASE WHEN division.minus_pool THEN closing.stakes ELSE closing.fund END
        """,
    ),
    Check(
        "контрольные суммы пулов равны ставкам под ними",
        """
        SELECT coalesce(kept.subject, 'пул ' || added.pool_id || ', исход ' || added.outcome) AS subject,
            'под ставкой ' || coalesce(kept.closed_below, added.closed_below) || ' учтено '
                || coalesce(kept.stakes, 0) || ', сложено ' || coalesce(added.stakes, 0) AS detail
        FROM (
            SELECT pool_id, outcome, closed_below, bets, stakes, 'пул ' || pool_id || ', исход ' || outcome AS subject,
                bets - lag(bets, 1, 0::bigint) OVER earlier AS fresh_bets,
                stakes - lag(stakes, 1, 0::bigint) OVER earlier AS fresh_stakes
            FROM pool_checkpoints WINDOW earlier AS (PARTITION BY pool_id, outcome ORDER BY closed_below)
        ) AS kept
        FULL JOIN (
            SELECT pool_id, outcome, marks.below[1 + width_bucket(id, marks.below)] AS closed_below,
                count(*) AS bets, sum(stake) AS stakes
            FROM pool_bets CROSS JOIN (
                SELECT array_agg(DISTINCT closed_below ORDER BY closed_below) AS below FROM pool_checkpoints
            ) AS marks
            WHERE id < (SELECT max(closed_below) FROM pool_checkpoints)
            GROUP BY 1, 2, 3
        ) AS added USING (pool_id, outcome, closed_below)
        WHERE kept.fresh_bets IS DISTINCT FROM added.bets OR kept.fresh_stakes IS DISTINCT FROM added.stakes
        """,
    ),
)
