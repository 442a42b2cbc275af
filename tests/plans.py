"""How the database goes about what the application asks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import event

from tests.office import Office


@contextmanager
def plans_of(office: Office, table: str) -> Iterator[list[str]]:
    """The plans of the statements of the application in the block that read a table first of all, as they come."""
    plans: list[str] = []

    def explain(connection: Any, _cursor: Any, statement: str, parameters: Any, *_others: Any) -> None:
        if f"FROM {table}" in statement:
            with connection.connection.cursor() as beside:
                beside.execute("EXPLAIN (COSTS OFF) " + statement, parameters)
                plans.append("\n".join(line for (line,) in beside))

    event.listen(office.house.engine, "before_cursor_execute", explain)
    try:
        yield plans
    finally:
        event.remove(office.house.engine, "before_cursor_execute", explain)
