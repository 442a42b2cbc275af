"""What the audit asks of players: every deposit and withdrawal has its movement, every exclusion is in force."""

from __future__ import annotations

from ledger.audit import Check

PLAYER_CHECKS = (
    Check(
        "о каждом пополнении известно, каким способом оно пришло",
        """
        SELECT 'перевод ' || coalesce(moved.id, came.transfer_id) AS subject,
            'пополнение и перевод расходятся' AS detail
        FROM (SELECT * FROM transfers WHERE kind IN ('deposit', 'bank_deposit')) AS moved
        FULL JOIN deposits AS came ON came.transfer_id = moved.id
        LEFT JOIN players AS player ON player.id = came.player_id
        WHERE came.amount IS DISTINCT FROM moved.amount OR player.account_id IS DISTINCT FROM moved.credit_account_id
            OR (came.means = 'cash_desk') <> (moved.kind = 'deposit')
        """,
    ),
    Check(
        "каждый вывод снят с игрового счёта своего игрока",
        """
        SELECT 'вывод ' || coalesce(out.id, moved.id) AS subject, 'вывод и перевод расходятся' AS detail
        FROM (SELECT * FROM transfers WHERE kind IN ('account_withdrawal', 'account_withdrawal_reserved')) AS moved
        FULL JOIN account_withdrawals AS out ON out.transfer_id = moved.id
        LEFT JOIN players AS player ON player.id = out.player_id
        WHERE out.amount IS DISTINCT FROM moved.amount OR player.account_id IS DISTINCT FROM moved.debit_account_id
            OR (out.means = 'cash_desk') <> (moved.kind = 'account_withdrawal')
        """,
    ),
    Check(
        "деньги в пути равны переводам, которые ждут решения",
        """
        SELECT account.subject, 'на счёте ' || held.balance || ', ждут ' || waiting.amount AS detail
        FROM accounts AS account
        CROSS JOIN LATERAL (
            SELECT coalesce((SELECT sum(amount) FROM transfers WHERE credit_account_id = account.id), 0)
                - coalesce((SELECT sum(amount) FROM transfers WHERE debit_account_id = account.id), 0) AS balance
        ) AS held
        CROSS JOIN (
            SELECT coalesce(sum(out.amount), 0) AS amount FROM account_withdrawals AS out
            LEFT JOIN withdrawal_endings AS ended ON ended.withdrawal_id = out.id
            WHERE out.means = 'bank_transfer' AND ended.id IS NULL
        ) AS waiting
        WHERE account.kind = 'under_way' AND held.balance <> waiting.amount
        """,
    ),
    Check(
        "самоограничение лица действует на его регистрацию",
        """
        SELECT 'игрок ' || player.id AS subject,
            'по фактам до ' || coalesce(CAST(asked.ends_at AS text), 'нет') AS detail
        FROM players AS player
        LEFT JOIN LATERAL (
            SELECT max(ends_at) AS ends_at FROM self_exclusions WHERE person_id = player.person_id
        ) AS asked ON true
        WHERE player.person_id IS NOT NULL AND asked.ends_at IS DISTINCT FROM player.excluded_until
        """,
    ),
    Check(
        "прекращённая регистрация закрыта",
        """
        SELECT 'игрок ' || player.id AS subject, 'прекращена, но не закрыта' AS detail
        FROM registration_endings AS ending JOIN players AS player ON player.id = ending.player_id
        WHERE player.blocked_at IS NULL
        """,
    ),
)
