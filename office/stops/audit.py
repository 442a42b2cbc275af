"""What the audit asks of the stops: the projection that every sale reads equals the facts (DESIGN 3.2)."""

from __future__ import annotations

from ledger.audit import Check

STOP_CHECKS = (
    Check(
        "состояние остановки продаж равно её фактам",
        """
        SELECT 'остановка ' || stop.id AS subject, 'состояние ' ||
            CASE WHEN state.stop_id IS NULL THEN 'нет' WHEN state.open THEN 'открыта' ELSE 'снята' END AS detail
        FROM sales_stops AS stop
        LEFT JOIN sales_resumptions AS ended ON ended.stop_id = stop.id
        LEFT JOIN sales_stop_states AS state ON state.stop_id = stop.id
        WHERE state.open IS DISTINCT FROM (ended.id IS NULL)
            OR state.switch IS DISTINCT FROM stop.scope || ':' || stop.subject
        """,
    ),
)
