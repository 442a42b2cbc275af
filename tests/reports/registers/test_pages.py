"""Reports read page by page: every row once, and the database asked as often for many rows as for few."""

from __future__ import annotations

from typing import Any

import pytest

from reports.registers import reading
from reports.registers.register import REPORTS
from tests.office import Member, Office
from tests.reports.registers.conftest import NOON
from tests.reports.registers.reading import exported, shown, table
from tests.tote.test_sales import asked as heard


def rows(member: Member, code: str, limit: int, **asked: Any) -> list[dict[str, Any]]:
    """All rows of a report, as a client reads them; the totals stand on the first page alone."""
    found, cursor = [], 0
    while cursor is not None:
        page = shown(member, code, limit=limit, cursor=cursor, **asked)
        assert (page["totals"] is not None) == (cursor == 0)
        assert page["header"]["note"] is None or cursor == 0
        found += page["items"]
        cursor = page["next_cursor"]
    return found


def test_pages_of_any_size_are_the_whole(noon: Office) -> None:
    for code in REPORTS:
        whole = shown(noon.auditor, code, limit=200, as_of=NOON)
        assert whole["next_cursor"] is None
        assert len(whole["items"]) == whole["totals"]["whole"]["rows"], code
        assert rows(noon.auditor, code, 7, as_of=NOON) == whole["items"], code
    single = rows(noon.auditor, "ticket-register", 1, as_of=NOON)
    assert [row["number"] for row in single] == list(range(1, 11))


def test_a_file_is_read_by_pages_that_fit_together_and_keeps_no_connection(
    noon: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """FIELD-FAULTS 071: between two pages nobody holds a connection, however slowly a file is downloaded."""
    whole = {code: exported(noon, code, as_of=NOON) for code in REPORTS}
    monkeypatch.setattr(reading, "PAGE", 3)
    for code, written in whole.items():
        assert exported(noon, code, as_of=NOON) == written, code
    with noon.app.test_client() as client:
        path = f"/api/v1/reports/daily-movement/export?as_of={NOON.replace('+', '%2B')}"
        answer = client.get(path, headers=noon.auditor.headers, buffered=False)
        pieces = iter(answer.response)
        next(pieces)
        assert noon.house.engine.pool.checkedout() == 0


def test_many_rows_ask_as_often_as_few(noon: Office) -> None:
    for code in REPORTS:
        few, many = (statements(noon, code, limit) for limit in (1, 200))
        assert few == many, code


def statements(office: Office, code: str, limit: int) -> int:
    """How often the database is asked for the first page of a report at this moment."""
    office.auditor.get(f"/reports/{code}", limit=limit)
    with heard(office) as told:
        shown(office.auditor, code, limit=limit)
    return len(told)


def test_a_row_written_meanwhile_tears_no_page(day: Office) -> None:
    first = shown(day.auditor, "ticket-register", limit=4)
    assert day.bet(day.cashier, "1", "1.00", "P4").status_code == 201
    later = rows(day.auditor, "ticket-register", 4)
    assert [row["number"] for row in later] == list(range(1, 12))
    behind = shown(day.auditor, "ticket-register", limit=4, cursor=first["next_cursor"])
    assert [row["number"] for row in (*first["items"], *behind["items"])] == list(range(1, 9))


def test_a_file_of_every_report_opens_with_its_titles(noon: Office) -> None:
    for code, report in REPORTS.items():
        titles = table(exported(noon, code, as_of=NOON))[0]
        assert titles == [column.title for column in report.columns]
        assert len(set(titles)) == len(titles), code
