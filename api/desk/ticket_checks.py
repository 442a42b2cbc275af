"""Looking at a ticket before it is paid."""

from __future__ import annotations

from typing import Any

from api.answers import refuses
from api.auth import allowed
from api.desk.blueprint import desk
from api.desk.check_schemas import TicketChecked, TicketToCheck
from api.guessing import codes_at, guarded
from api.house import caller, house, session
from db.clock import trade_time
from office.callers import Role
from reports.ticket_check import check_ticket


@desk.post("/ticket-checks")
@desk.arguments(TicketToCheck)
@desk.response(200, TicketChecked)
@allowed(Role.CASHIER)
@refuses("ticket_not_found", "too_many_attempts")
def check_before_payout(told: dict[str, Any]) -> dict[str, Any]:
    """Look at a ticket by its code: terms, what is due now, and what hinders the payout. Nothing is paid or held.

    Unknown codes are counted as those of payouts are; the code is never answered.
    """
    with guarded("ticket_not_found", codes_at(caller())):
        digest = house().codes.digest(told["code"])
        found = check_ticket(session(), house().operator, digest, told["code_entry"], trade_time(session()))
    terms = found.terms
    return {
        **{name: getattr(terms, name) for name in TicketChecked().fields if hasattr(terms, name)},
        **{name: getattr(found, name) for name in TicketChecked().fields if hasattr(found, name)},
        "operator": terms.operator or house().unset_operator.unset_name,
    }
