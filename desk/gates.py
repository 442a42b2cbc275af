"""What holds a workplace while somebody works at it: the terminal's gate and the desk's lock (DESIGN 3.4)."""

from __future__ import annotations

from sqlalchemy import Function, Integer, cast, func, select
from sqlalchemy.orm import Session

from db.clock import trade_time
from desk.models import AgentContract, ContractEnding, Desk, DeskWithdrawal, Terminal, TerminalWithdrawal
from ledger.refusals import Refusal

SHIFT_GATE = 2
TERMINAL_GATE = 5
"""Taken before the shift's: shared by whoever works at the terminal, alone by whoever changes what the terminal is."""


def stand_at(session: Session, terminal_id: int) -> Terminal:
    """A terminal that is not withdrawn, kept so and with its secret until this transaction ends.

    Raises:
        Refusal: ``terminal_withdrawn``.
    """
    session.execute(select(func.pg_advisory_xact_lock_shared(TERMINAL_GATE, cast(terminal_id, Integer))))
    refuse_withdrawn_terminal(session, terminal_id)
    return session.get_one(Terminal, terminal_id)


def stand_in(session: Session, desk_id: int, *, alone: bool = False) -> Desk:
    """A desk that is in the register and may be worked at, kept so until this transaction ends.

    ``alone`` keeps everybody else out who opens a shift, moves cash or installs a terminal there.

    Raises:
        Refusal: ``not_found``, no such desk; ``desk_withdrawn`` (T-Prov 4).
    """
    desk = desk_by_id(session, desk_id)
    hold_desk(session, desk_id, alone=alone)
    refuse_withdrawn_desk(session, desk_id)
    return desk


def hold_desk(session: Session, desk_id: int, *, alone: bool = False) -> None:
    """Take the desk's own lock until this transaction ends, with others or alone."""
    take = func.pg_advisory_xact_lock if alone else func.pg_advisory_xact_lock_shared
    session.execute(select(take(_desk_lock(desk_id))))


def desk_by_id(session: Session, desk_id: int) -> Desk:
    """The desk with this number.

    Raises:
        Refusal: ``not_found``.
    """
    desk = session.get(Desk, desk_id)
    if desk is None:
        raise no_such_desk()
    return desk


def refuse_withdrawn_desk(session: Session, desk_id: int) -> None:
    """No bet, payout or shift at a desk that left the register, or whose agent's contract is over (T-Prov 4)."""
    refuse_desk_that_left(session, desk_id)
    contract = contract_of(session, desk_id)
    if contract is None:
        return
    ended = ending_of_contract(session, contract)
    over_at = contract.ends_at if ended is None else ended.ended_at
    if over_at <= trade_time(session):
        said = f"Договор с агентом № {contract.number} не действует: ставки и выплаты через кассу не проводятся."
        raise Refusal("desk_withdrawn", said, withdrawn_at=over_at.isoformat())


def refuse_desk_that_left(session: Session, desk_id: int) -> None:
    """Nothing is made of a desk that left the register; its cash alone is still collected (T-Prov 4)."""
    gone = session.scalar(select(DeskWithdrawal).where(DeskWithdrawal.desk_id == desk_id))
    if gone is not None:
        said = "Касса снята с регистрации: ставки и выплаты через неё не проводятся."
        raise Refusal("desk_withdrawn", said, withdrawn_at=gone.withdrawn_at.isoformat())


def contract_of(session: Session, desk_id: int) -> AgentContract | None:
    """The contract under which an agent works at a desk, the last one; none where the organizer does."""
    contracts = select(AgentContract).where(AgentContract.desk_id == desk_id)
    return session.scalar(contracts.order_by(AgentContract.id.desc()).limit(1))


def ending_of_contract(session: Session, contract: AgentContract) -> ContractEnding | None:
    """How a contract was withdrawn before its last day, if it was."""
    return session.scalar(select(ContractEnding).where(ContractEnding.contract_id == contract.id))


def refuse_withdrawn_terminal(session: Session, terminal_id: int) -> None:
    """Nothing at a terminal that was withdrawn."""
    gone = session.scalar(select(TerminalWithdrawal).where(TerminalWithdrawal.terminal_id == terminal_id))
    if gone is not None:
        said = "Терминал выведен из работы: войдите с другого терминала кассы."
        raise Refusal("terminal_withdrawn", said, withdrawn_at=gone.withdrawn_at.isoformat())


def no_such_desk() -> Refusal:
    """One refusal for a desk that is not there and one that is another's."""
    return Refusal("not_found", "Такой кассы нет.")


def _desk_lock(desk_id: int) -> Function[int]:
    return func.hashtextextended(f"desk:{desk_id}", 0)
