"""Contracts of agents who use a desk: concluded, prolonged by the next one, withdrawn."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Row

from api.answers import refuses
from api.auth import allowed
from api.house import caller, house, session
from api.reasons import Reason
from api.workplaces.blueprint import workplaces
from api.workplaces.schemas import DeskShown, NewContract
from desk.agents import ContractTerms, conclude, end_contract
from desk.register import entry
from office.callers import Role


@workplaces.post("/desks/<int:desk_id>/contracts")
@workplaces.arguments(NewContract)
@workplaces.response(201, DeskShown)
@allowed(Role.ADMINISTRATOR)
@refuses("desk_withdrawn", "contract_term_wrong")
def conclude_contract(told: dict[str, Any], desk_id: int) -> Row[Any]:
    """Enter the contract under which an agent uses a desk from now on; it takes the place of the last one."""
    conclude(session(), house().operator, desk_id, ContractTerms(**told), caller())
    session().commit()
    return entry(session(), desk_id)


@workplaces.post("/desks/<int:desk_id>/contract-ending")
@workplaces.doc(operationId="end_contract")
@workplaces.arguments(Reason)
@workplaces.response(201, DeskShown)
@allowed(Role.ADMINISTRATOR)
@refuses("contract_ended")
def withdraw_contract(told: dict[str, Any], desk_id: int) -> Row[Any]:
    """Withdraw an agent's contract before its last day: bets and payouts there are refused at once."""
    end_contract(session(), desk_id, told["reason"], caller())
    session().commit()
    return entry(session(), desk_id)
