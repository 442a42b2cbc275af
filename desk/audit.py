"""What the audit asks of the desk: two persons where two were needed, every kopeck of cash on its way in a document."""

from __future__ import annotations

from ledger.audit import Check
from office.approvals.limits import SECOND_PERSON_FROM, TYPED_FROM, TYPED_NEEDS_SECOND_PERSON


def _held(setting: str) -> str:
    """SQL of a setting's value in force when a payout was made; none where nobody had set it by then."""
    return f"""(
        SELECT version.value #>> '{{}}' FROM setting_versions AS version
        WHERE version.name = '{setting}' AND version.effective_from <= paid.paid_at
            AND version.recorded_at <= paid.recorded_at
        ORDER BY version.effective_from DESC, version.id DESC LIMIT 1)"""


def _amount(setting: str, default: int) -> str:
    """SQL of an amount setting, in minor units."""
    return f"coalesce(CAST({_held(setting)} AS numeric) * 100, {default})"


TYPED_BY_DEFAULT = "true" if TYPED_NEEDS_SECOND_PERSON.default else "false"
NEEDS_TWO = f"""
    paid.amount >= {_amount(SECOND_PERSON_FROM.name, SECOND_PERSON_FROM.default)}
    OR paid.code_entry = 'typed'
        AND coalesce({_held(TYPED_NEEDS_SECOND_PERSON.name)}, '{TYPED_BY_DEFAULT}') = 'true'
        AND paid.amount >= {_amount(TYPED_FROM.name, TYPED_FROM.default)}
"""
DESK_CHECKS = (
    Check(
        "выплату, которой нужен второй сотрудник, подтвердил другой логин",
        f"""
        SELECT 'выплата ' || paid.number AS subject, 'второго сотрудника нет' AS detail
        FROM payouts AS paid
        LEFT JOIN proposal_uses AS used ON used.proposal_id = paid.approval_id
        LEFT JOIN proposals AS proposed ON proposed.id = used.proposal_id
            AND (proposed.act = 'payout' AND proposed.content ->> 'settlement' = CAST(paid.settlement_id AS text)
                OR proposed.act = 'account_payout' AND proposed.subject = 'player:' || (
                    SELECT player_id FROM account_withdrawals WHERE id = paid.withdrawal_id))
        LEFT JOIN proposal_decisions AS decided ON decided.proposal_id = proposed.id AND decided.decision = 'approved'
            AND decided.decided_by NOT IN (proposed.proposed_by, paid.cashier_id)
        WHERE decided.id IS NULL AND (paid.approval_id IS NOT NULL
            OR paid.code_entry <> 'unrecorded' AND ({NEEDS_TWO}))
        """,
    ),
    Check(
        "наличные с игрового счёта выданы по одной строке журнала, на банковский счёт ни по одной",
        """
        SELECT 'вывод ' || out.id AS subject, 'строк журнала ' || count(line.id) AS detail
        FROM account_withdrawals AS out LEFT JOIN payouts AS line ON line.withdrawal_id = out.id
        GROUP BY out.id HAVING count(line.id) FILTER (WHERE line.amount = out.amount)
                <> CASE out.means WHEN 'cash_desk' THEN 1 ELSE 0 END
            OR count(line.id) FILTER (WHERE line.amount <> out.amount) > 0
        """,
    ),
    Check(
        "деньги в пути равны передачам, по которым они ещё не приняты",
        """
        SELECT account.subject, 'на счёте ' || held.balance || ', по документам ' || sent.rest AS detail
        FROM accounts AS account
        CROSS JOIN LATERAL (
            SELECT coalesce((SELECT sum(amount) FROM transfers WHERE debit_account_id = account.id), 0)
                - coalesce((SELECT sum(amount) FROM transfers WHERE credit_account_id = account.id), 0) AS balance
        ) AS held
        CROSS JOIN LATERAL (
            SELECT coalesce(sum(delivery.amount - coalesce(reception.amount, 0) - coalesce(clearing.amount, 0)), 0)
                AS rest
            FROM cash_deliveries AS delivery
            JOIN transfers AS leg ON leg.id = delivery.transfer_id AND leg.debit_account_id = account.id
            LEFT JOIN cash_receptions AS reception ON reception.delivery_id = delivery.id
            LEFT JOIN delivery_clearings AS clearing ON clearing.delivery_id = delivery.id
        ) AS sent
        WHERE account.kind = 'cash_in_transit' AND held.balance <> sent.rest
        """,
    ),
)
