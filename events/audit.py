"""What the audit asks of protocols: each rests on its result's own approval (INDUSTRY: two persons)."""

from __future__ import annotations

from ledger.audit import Check

EVENT_CHECKS = (
    Check(
        "протокол подтвердил тот, кто решил по предложенному результату",
        """
        SELECT 'протокол ' || drawn.number AS subject, 'подтверждение результата не сходится' AS detail
        FROM protocols AS drawn
        JOIN results AS entered ON entered.id = drawn.result_id
        LEFT JOIN proposal_uses AS used
            ON used.proposal_id = entered.proposal_id AND used.used_by = drawn.confirmed_by
        LEFT JOIN proposal_decisions AS decided
            ON decided.proposal_id = used.proposal_id AND decided.decided_by = drawn.confirmed_by
        WHERE entered.proposal_id IS NOT NULL AND decided.id IS NULL
        """,
    ),
    Check(
        "счёт по периодам — тот, что предложен и подтверждён с результатом",
        """
        SELECT 'результат ' || entered.id AS subject, 'записан счёт ' || coalesce(told.scores::text, 'без периодов')
            || ', предложен ' || coalesce((proposed.content -> 'scores')::text, 'без периодов') AS detail
        FROM results AS entered
        JOIN proposals AS proposed ON proposed.id = entered.proposal_id
        CROSS JOIN LATERAL (
            SELECT jsonb_agg(jsonb_build_object('period', period, 'home', home, 'away', away) ORDER BY id) AS scores
            FROM result_scores WHERE result_id = entered.id
        ) AS told
        WHERE told.scores IS DISTINCT FROM proposed.content -> 'scores'
        """,
    ),
)
