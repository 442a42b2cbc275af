"""Tables as PDF: set by a process of its own, a thousand rows at a time, so that no sale waits (FIELD-FAULTS 071)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import islice
from pathlib import Path
from typing import Any

from documents.table import EMPTY, Sums, Table, text_of

MOST_ROWS = 20_000
"""More than this nobody reads on paper: it is exported (DESIGN 5)."""
PATIENCE = 300
"""Seconds after which a table that is not set is given up."""
ROOT = Path(__file__).parent.parent


class SettingFailedError(RuntimeError):
    """The process that sets a table broke off; what it said of itself names no row."""


def pdf_of(table: Table) -> bytes:
    """The table as PDF, its pages numbered through. All rows are read before the first page is set.

    Raises:
        TooManyRowsError: more than 20,000 rows.
    """
    return _set_apart(json.dumps(told_of(table), ensure_ascii=False).encode("utf-8"))


def told_of(table: Table) -> dict[str, Any]:
    """All that the template and the setting process are told, in texts."""
    sums = Sums(table.columns)
    rows = [[text_of(cell) for cell in row] for row in islice(sums.over(table.rows, MOST_ROWS), MOST_ROWS + 1)]
    totals = [text_of(sums.cell(place)) for place in range(len(table.columns))] if rows and sums.any else None
    heading = table.heading
    return {
        "made_at": heading.made_at.isoformat(),
        "head": {"title": heading.title, "lines": heading.lines()},
        "foot": f"{heading.operator} · {heading.title}",
        "landscape": table.landscape,
        "columns": [column.told for column in table.columns],
        "rows": rows,
        "totals": totals,
        "empty": EMPTY,
        "count": text_of(len(rows)),
        "closing": list(table.closing),
    }


def _set_apart(told: bytes) -> bytes:
    command = (sys.executable, "-m", "documents.long_tables")
    # It sees neither addresses nor keys of the house, and takes the processor last.
    environment = {name: os.environ[name] for name in ("PATH", "TMPDIR", "LANG") if name in os.environ}
    done = subprocess.run(command, input=told, capture_output=True, cwd=ROOT, env=environment, timeout=PATIENCE)
    if done.returncode:
        raise SettingFailedError(f"ended with {done.returncode}: {done.stderr[-300:].decode('utf-8', 'replace')}")
    return done.stdout
