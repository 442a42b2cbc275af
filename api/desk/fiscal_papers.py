"""What the cash register printed, entered afterwards: fiscal receipts of payouts, fiscal reports of shifts."""

from __future__ import annotations

from typing import Any

from api.answers import refuses
from api.auth import allowed
from api.desk.blueprint import desk
from api.desk.schemas import PayoutShown
from api.desk.shift_schemas import FiscalReportShown, NewFiscalNumber
from api.house import caller, house, session
from api.ownership import own_only
from desk.fiscal_papers import FiscalReport, Printed, enter_fiscal_report, enter_receipt
from desk.shifts import no_such_shift
from office.callers import Role
from reports.payouts import JournalLine, line_numbered, no_such_line
from reports.shifts import shift_sheet

NUMBER_REFUSALS = ("fiscal_number_entered", "fiscal_number_taken", "nothing_to_correct")
ENTERERS = (Role.CASHIER, Role.SUPERVISOR, Role.ACCOUNTANT)


@desk.post("/payouts/<int:number>/fiscal-receipt")
@desk.doc(operationId="enter_fiscal_receipt")
@desk.arguments(NewFiscalNumber)
@desk.response(201, PayoutShown)
@allowed(*ENTERERS)
@refuses(*NUMBER_REFUSALS)
def enter_payout_receipt(told: dict[str, Any], number: int) -> JournalLine:
    """Enter the fiscal receipt of a payout; with a reason it corrects the one on record, which stays readable."""
    own_only(no_such_line(), desk_id=line_numbered(session(), house().persons, number).desk_id)
    enter_receipt(session(), number, Printed(**told), caller())
    session().commit()
    return line_numbered(session(), house().persons, number)


@desk.post("/shifts/<int:shift_id>/fiscal-report")
@desk.doc(operationId="enter_fiscal_report")
@desk.arguments(NewFiscalNumber)
@desk.response(201, FiscalReportShown)
@allowed(*ENTERERS)
@refuses(*NUMBER_REFUSALS, "shift_still_open")
def enter_shift_report(told: dict[str, Any], shift_id: int) -> FiscalReport:
    """Enter the fiscal report of a closed shift; with a reason it corrects the one on record."""
    own_only(no_such_shift(), desk_id=shift_sheet(session(), shift_id).desk_id)
    entered = enter_fiscal_report(session(), shift_id, Printed(**told), caller())
    session().commit()
    return entered
