"""Agents: organizations whose points use the organizer's registered desks under a contract (T-Rules 35.1, T-Prov 4)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from sqlalchemy import ScalarSelect, func, select
from sqlalchemy.orm import Session

from db.clock import trade_time
from desk.gates import (
    SHIFT_GATE,
    contract_of,
    desk_by_id,
    ending_of_contract,
    hold_desk,
    refuse_desk_that_left,
)
from desk.models import AgentContract, ContractEnding, Desk
from desk.shifts import latest_shift
from ledger.refusals import Refusal
from office.callers import Caller
from office.operator import Operator
from office.significant.kinds import CONTRACT_CONCLUDED, CONTRACT_ENDED
from office.significant.log import note


@dataclass(frozen=True)
class ContractTerms:
    """What a contract says: with whom, its number and date, its last day."""

    agent: str
    number: str
    dated: date
    valid_until: date


LAST_CONTRACT: ScalarSelect[int] = (
    select(func.max(AgentContract.id)).where(AgentContract.desk_id == Desk.id).correlate(Desk).scalar_subquery()
)
"""The contract that counts for a desk, in a query of desks."""


def conclude(session: Session, operator: Operator, desk_id: int, terms: ContractTerms, by: Caller) -> AgentContract:
    """Enter a desk's contract: with a new agent, or the next one of the same, before or after the last one ended.

    Raises:
        Refusal: ``not_found``; ``desk_withdrawn``, it left the register; ``contract_term_wrong``.
    """
    assert by.user_id is not None, "a user of the office enters contracts"
    desk = desk_by_id(session, desk_id)
    hold_desk(session, desk_id, alone=True)
    refuse_desk_that_left(session, desk_id)
    at = trade_time(session)
    _refuse_wrong_term(terms, operator.day_of(at))
    contract = AgentContract(
        desk_id=desk_id,
        **vars(terms),
        ends_at=operator.begins(terms.valid_until + timedelta(days=1)),
        entered_by=by.user_id,
        entered_at=at,
    )
    session.add(contract)
    session.flush()
    told = {"desk": desk.code, "agent": terms.agent, "contract": terms.number}
    note(session, CONTRACT_CONCLUDED, f"desk:{desk_id}", by, **told, valid_until=terms.valid_until.isoformat())
    return contract


def end_contract(session: Session, desk_id: int, reason: str, by: Caller) -> ContractEnding:
    """Withdraw the contract of a desk at once: whoever is selling there is waited for, whoever comes later is refused.

    The shift's gate is taken alone. An open shift stays open to be closed, and its cash to be collected.

    Raises:
        Refusal: ``not_found``, no such desk, or no agent works there; ``contract_ended``, it had ended before.
    """
    assert by.user_id is not None, "a user of the office ends contracts"
    desk = desk_by_id(session, desk_id)
    hold_desk(session, desk_id, alone=True)
    contract = contract_of(session, desk_id)
    if contract is None:
        raise Refusal("not_found", "На этой кассе не работает агент.")
    shift = latest_shift(session, desk_id)
    at = trade_time(session)
    if shift is not None:
        at = session.scalars(select(func.shut_gate(SHIFT_GATE, shift.id))).one()
    if ending_of_contract(session, contract) is not None or contract.ends_at <= at:
        raise Refusal("contract_ended", "Договор агента уже прекращён.")
    ending = ContractEnding(contract_id=contract.id, reason=reason, ended_by=by.user_id, ended_at=at)
    session.add(ending)
    session.flush()
    told = {"desk": desk.code, "agent": contract.agent, "contract": contract.number, "reason": reason}
    note(session, CONTRACT_ENDED, f"desk:{desk_id}", by, **told)
    return ending


def _refuse_wrong_term(terms: ContractTerms, today: date) -> None:
    if terms.dated > today:
        raise Refusal("contract_term_wrong", "Дата договора ещё не наступила.", field="dated")
    if terms.valid_until < max(today, terms.dated):
        raise Refusal("contract_term_wrong", "Срок договора уже истёк.", field="valid_until")
