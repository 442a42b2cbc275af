"""The register of desks (T-Prov 4): a desk enters it by its tax certificate, and leaves it for good."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row, Select, select
from sqlalchemy.orm import Session

from db.clock import trade_time
from db.pages import matching, newest_first
from desk.agents import LAST_CONTRACT
from desk.certificates import make_room
from desk.gates import desk_by_id, hold_desk, no_such_desk, refuse_desk_that_left
from desk.models import AgentContract, ContractEnding, Desk, DeskWithdrawal
from desk.shifts import closing_of, latest_shift
from ledger.accounts import Kind, open_account
from ledger.refusals import Refusal
from office.callers import Caller
from office.significant.kinds import DESK_REGISTERED, DESK_WITHDRAWN
from office.significant.log import note

ENTRIES: Select[*tuple[Any, ...]] = (
    select(
        Desk.id,
        Desk.code,
        Desk.place,
        Desk.certificate,
        Desk.cash_register,
        Desk.recorded_at.label("registered_at"),
        DeskWithdrawal.withdrawn_at,
        DeskWithdrawal.reason.label("withdrawal_reason"),
        AgentContract.agent,
        AgentContract.number.label("contract_number"),
        AgentContract.dated.label("contract_dated"),
        AgentContract.valid_until.label("contract_until"),
        ContractEnding.ended_at.label("contract_ended_at"),
    )
    .outerjoin(DeskWithdrawal, DeskWithdrawal.desk_id == Desk.id)
    .outerjoin(AgentContract, AgentContract.id == LAST_CONTRACT)
    .outerjoin(ContractEnding, ContractEnding.contract_id == AgentContract.id)
)
"""Desks as the register shows them, with the contract of the agent who works there."""


def register_desk(session: Session, desk: Desk, currency: str, by: Caller) -> Desk:
    """Register a desk with its tax certificate (T-Prov 4) and open its cash account.

    Raises:
        Refusal: ``code_taken``; ``certificate_needed`` and ``certificate_exceeded``, no desk more may be registered.
    """
    make_room(session)
    if session.scalar(select(Desk.id).where(Desk.code == desk.code)) is not None:
        raise Refusal("code_taken", "Касса с таким кодом уже зарегистрирована.", field="code")
    desk.cash_account_id = open_account(session, Kind.CASH, f"desk:{desk.code}", currency)
    session.add(desk)
    session.flush()
    facts = {"code": desk.code, "certificate": desk.certificate, "cash_register": desk.cash_register}
    note(session, DESK_REGISTERED, f"desk:{desk.id}", by, **facts)
    return desk


def withdraw_desk(session: Session, desk_id: int, reason: str, by: Caller) -> DeskWithdrawal:
    """Take a desk out of the register: from now on nothing is sold or paid through it.

    The desk's lock is taken alone: a shift that is being opened is waited for and then found open, one that comes
    later finds the desk withdrawn. What lies in its till stays on its account until it is collected.

    Raises:
        Refusal: ``not_found``; ``desk_withdrawn``, it was already; ``shift_still_open``, close the shift first.
    """
    assert by.user_id is not None, "a user of the office keeps the register"
    desk = desk_by_id(session, desk_id)
    hold_desk(session, desk_id, alone=True)
    refuse_desk_that_left(session, desk_id)
    shift = latest_shift(session, desk_id)
    if shift is not None and closing_of(session, shift.id) is None:
        raise Refusal("shift_still_open", "На кассе открыта смена: сначала закройте её.", shift_id=shift.id)
    at = trade_time(session)
    withdrawal = DeskWithdrawal(desk_id=desk_id, reason=reason, withdrawn_by=by.user_id, withdrawn_at=at)
    session.add(withdrawal)
    session.flush()
    note(session, DESK_WITHDRAWN, f"desk:{desk_id}", by, code=desk.code, reason=reason)
    return withdrawal


def entry(session: Session, desk_id: int) -> Row[*tuple[Any, ...]]:
    """A desk as the register shows it.

    Raises:
        Refusal: ``not_found``.
    """
    found = session.execute(ENTRIES.where(Desk.id == desk_id)).first()
    if found is None:
        raise no_such_desk()
    return found


def entries(
    session: Session, before: int, limit: int, *, desk_id: int | None = None, registered: bool | None = None
) -> Sequence[Row[*tuple[Any, ...]]]:
    """The register, the newest entry first; only desks that are in it, or only those that left, where asked."""
    wanted = matching(ENTRIES, {Desk.id: desk_id, DeskWithdrawal.id.is_(None): registered})
    return session.execute(newest_first(wanted, Desk.id, before, limit)).all()
