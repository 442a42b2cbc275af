"""The audit of the ledger: every projection equals its facts, every movement is explained (DESIGN 3.2-3.5).

Each check is one query that gives the rows which are wrong, and none when all is well. The checks are run together in
one snapshot, while the house works.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import text
from sqlalchemy.orm import Session


@dataclass(frozen=True)
class Check:
    """One promise, and the query of what breaks it: columns ``subject`` and ``detail``."""

    promise: str
    broken: str


@dataclass(frozen=True)
class Breach:
    """A promise that is broken, by what and how."""

    promise: str
    subject: str
    detail: str


LEDGER_CHECKS = (
    Check(
        "переводы в сумме дают ноль по каждой валюте",
        """
        SELECT currency AS subject, 'разница ' || sum(amount) AS detail FROM (
            SELECT account.currency, transfer.amount FROM transfers AS transfer
                JOIN accounts AS account ON account.id = transfer.debit_account_id
            UNION ALL
            SELECT account.currency, -transfer.amount FROM transfers AS transfer
                JOIN accounts AS account ON account.id = transfer.credit_account_id
        ) AS sides GROUP BY currency HAVING sum(amount) <> 0
        """,
    ),
    Check(
        "остаток игрового счёта равен его переводам",
        """
        SELECT account.subject, 'на счёте ' || coalesce(held.balance, 0) || ', по переводам ' || moved.balance AS detail
        FROM accounts AS account
        LEFT JOIN balances AS held ON held.account_id = account.id
        CROSS JOIN LATERAL (
            SELECT coalesce((SELECT sum(amount) FROM transfers WHERE credit_account_id = account.id), 0)
                - coalesce((SELECT sum(amount) FROM transfers WHERE debit_account_id = account.id), 0) AS balance
        ) AS moved
        WHERE account.kind = 'player' AND moved.balance IS DISTINCT FROM held.balance
        """,
    ),
    Check(
        "у каждого билета ровно одна оплата, равная ставке",
        """
        SELECT 'билет ' || ticket.id AS subject, 'ставка ' || ticket.stake || ', оплачено ' ||
            coalesce(paid.amount, 0) || ' за ' || coalesce(paid.times, 0) || ' раз' AS detail
        FROM tickets AS ticket
        LEFT JOIN (
            SELECT ticket_id, sum(amount) AS amount, count(*) AS times FROM transfers WHERE kind = 'stake' GROUP BY 1
        ) AS paid ON paid.ticket_id = ticket.id
        WHERE paid.amount IS DISTINCT FROM ticket.stake OR paid.times <> 1
        """,
    ),
    Check(
        "у каждого перевода за ставку есть билет",
        """
        SELECT 'перевод ' || id AS subject, 'ставка без билета' AS detail FROM transfers
        WHERE kind = 'stake' AND ticket_id IS NULL
        """,
    ),
    Check(
        "выданное по расчёту равно его сумме",
        """
        SELECT 'расчёт ' || decided.id AS subject, 'причитается ' ||
            greatest(decided.win + decided.stake_back - decided.received, 0) ||
            ', выдано ' || coalesce(moved.amount, 0) AS detail
        FROM settlements AS decided
        LEFT JOIN endings AS ended ON ended.settlement_id = decided.id
        LEFT JOIN settlements AS next ON next.reverses_id = decided.id
        LEFT JOIN (
            SELECT settlement_id, kind, sum(amount) AS amount FROM transfers
            WHERE settlement_id IS NOT NULL AND kind IN ('payout', 'win_credited', 'win_expired') GROUP BY 1, 2
        ) AS moved ON moved.settlement_id = decided.id
        WHERE coalesce(moved.amount, 0) <> coalesce(ended.amount, 0)
            OR moved.kind <> CASE ended."end" WHEN 'paid' THEN 'payout' WHEN 'credited' THEN 'win_credited'
                WHEN 'expired' THEN 'win_expired' ELSE '' END
            OR ended.amount <> CASE ended."end" WHEN 'reversed' THEN 0
                -- Of a minus pool's ticket only the tenth lapses; the next version owes the stake (D-21).
                WHEN 'expired' THEN greatest(decided.win + decided.stake_back - decided.received, 0)
                    - CASE WHEN next.run_id = decided.run_id THEN next.win + next.stake_back - next.received ELSE 0 END
                ELSE greatest(decided.win + decided.stake_back - decided.received, 0) END
        """,
    ),
    Check(
        "у каждой выплаты наличными одна строка журнала",
        """
        SELECT 'расчёт ' || coalesce(ended.settlement_id, line.settlement_id) AS subject,
            'выплата и журнал расходятся' AS detail
        FROM (SELECT * FROM endings WHERE "end" = 'paid' AND amount > 0) AS ended
        FULL JOIN (SELECT * FROM payouts WHERE settlement_id IS NOT NULL) AS line
            ON line.settlement_id = ended.settlement_id
        WHERE line.amount IS DISTINCT FROM ended.amount
        """,
    ),
    Check(
        "номера без пропусков",
        """
        SELECT series AS subject, 'номеров ' || numbers || ', последний ' || last AS detail FROM (
            SELECT 'payouts' AS series, count(*) AS numbers, coalesce(max(number), 0) AS last FROM payouts
            UNION ALL SELECT 'protocols', count(*), coalesce(max(number), 0) FROM protocols
        ) AS given WHERE numbers <> last
        """,
    ),
    Check(
        "состояние билета равно его фактам",
        """
        SELECT 'билет ' || ticket.id AS subject, 'состояние ' || coalesce(state.status, 'нет') ||
            ', по фактам ' || coalesce(ended."end", decided.decision, 'accepted') AS detail
        FROM tickets AS ticket
        LEFT JOIN ticket_states AS state ON state.ticket_id = ticket.id
        LEFT JOIN LATERAL (
            SELECT decision.* FROM settlements AS decision
            JOIN settlement_completions AS complete ON complete.run_id = decision.run_id
            WHERE decision.ticket_id = ticket.id ORDER BY decision.version DESC LIMIT 1
        ) AS decided ON true
        LEFT JOIN endings AS ended ON ended.settlement_id = decided.id
        WHERE state.status IS DISTINCT FROM coalesce(ended."end", decided.decision, 'accepted')
            -- A run that is still being credited shows its tickets one chunk after the other.
            AND (decided.id IS NULL OR EXISTS (
                SELECT FROM settlement_creditings AS credited WHERE credited.run_id = decided.run_id))
        """,
    ),
    Check(
        "законченный расчёт зачислен на счета",
        """
        SELECT 'расчёт пула или события ' || run.subject_id AS subject, 'окончен ' || complete.recorded_at ||
            ', до последнего билета не зачислен' AS detail
        FROM settlement_completions AS complete
        JOIN settlement_runs AS run ON run.id = complete.run_id
        LEFT JOIN settlement_creditings AS credited ON credited.run_id = complete.run_id
        WHERE credited.id IS NULL AND complete.recorded_at < clock_timestamp() - interval '10 minutes'
            -- What a corrected protocol has replaced is credited by the run that came in its place (D-14).
            AND NOT EXISTS (
                SELECT FROM settlement_runs AS later
                JOIN settlement_completions AS ready ON ready.run_id = later.id
                WHERE later.trade = run.trade AND later.subject_id = run.subject_id AND later.version > run.version)
            -- While its payouts are held a run waits, and when they are released the sweep needs its time.
            AND NOT EXISTS (
                SELECT FROM payout_holds AS held LEFT JOIN payout_releases AS released ON released.hold_id = held.id
                WHERE held.trade = run.trade AND held.subject_id = run.subject_id
                    AND (released.id IS NULL OR released.recorded_at > clock_timestamp() - interval '10 minutes'))
        """,
    ),
    Check(
        "игровой счёт принадлежит своему игроку",
        """
        SELECT 'игрок ' || player.id AS subject, 'записан счёт ' || account.kind || ' ' || account.subject AS detail
        FROM players AS player JOIN accounts AS account ON account.id = player.account_id
        WHERE account.kind <> 'player' OR account.subject <> 'player:' || player.id
        """,
    ),
    Check(
        "выигрыши к выплате равны неоконченным расчётам",
        """
        SELECT account.subject, 'на счёте ' || owed.balance || ', по расчётам ' || decided.due AS detail
        FROM accounts AS account
        CROSS JOIN LATERAL (
            SELECT coalesce((SELECT sum(amount) FROM transfers WHERE credit_account_id = account.id), 0)
                - coalesce((SELECT sum(amount) FROM transfers WHERE debit_account_id = account.id), 0) AS balance
        ) AS owed
        CROSS JOIN LATERAL (
            SELECT coalesce(sum(CASE
                -- What was paid too much and neither taken back nor claimed yet is missing here until it is (D-14).
                WHEN valid.received > valid.due THEN valid.due - valid.received + valid.recovered
                ELSE valid.due - valid.received - valid.ended END), 0) AS due
            FROM (
                SELECT DISTINCT ON (decision.ticket_id) decision.win + decision.stake_back AS due, decision.received,
                    (SELECT coalesce(sum(amount), 0) FROM endings WHERE endings.settlement_id = decision.id) AS ended,
                    (SELECT coalesce(sum(amount), 0) FROM transfers WHERE transfers.settlement_id = decision.id
                        AND kind IN ('win_taken_back', 'win_claimed', 'overpaid')) AS recovered
                FROM settlements AS decision
                JOIN settlement_runs AS run ON run.id = decision.run_id
                JOIN settlement_completions AS complete ON complete.run_id = run.id
                WHERE run.payable_account_id = account.id
                ORDER BY decision.ticket_id, decision.version DESC
            ) AS valid
        ) AS decided
        WHERE account.kind = 'wins_payable' AND owed.balance <> decided.due
        """,
    ),
    Check(
        "у заменённого решения есть окончание",
        """
        SELECT 'расчёт ' || replaced.id AS subject, 'заменён расчётом ' || next.id || ', но не окончен' AS detail
        FROM settlements AS replaced
        JOIN settlements AS next ON next.reverses_id = replaced.id
        JOIN settlement_creditings AS credited ON credited.run_id = next.run_id
        LEFT JOIN endings AS ended ON ended.settlement_id = replaced.id
        WHERE ended.id IS NULL AND replaced.win + replaced.stake_back > replaced.received
        """,
    ),
    Check(
        "пока выплаты приостановлены, ничего не выплачено и не зачислено",
        """
        SELECT 'расчёт ' || ended.settlement_id AS subject, 'окончен во время приостановки ' || held.id AS detail
        FROM payout_holds AS held
        LEFT JOIN payout_releases AS released ON released.hold_id = held.id
        JOIN settlement_runs AS run ON run.trade = held.trade AND run.subject_id = held.subject_id
        JOIN settlements AS decided ON decided.run_id = run.id
        JOIN endings AS ended ON ended.settlement_id = decided.id AND ended."end" IN ('paid', 'credited')
        -- By when the rows were written: an ending's own instant is the shift's, taken before the hold's gate.
        WHERE ended.recorded_at > held.recorded_at
            AND (released.id IS NULL OR ended.recorded_at < released.recorded_at)
        """,
    ),
    Check(
        "пока рассчитывается заново, ничего не выплачено и не зачислено",
        """
        SELECT 'расчёт ' || ended.settlement_id AS subject, 'окончен, пока рассчитывалась версия ' || run.version
            AS detail
        FROM settlement_runs AS run
        LEFT JOIN settlement_completions AS complete ON complete.run_id = run.id
        JOIN settlement_runs AS other ON other.trade = run.trade AND other.subject_id = run.subject_id
        JOIN settlements AS decided ON decided.run_id = other.id
        JOIN endings AS ended ON ended.settlement_id = decided.id
        WHERE run.version > 1 AND ended.recorded_at > run.recorded_at
            AND (complete.id IS NULL OR ended.recorded_at < complete.recorded_at)
        """,
    ),
    Check(
        "полученное по прежним решениям равно выплаченному и не возвращённому",
        """
        SELECT 'расчёт ' || decided.id AS subject, 'записано ' || decided.received || ', по фактам ' || had.amount
            AS detail
        FROM settlements AS decided
        CROSS JOIN LATERAL (
            SELECT CASE WHEN decided.version = 1 THEN 0 ELSE
                coalesce((
                    SELECT sum(ended.amount) FROM settlements AS earlier
                    JOIN endings AS ended ON ended.settlement_id = earlier.id
                    WHERE earlier.ticket_id = decided.ticket_id AND earlier.version < decided.version
                        AND ended."end" IN ('paid', 'credited')), 0)
                - coalesce((
                    SELECT sum(back.amount) FROM settlements AS earlier
                    JOIN transfers AS back ON back.settlement_id = earlier.id
                    WHERE earlier.ticket_id = decided.ticket_id AND earlier.version < decided.version
                        AND back.kind = 'win_taken_back'), 0)
            END AS amount
        ) AS had
        WHERE decided.received <> had.amount
        """,
    ),
    Check(
        "выплаченное лишнее возвращено, стало требованием или списано",
        """
        SELECT 'расчёт ' || decided.id AS subject, 'лишнего ' ||
            greatest(decided.received - decided.win - decided.stake_back, 0) || ', учтено ' || coalesce(back.amount, 0)
            AS detail
        FROM settlements AS decided
        JOIN settlement_creditings AS credited ON credited.run_id = decided.run_id
        LEFT JOIN (
            SELECT settlement_id, sum(amount) AS amount FROM transfers
            WHERE settlement_id IS NOT NULL AND kind IN ('win_taken_back', 'win_claimed', 'overpaid') GROUP BY 1
        ) AS back ON back.settlement_id = decided.id
        WHERE coalesce(back.amount, 0) <> greatest(decided.received - decided.win - decided.stake_back, 0)
        """,
    ),
)


def breaches(session: Session, checks: Sequence[Check]) -> list[Breach]:
    """Everything the checks find wrong; empty when every promise holds."""
    return [
        Breach(check.promise, str(row.subject), str(row.detail))
        for check in checks
        for row in session.execute(text(check.broken))
    ]
