"""What the audit asks of the pools: no bet outside its pool's count, no fund with a remainder (D-3, T-Prov 12)."""

from __future__ import annotations

from ledger.audit import Check
from tote.pools import TICKET_TRADE, TRADE

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
    Check(
        "у отменённой ставки одно решение, и её деньги взяты там, где она была",
        f"""
        SELECT 'билет ' || coalesce(cancelled.ticket_id, decided.ticket_id) AS subject,
            'отмена и её деньги расходятся' AS detail
        FROM pool_cancellations AS cancelled
        FULL JOIN (
            SELECT decision.*, run.subject_id, run.trade FROM settlements AS decision
            JOIN settlement_runs AS run ON run.id = decision.run_id
            WHERE run.cause = 'cancellation' OR decision.decision = 'cancelled'
        ) AS decided ON decided.ticket_id = cancelled.ticket_id
        LEFT JOIN tickets AS ticket ON ticket.id = cancelled.ticket_id
        WHERE decided.decision IS DISTINCT FROM 'cancelled' OR decided.subject_id IS DISTINCT FROM cancelled.ticket_id
            OR decided.trade IS DISTINCT FROM '{TICKET_TRADE}' OR decided.stake_back <> ticket.stake
            OR cancelled.from_stakes + cancelled.from_withdrawal + cancelled.from_fund
                <> CASE WHEN cancelled.stage = 'settled' THEN 0 ELSE ticket.stake END
        """,
    ),
    Check(
        "пока выплата одного билета приостановлена, он не оплачен, не зачислен и не просрочен",
        f"""
        SELECT 'билет ' || decided.ticket_id AS subject, 'окончен во время приостановки ' || held.id AS detail
        FROM payout_holds AS held
        LEFT JOIN payout_releases AS released ON released.hold_id = held.id
        JOIN settlements AS decided ON decided.ticket_id = held.subject_id
        JOIN endings AS ended ON ended.settlement_id = decided.id AND ended."end" IN ('paid', 'credited', 'expired')
        -- An ending that says all was received before moves nothing.
        WHERE held.trade = '{TICKET_TRADE}' AND ended.recorded_at > held.recorded_at AND ended.amount > 0
            AND (released.id IS NULL OR ended.recorded_at < released.recorded_at)
        """,
    ),
    Check(
        "у законченного расчёта пула есть срок выплаты, и невостребованное зачислено его концом",
        f"""
        SELECT 'расчёт ' || run.id AS subject, 'срока выплаты нет' AS detail
        FROM settlement_runs AS run
        JOIN settlement_completions AS complete ON complete.run_id = run.id
        LEFT JOIN payment_terms AS term ON term.run_id = run.id AND term.hold_id IS NULL
        WHERE run.trade = '{TRADE}' AND term.id IS NULL
        UNION ALL
        SELECT 'билет ' || decided.ticket_id, 'просрочен ' || ended.ended_at
        FROM endings AS ended
        JOIN settlements AS decided ON decided.id = ended.settlement_id
        WHERE ended."end" = 'expired' AND ended.ended_at <> decided.payable_until AND NOT EXISTS (
            SELECT FROM payment_terms AS longer
            WHERE longer.run_id = decided.run_id AND longer.payable_until = ended.ended_at
                AND (longer.ticket_id IS NULL OR longer.ticket_id = decided.ticket_id))
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
