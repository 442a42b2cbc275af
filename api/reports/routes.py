"""Trial balance, cover of funds, and the journal of cash payouts as a file."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

from werkzeug.wrappers import Response

from api.answers import refuses
from api.auth import allowed
from api.house import caller, house, session
from api.reports.schemas import FundCoverShown, PayoutJournalQuery, TrialBalanceShown
from api.requests import Blueprint
from db.clock import trade_time
from documents.csv import csv_pieces
from office.callers import Role
from office.operator import Operator
from reports.fund_cover import FundCover, fund_cover
from reports.payout_journal import COLUMNS, begin_extract, journal_rows
from reports.payouts import Wanted
from reports.trial_balance import TrialBalance, trial_balance

reports = Blueprint("reports", __name__, url_prefix="/api/v1/reports", description="Отчёты бухгалтера")

CSV = "text/csv"
EVER = datetime(1900, 1, 1, tzinfo=UTC), datetime(3000, 1, 2, tzinfo=UTC)


@reports.get("/trial-balance")
@reports.response(200, TrialBalanceShown)
@allowed(Role.ACCOUNTANT, Role.AUDITOR, Role.ORGANIZER)
def show_trial_balance() -> TrialBalance:
    """Every account's turnover and balance, under the accountant's codes."""
    operator = house().operator
    return trial_balance(session(), operator.currency, operator.day_of(trade_time(session())))


@reports.get("/fund-cover")
@reports.response(200, FundCoverShown)
@allowed(Role.ACCOUNTANT, Role.AUDITOR, Role.ORGANIZER)
def show_fund_cover() -> FundCover:
    """What the funds owe, and what the special account and the desks hold."""
    return fund_cover(session(), house().operator.currency)


@reports.get("/payout-journal")
@reports.doc(operationId="export_payout_journal")
@reports.arguments(PayoutJournalQuery, location="query")
@reports.response(200, {"type": "string"}, content_type=CSV, description="UTF-8 with BOM, cells between `;`")
@allowed(Role.SUPERVISOR, Role.ACCOUNTANT, Role.AUDITOR)
@refuses("unmasked_view_not_granted")
def export_journal(asked: dict[str, Any]) -> Response:
    """The journal of cash payouts as CSV in the annex's columns (T-Prov 23); masked, unless a reason is given."""
    operator = house().operator
    wanted = Wanted(desk_id=asked["desk_id"], paid=_paid(operator, asked["since"], asked["until"]))
    extract = begin_extract(session(), wanted, asked["reason"], caller())
    session().commit()
    rows = journal_rows(house().sessions, operator, house().persons, extract)
    answer = Response(csv_pieces(COLUMNS, rows), content_type=f"{CSV}; charset=utf-8")
    answer.headers["Content-Disposition"] = f'attachment; filename="payout-journal-{extract.last}.csv"'
    return answer


def _paid(operator: Operator, since: date | None, until: date | None) -> tuple[datetime, datetime]:
    """The instants between which lines of these days were paid; a day that is not named bounds nothing."""
    begins = EVER[0] if since is None else operator.begins(since)
    return begins, EVER[1] if until is None else operator.begins(until + timedelta(days=1))
