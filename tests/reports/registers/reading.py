"""Reports as tests read them: pages put together, files taken apart."""

from __future__ import annotations

import csv
import io
from typing import Any

from tests.office import Member, Office


def shown(member: Member, code: str, **asked: Any) -> dict[str, Any]:
    """The first page of a report."""
    answer = member.get(f"/reports/{code}", **asked)
    assert answer.status_code == 200, answer.json
    return dict(answer.json)


def columns(rows: list[dict[str, Any]], *names: str) -> list[tuple[Any, ...]]:
    """Some columns of a report's rows."""
    return [tuple(row[name] for name in names) for row in rows]


def exported(office: Office, code: str, **asked: Any) -> bytes:
    """The file of a report."""
    answer = office.auditor.get(f"/reports/{code}/export", **asked)
    assert answer.status_code == 200, answer.json
    return bytes(answer.data)


def table(written: bytes) -> list[list[str]]:
    """The lines of a file, the titles first."""
    return list(csv.reader(io.StringIO(written.decode("utf-8-sig"), newline=""), delimiter=";"))
