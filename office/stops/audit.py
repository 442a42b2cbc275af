"""What the audit asks of the stops: the projection that every sale reads equals the facts (DESIGN 3.2)."""

from __future__ import annotations

from ledger.audit import Check

STOP_CHECKS = (
    Check(
        "действующие остановки продаж — те, что не сняты",
        """
        SELECT 'остановка ' || stop.id AS subject,
            CASE WHEN ended.id IS NULL THEN 'не снята' ELSE 'снята' END || ', среди действующих ' ||
            coalesce(standing.switch, 'её нет') AS detail
        FROM sales_stops AS stop
        LEFT JOIN sales_resumptions AS ended ON ended.stop_id = stop.id
        LEFT JOIN open_sales_stops AS standing ON standing.stop_id = stop.id
        WHERE standing.switch IS DISTINCT FROM CASE WHEN ended.id IS NULL THEN stop.scope || ':' || stop.subject END
        """,
    ),
)
