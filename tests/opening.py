"""A house opened by the acts alone, without a request: nearly every test begins with one, and asks it for nothing."""

from __future__ import annotations

from datetime import date

from sqlalchemy.orm import Session

from desk.carrying import receive, send
from desk.cash import TreasuryAct, move
from desk.certificates import register_certificate
from desk.deliveries import Direction, Place
from desk.shifts import open_shift
from desk.terminals import install_terminal
from office.callers import Caller, Role
from office.operator import Operator
from office.tokens import issue_token
from office.users import create_user

PASSWORD = "correct horse battery"
MANY_DESKS = 1000


def hire(session: Session, login: str, role: Role, by: Caller) -> Caller:
    """A new login of the office."""
    return Caller(role, user_id=create_user(session, login, login.title(), role, PASSWORD, by).id)


def fund(session: Session, operator: Operator) -> None:
    """1000.00 of the organizer's money in the bank, 500.00 of it on the special account."""
    move(session, operator, TreasuryAct.OWN_MONEY_IN, 1000_00)
    move(session, operator, TreasuryAct.SPECIAL_ACCOUNT_IN, 500_00)


def certify(session: Session, operator: Operator, by: Caller) -> None:
    """A certificate for more desks than any test registers."""
    register_certificate(session, operator, "100-2022", MANY_DESKS, date(2022, 1, 10), by)


def give_change(
    session: Session, operator: Operator, desk_id: int, amount: int, sender: Caller, receiver: Caller
) -> None:
    """Cash of the organizer's, carried to a desk from the bank and received there."""
    sent = send(session, operator, Direction.TO_DESK, Place.BANK, desk_id, amount, sender)
    receive(session, operator, Direction.TO_DESK, sent.id, amount, receiver)


def begin_shift(
    session: Session, operator: Operator, desk_id: int, terminal: dict[str, str], counted: int, by: Caller
) -> tuple[str, int]:
    """Put a terminal at the desk and somebody called cashier before it, with a shift: the token, the shift's number."""
    installed = install_terminal(session, desk_id, terminal["code"], terminal["secret"], by)
    cashier = hire(session, "cashier", Role.CASHIER, by)
    assert cashier.user_id is not None
    token, _ = issue_token(session, Caller(Role.CASHIER, user_id=cashier.user_id, terminal_id=installed.id))
    return token, open_shift(session, operator, installed.id, cashier.user_id, counted).id
