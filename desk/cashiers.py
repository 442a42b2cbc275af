"""Who works where: a cashier assigned to desks signs in at their terminals only (decision 0016)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Function, Row, Select, func, select
from sqlalchemy.orm import Session

from db.clock import trade_time
from db.pages import matching, newest_first
from desk.gates import stand_in
from desk.models import AssignmentEnding, DeskAssignment, Terminal
from ledger.refusals import Refusal
from office.callers import Caller, Role
from office.logins import normal_login
from office.significant.kinds import CASHIER_ASSIGNED, CASHIER_DISMISSED
from office.significant.log import note
from office.tokens import AccessToken, end_sessions
from office.users import User


def assign(session: Session, desk_id: int, login: str, by: Caller) -> DeskAssignment:
    """Let a cashier work at a desk from now on, and nowhere but at the desks the cashier is assigned to.

    Sessions of the cashier at other desks end: they began when the cashier could work anywhere.

    Raises:
        Refusal: ``not_found``, no such desk, or no cashier with this login; ``desk_withdrawn``; ``already_assigned``.
    """
    assert by.user_id is not None, "a user of the office assigns cashiers"
    desk = stand_in(session, desk_id)
    cashier = session.scalar(select(User).where(User.login == normal_login(login), User.role == Role.CASHIER.value))
    if cashier is None:
        raise Refusal("not_found", "Кассира с таким логином нет.", field="cashier")
    session.execute(select(func.pg_advisory_xact_lock(_work_of(cashier.id))))
    if desk_id in session.scalars(_desks_of(cashier.id)).all():
        raise Refusal("already_assigned", "Кассир уже допущен к этой кассе.")
    assignment = DeskAssignment(
        cashier_id=cashier.id, desk_id=desk_id, assigned_by=by.user_id, assigned_at=trade_time(session)
    )
    session.add(assignment)
    session.flush()
    ended = _end_elsewhere(session, cashier.id)
    facts = {"desk": desk.code, "assignment": assignment.id, "sessions_ended": ended}
    note(session, CASHIER_ASSIGNED, f"user:{cashier.id}", by, **facts)
    return assignment


def dismiss(session: Session, desk_id: int, assignment_id: int, reason: str, by: Caller) -> AssignmentEnding:
    """End a cashier's work at a desk, and the cashier's sessions there.

    Raises:
        Refusal: ``not_found``, this desk has no such assignment; ``assignment_ended``, it was already.
    """
    assert by.user_id is not None, "a user of the office dismisses cashiers"
    assignment = session.get(DeskAssignment, assignment_id)
    if assignment is None or assignment.desk_id != desk_id:
        raise no_such_assignment()
    session.execute(select(func.pg_advisory_xact_lock(_work_of(assignment.cashier_id))))
    if session.scalar(select(AssignmentEnding.id).where(AssignmentEnding.assignment_id == assignment_id)) is not None:
        raise Refusal("assignment_ended", "Допуск к этой кассе уже прекращён.")
    ending = AssignmentEnding(
        assignment_id=assignment_id, reason=reason, ended_by=by.user_id, ended_at=trade_time(session)
    )
    session.add(ending)
    session.flush()
    ended = _end_elsewhere(session, assignment.cashier_id)
    facts = {"assignment": assignment_id, "reason": reason, "sessions_ended": ended}
    note(session, CASHIER_DISMISSED, f"user:{assignment.cashier_id}", by, **facts)
    return ending


def refuse_elsewhere(session: Session, cashier_id: int, terminal_id: int) -> None:
    """Let a cashier sign in where the cashier works; kept so until this transaction ends.

    Raises:
        Refusal: ``not_assigned``, the cashier was assigned to other desks.
    """
    session.execute(select(func.pg_advisory_xact_lock_shared(_work_of(cashier_id))))
    if session.scalar(select(DeskAssignment.id).where(DeskAssignment.cashier_id == cashier_id).limit(1)) is None:
        return
    here = session.get_one(Terminal, terminal_id).desk_id
    if here not in session.scalars(_desks_of(cashier_id)).all():
        raise Refusal("not_assigned", "Вы не допущены к этой кассе: войдите на своей.")


def assignment(session: Session, assignment_id: int) -> Row[*tuple[Any, ...]]:
    """An assignment as it is listed."""
    return session.execute(_listed().where(DeskAssignment.id == assignment_id)).one()


def assignments(
    session: Session, desk_id: int, before: int, limit: int, *, in_force: bool | None = None
) -> Sequence[Row[*tuple[Any, ...]]]:
    """The assignments to a desk, the newest first; only those in force, or only the ended, where asked."""
    wanted = matching(_listed(), {DeskAssignment.desk_id: desk_id, AssignmentEnding.id.is_(None): in_force})
    return session.execute(newest_first(wanted, DeskAssignment.id, before, limit)).all()


def no_such_assignment() -> Refusal:
    """One refusal for an assignment that is not there and one to another desk."""
    return Refusal("not_found", "Такого допуска у этой кассы нет.")


def _desks_of(cashier_id: int) -> Select[int]:
    """The desks a cashier is assigned to now."""
    ended = select(AssignmentEnding.id).where(AssignmentEnding.assignment_id == DeskAssignment.id)
    return select(DeskAssignment.desk_id).where(DeskAssignment.cashier_id == cashier_id, ~ended.exists())


def _end_elsewhere(session: Session, cashier_id: int) -> int:
    elsewhere = select(Terminal.id).where(Terminal.desk_id.not_in(_desks_of(cashier_id)))
    return end_sessions(session, AccessToken.user_id == cashier_id, AccessToken.terminal_id.in_(elsewhere))


def _listed() -> Select[*tuple[Any, ...]]:
    return (
        select(
            DeskAssignment.id,
            DeskAssignment.desk_id,
            User.login.label("cashier"),
            DeskAssignment.assigned_at,
            AssignmentEnding.ended_at,
            AssignmentEnding.reason.label("ending_reason"),
        )
        .join(User, User.id == DeskAssignment.cashier_id)
        .outerjoin(AssignmentEnding, AssignmentEnding.assignment_id == DeskAssignment.id)
    )


def _work_of(cashier_id: int) -> Function[int]:
    return func.hashtextextended(f"cashier:{cashier_id}", 0)
