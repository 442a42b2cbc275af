"""Reports of rows: each as pages under its head, and as a file (CSV, XLSX, PDF), both as of a seal where asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from typing import Any

from werkzeug.wrappers import Response

from api.answers import refuses
from api.auth import allowed
from api.documents.files import CSV, PDF, XLSX, gives, table_file
from api.house import caller, house, session
from api.pages import page_of as shown_page
from api.reports import register_schemas as schemas
from api.requests import Blueprint
from db.clock import trade_time
from office.operator import Operator
from reports.registers.cut import cut_at
from reports.registers.files import FileAsked, begin_file, table_of
from reports.registers.header import header_of
from reports.registers.reading import page, place, told, totals
from reports.registers.register import REPORTS
from reports.registers.report import Ask, Report, Wanted
from tote.pools import pool_by_code
from tote.rules.payment_term import DAY, start_of_day

registers = Blueprint("registers", __name__, url_prefix="/api/v1/reports", description="Отчёты: строки и файлы")
View = Callable[[dict[str, Any]], Any]


def _offer(report: Report) -> None:
    """Make the two routes of a report."""
    codes = ("instant_in_future", "nothing_sealed", *(["unknown_pool"] if Ask.POOL in report.asks else []))
    name, guard = report.code.replace("-", "_"), allowed(*sorted(report.readers))

    @registers.get(f"/{report.code}")
    @registers.doc(operationId=f"list_{name}", summary=report.about)
    @registers.arguments(schemas.query_of(report), location="query")
    @registers.response(200, schemas.page_of(report))
    @guard
    @refuses(*codes)
    def show(asked: dict[str, Any]) -> dict[str, Any]:
        return _page(report, asked)

    @registers.get(f"/{report.code}/export")
    @registers.doc(operationId=f"export_{name}", summary=f"A file, as of a seal. {report.about}")
    @registers.arguments(schemas.export_of(report), location="query")
    @gives(200, CSV, XLSX, PDF)
    @guard
    @refuses(*codes, "too_many_rows", "papers_busy")
    def export(asked: dict[str, Any]) -> Response:
        return _file(report, asked)


def _page(report: Report, asked: dict[str, Any]) -> dict[str, Any]:
    """A page under its head; the totals of the whole stand on the first one."""
    operator, generated_at = house().operator, trade_time(session())
    wanted = _wanted(operator, asked)
    cut = cut_at(session(), operator, asked["as_of"])
    _see_one_moment()
    rows, following = shown_page(asked, partial(page, session(), report, cut, wanted), partial(place, report))
    first = asked["cursor"] == 0
    return {
        "header": header_of(report, cut, wanted, generated_at, empty=first and not rows),
        "items": [told(report, row, house().codes) for row in rows],
        "totals": asdict(totals(session(), report, cut, wanted)) if first else None,
        "next_cursor": following,
    }


def _file(report: Report, asked: dict[str, Any]) -> Response:
    """The rows under a seal: as CSV the same question about a past instant gives the same bytes."""
    operator, made_at = house().operator, trade_time(session())
    wanted, file = _wanted(operator, asked), FileAsked(asked["format"], asked["as_of"])
    cut = begin_file(session(), operator, report, wanted, file, caller())
    session().commit()
    table = table_of(house().sessions, report, cut, wanted, house().codes, made_at)
    answer = table_file(table, file.form, f"{report.code}-{cut.seal}")
    answer.headers["As-Of-Seal"] = str(cut.seal)
    return answer


def _see_one_moment() -> None:
    """Let rows and totals be those of one snapshot; the seals have been looked at before, and are final."""
    session().rollback()
    session().connection(execution_options={"isolation_level": "REPEATABLE READ"})


def _wanted(operator: Operator, asked: dict[str, Any]) -> Wanted:
    """What a query names, the days as instants of the operator's calendar (D-1)."""
    first, last = asked.get("first"), asked.get("last")
    if asked.get("pool") is not None:
        pool_by_code(session(), asked["pool"])
    status = asked.get("status")
    return Wanted(
        first=first,
        last=last,
        since=None if first is None else start_of_day(first, operator.zone_on(first)),
        until=None if last is None else start_of_day(last + DAY, operator.zone_on(last + DAY)),
        pool=asked.get("pool"),
        desk_id=asked.get("desk_id"),
        status=None if status is None else status.value,
        account_id=asked.get("account_id"),
    )


for _report in REPORTS.values():
    _offer(_report)
