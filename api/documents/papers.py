"""Papers of one thing: the slip of a payout, a protocol, the sheet of a pool, the report of a shift."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from werkzeug.wrappers import Response

from api.answers import refuses
from api.auth import allowed
from api.documents.blueprint import documents
from api.documents.files import PDF, gives, paper
from api.house import caller, house, session
from api.ownership import own_only
from api.reasons import Reason
from db.clock import trade_time
from desk.shift_report import report_so_far
from desk.shifts import no_such_shift
from events.protocol_sheet import protocol_sheet
from office.callers import Role
from office.persons.models import PersonVersion
from office.persons.views import ask_to_view
from reports.came_true import come_true
from reports.papers.payout_slip import payout_slip
from reports.papers.pool_sheet import pool_sheet_form
from reports.papers.protocol import protocol_form
from reports.papers.shift_report import shift_report_form
from reports.payouts import IN_FULL, line_numbered, no_such_line
from reports.pool_sheet import pool_sheet
from tote.pools import pool_by_code

READERS = (Role.ORGANIZER, Role.TRADER, Role.SUPERVISOR, Role.ACCOUNTANT, Role.AUDITOR)


@documents.get("/payout-slips/<int:number>")
@gives(200, PDF)
@allowed(Role.CASHIER, Role.SUPERVISOR, Role.ACCOUNTANT, Role.AUDITOR)
@refuses("papers_busy")
def download_payout_slip(number: int) -> Response:
    """The slip of a cash payout, the person masked; cashiers get those of their own desk."""
    line = line_numbered(session(), house().persons, number)
    own_only(no_such_line(), desk_id=line.desk_id)
    return paper(payout_slip(line, house().operator, _now()), f"payout-slip-{number}")


@documents.post("/payout-slips/<int:number>/views")
@documents.arguments(Reason)
@gives(201, PDF)
@allowed(Role.SUPERVISOR, Role.ACCOUNTANT, Role.AUDITOR)
@refuses("unmasked_view_not_granted", "papers_busy")
def view_payout_slip(told: dict[str, Any], number: int) -> Response:
    """The slip with the person in full, to be signed; that it was asked for, by whom and why, is on record before."""
    line = line_numbered(session(), house().persons, number)
    shown = session().get_one(PersonVersion, line.person_version)
    ask_to_view(session(), shown.person_id, shown.id, told["reason"], caller())
    session().commit()
    line = line_numbered(session(), house().persons, number, IN_FULL)
    return paper(payout_slip(line, house().operator, _now()), f"payout-slip-{number}", 201)


@documents.get("/protocols/<int:number>")
@gives(200, PDF)
@allowed(*READERS)
@refuses("papers_busy")
def download_protocol(number: int) -> Response:
    """A protocol of the commission, with the lines its members sign (T-Rules 10, 30)."""
    sheet = protocol_sheet(session(), number)
    form = protocol_form(sheet, come_true(session(), sheet), house().operator, _now())
    return paper(form, f"protocol-{number}")


@documents.get("/pool-sheets/<code:code>")
@gives(200, PDF)
@allowed(*READERS)
@refuses("unknown_pool", "papers_busy")
def download_pool_sheet(code: str) -> Response:
    """The sheet of a pool, as far as its life has come."""
    sheet = pool_sheet(session(), pool_by_code(session(), code))
    return paper(pool_sheet_form(sheet, house().operator, _now()), f"pool-sheet-{sheet.pool.id}")


@documents.get("/shift-reports/<int:shift_id>")
@gives(200, PDF)
@allowed(Role.CASHIER, Role.SUPERVISOR, Role.ACCOUNTANT, Role.AUDITOR)
@refuses("papers_busy")
def download_shift_report(shift_id: int) -> Response:
    """The report of a shift, marked until it is final; cashiers get those of their own desk."""
    report = report_so_far(session(), house().operator, shift_id)
    own_only(no_such_shift(), desk_id=report.desk_id)
    return paper(shift_report_form(report, house().operator, _now()), f"shift-report-{shift_id}")


def _now() -> datetime:
    return trade_time(session())
