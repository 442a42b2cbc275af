"""Cash limits of desks, set by the servicing bank, and how the desks stand against them."""

from __future__ import annotations

from typing import Any

from api.auth import allowed
from api.house import caller, session
from api.ownership import own_only
from api.workplaces.blueprint import WATCHERS, workplaces
from api.workplaces.schemas import DeskCashShown, NewCashLimit
from desk.cash_limits import DeskCash, desk_cash, set_cash_limit
from desk.gates import no_such_desk
from office.callers import Role


@workplaces.post("/desks/<int:desk_id>/cash-limits")
@workplaces.doc(operationId="set_cash_limit")
@workplaces.arguments(NewCashLimit)
@workplaces.response(201, DeskCashShown)
@allowed(Role.ACCOUNTANT)
def limit_cash(told: dict[str, Any], desk_id: int) -> DeskCash:
    """Put the bank's limit for a desk's cash on record; it warns, and refuses nothing (T-Prov 18)."""
    set_cash_limit(session(), desk_id, told["limit"], told["basis"], caller())
    session().commit()
    return desk_cash(session(), desk_id)


@workplaces.get("/desks/<int:desk_id>/cash")
@workplaces.response(200, DeskCashShown)
@allowed(*WATCHERS, Role.CASHIER)
def show_desk_cash(desk_id: int) -> DeskCash:
    """The cash of a desk now, its limit, and how much is to be handed over; cashiers see their own desk."""
    own_only(no_such_desk(), desk_id=desk_id)
    return desk_cash(session(), desk_id)
