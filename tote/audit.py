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
            SELECT pool_id, count(*) AS bets, sum(stake) AS stakes FROM pool_bets AS bet
            -- What was cancelled while the pool was selling was counted no more (D-18).
            WHERE NOT EXISTS (
                SELECT FROM pool_cancellations AS gone WHERE gone.ticket_id = bet.ticket_id AND gone.stage = 'selling')
            GROUP BY pool_id
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
            ELSE coalesce((SELECT sum(stake) FROM pool_bets WHERE pool_id = pool.id), 0)
                - coalesce((SELECT sum(from_stakes) FROM pool_cancellations WHERE pool_id = pool.id), 0) END
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
            ELSE closing.fund
                - coalesce((SELECT sum(from_fund) FROM pool_cancellations WHERE pool_id = pool.id), 0) END
        """,
    ),
    Check(
        "фонд и добавленное организатором равны выигрышам и джек-поту",
        """
        SELECT pool.code AS subject, 'раздел не сходится' AS detail
        FROM pool_divisions AS division
        JOIN pools AS pool ON pool.id = division.pool_id
        JOIN pool_closings AS closing ON closing.pool_id = pool.id
        CROSS JOIN LATERAL (
            SELECT coalesce(sum(from_fund), 0) AS fund, coalesce(sum(from_fund + from_withdrawal), 0) AS stakes
            FROM pool_cancellations WHERE pool_id = pool.id
        ) AS gone
        WHERE division.wins + division.to_jackpot <> division.from_organizer + CASE
            WHEN division.minus_pool OR division.returned THEN closing.stakes - gone.stakes
            ELSE closing.fund - gone.fund END
        """,
    ),
    Check(
        "из проводок всех расчётов пула стоят проводки последнего раздела",
        """
        SELECT pool.code AS subject, 'стоящие проводки и раздел расходятся' AS detail
        FROM pools AS pool
        JOIN pool_closings AS closing ON closing.pool_id = pool.id
        JOIN LATERAL (
            SELECT division.* FROM pool_divisions AS division
            JOIN settlement_runs AS run ON run.id = division.run_id
            WHERE division.pool_id = pool.id ORDER BY run.version DESC LIMIT 1
        ) AS last ON true
        CROSS JOIN LATERAL (
            SELECT coalesce(sum(from_withdrawal), 0) AS withdrawal FROM pool_cancellations WHERE pool_id = pool.id
        ) AS gone
        CROSS JOIN LATERAL (
            SELECT coalesce(sum(amount) FILTER (WHERE kind = 'wins'), 0) AS wins,
                coalesce(sum(amount) FILTER (WHERE kind = 'to_jackpot'), 0) AS to_jackpot,
                coalesce(sum(amount) FILTER (WHERE kind = 'from_organizer'), 0) AS from_organizer,
                coalesce(sum(amount) FILTER (WHERE kind = 'withdrawal_returned'), 0) AS withdrawal,
                coalesce(sum(amount) FILTER (WHERE kind = 'jackpot_shortfall'), 0) AS shortfall,
                coalesce(sum(amount) FILTER (WHERE kind = 'jackpot_made_good'), 0) AS made_good
            FROM transfers AS moved
            WHERE (moved.debit_account_id = pool.fund_account_id OR moved.credit_account_id = pool.fund_account_id)
                AND NOT EXISTS (SELECT FROM transfers AS undone WHERE undone.reverses_id = moved.id)
        ) AS booked
        WHERE (booked.wins, booked.to_jackpot, booked.from_organizer, booked.shortfall, booked.made_good)
                <> (last.wins, last.to_jackpot, last.from_organizer, last.jackpot_shortfall, last.jackpot_shortfall)
            OR booked.withdrawal <> CASE
                WHEN last.minus_pool OR last.returned THEN closing.withdrawal - gone.withdrawal ELSE 0 END
        """,
    ),
)
