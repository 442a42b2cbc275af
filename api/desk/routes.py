"""Desks, terminals, shifts, cash, payouts."""

from __future__ import annotations

import secrets
from functools import partial
from operator import attrgetter
from typing import Any

from sqlalchemy import select

from api.answers import refuses
from api.auth import allowed
from api.desk.schemas import (
    CountedCash,
    DeskShown,
    NewDeposit,
    NewDesk,
    NewPayout,
    NewTerminal,
    NewTreasuryMovement,
    PayoutPage,
    PayoutShown,
    ShiftShown,
    TerminalShown,
    TransferShown,
)
from api.fields import IdempotencyKey, PageQuery
from api.house import caller, house, session
from api.pages import page_of
from api.requests import Blueprint, keyed
from desk.cash import deposit, move
from desk.models import Desk, Terminal
from desk.payouts import pay
from desk.shifts import close_shift, install_terminal, open_shift, register_desk
from ledger.journal import Transfer
from ledger.refusals import Refusal
from office.users import Role
from players.models import Player
from reports.payouts import journal, line
from reports.shifts import ShiftSheet, shift_sheet

desk = Blueprint("desk", __name__, url_prefix="/api/v1", description="Кассы, смены, наличные, выплаты")


@desk.post("/desks")
@desk.doc(operationId="register_desk")
@desk.arguments(NewDesk)
@desk.response(201, DeskShown)
@allowed(Role.ADMINISTRATOR)
@refuses("code_taken")
def register(told: dict[str, Any]) -> Desk:
    """Register a desk by its tax certificate."""
    desk = register_desk(session(), Desk(**told, registered_by=caller().user_id), house().operator.currency)
    session().commit()
    return desk


@desk.post("/desks/<int:desk_id>/terminals")
@desk.doc(operationId="install_terminal")
@desk.arguments(NewTerminal)
@desk.response(201, TerminalShown)
@allowed(Role.ADMINISTRATOR)
@refuses("code_taken")
def install(told: dict[str, Any], desk_id: int) -> dict[str, Any]:
    """Put a terminal at a desk; its secret is answered this once."""
    secret = secrets.token_urlsafe(24)
    terminal = install_terminal(session(), desk_id, told["code"], secret)
    session().commit()
    return {"id": terminal.id, "desk_id": desk_id, "code": terminal.code, "secret": secret}


@desk.post("/shifts")
@desk.doc(operationId="open_shift")
@desk.arguments(CountedCash)
@desk.response(201, ShiftShown)
@allowed(Role.CASHIER)
@refuses("shift_already_open", "counted_cash_differs")
def start_shift(told: dict[str, Any]) -> ShiftSheet:
    """Open a shift at the caller's desk on counted cash."""
    me = caller()
    assert me.terminal_id is not None and me.user_id is not None, "a cashier is bound to a terminal"
    shift = open_shift(session(), me.terminal_id, me.user_id, told["counted"])
    session().commit()
    return shift_sheet(session(), shift.id)


@desk.get("/shifts/<int:shift_id>")
@desk.response(200, ShiftShown)
@allowed(Role.CASHIER, Role.SUPERVISOR, Role.ACCOUNTANT, Role.AUDITOR)
def show_shift(shift_id: int) -> ShiftSheet:
    """A shift and its cash; cashiers see the shifts of their own desk."""
    sheet = shift_sheet(session(), shift_id)
    _own_desk(sheet)
    return sheet


@desk.post("/shifts/<int:shift_id>/closing")
@desk.doc(operationId="close_shift")
@desk.arguments(IdempotencyKey, location="headers")
@desk.arguments(CountedCash)
@desk.response(201, ShiftShown)
@allowed(Role.CASHIER)
@refuses("shift_already_closed")
def end_shift(headers: dict[str, Any], told: dict[str, Any], shift_id: int) -> Any:
    """Close a shift on counted cash; a difference is booked and stays on record."""
    _own_desk(shift_sheet(session(), shift_id))
    cashier = caller().user_id
    assert cashier is not None, "a cashier is a user of the office"
    _, replay = keyed(
        headers["key"],
        told,
        lambda: close_shift(session(), house().operator, shift_id, cashier, told["counted"]).id,
    )
    return shift_sheet(session(), shift_id), replay


@desk.post("/treasury-movements")
@desk.arguments(IdempotencyKey, location="headers")
@desk.arguments(NewTreasuryMovement)
@desk.response(201, TransferShown)
@allowed(Role.ACCOUNTANT)
@refuses("not_found", "desk_needed", "not_enough_money")
def move_treasury(headers: dict[str, Any], told: dict[str, Any]) -> Any:
    """Move the operator's own money between bank, special account and desks."""
    number, replay = keyed(
        headers["key"],
        told,
        lambda: move(session(), house().operator, told["act"], told["amount"], told.get("desk_id")),
    )
    return session().get_one(Transfer, number), replay


@desk.post("/deposits")
@desk.arguments(IdempotencyKey, location="headers")
@desk.arguments(NewDeposit)
@desk.response(201, TransferShown)
@allowed(Role.CASHIER)
@refuses("not_found", "player_blocked", "no_open_shift")
def take_deposit(headers: dict[str, Any], told: dict[str, Any]) -> Any:
    """Take cash onto a player's game account."""
    number, replay = keyed(headers["key"], told, lambda: _deposit(told))
    return session().get_one(Transfer, number), replay


@desk.post("/payouts")
@desk.arguments(IdempotencyKey, location="headers")
@desk.arguments(NewPayout)
@desk.response(201, PayoutShown)
@allowed(Role.CASHIER)
@refuses(
    "no_open_shift",
    "ticket_not_found",
    "ticket_is_online",
    "not_settled",
    "ticket_lost",
    "already_paid",
    "not_payable_yet",
    "payment_term_over",
    "not_enough_money",
)
def pay_out(headers: dict[str, Any], told: dict[str, Any]) -> Any:
    """Pay a winning ticket in cash against an identity document, and write the journal's line."""
    payout_id, replay = keyed(headers["key"], _without_secrets(told), lambda: _pay(told))
    return line(session(), house().persons, payout_id), replay


@desk.get("/payouts")
@desk.arguments(PageQuery, location="query")
@desk.response(200, PayoutPage)
@allowed(Role.SUPERVISOR, Role.ACCOUNTANT, Role.AUDITOR)
def list_payouts(page: dict[str, Any]) -> dict[str, Any]:
    """The journal of cash payouts, numbered through."""
    lines, following = page_of(page, partial(journal, session(), house().persons), attrgetter("number"))
    return {"items": lines, "next_cursor": following}


def _deposit(told: dict[str, Any]) -> int:
    player = session().scalar(select(Player).where(Player.login == told["player"].lower()))
    if player is None or player.account_id is None:
        raise Refusal("not_found", "Игрока с таким логином нет.", field="player")
    if player.blocked_at is not None:
        raise Refusal("player_blocked", "Регистрация игрока прекращена или заблокирована.")
    terminal_id = caller().terminal_id
    assert terminal_id is not None, "a cashier is bound to a terminal"
    return deposit(session(), house().operator, terminal_id, player.account_id, told["amount"])


def _pay(told: dict[str, Any]) -> int:
    document = told["document"]
    person = house().persons.record(
        session(),
        {
            "surname": told["surname"],
            "name": told["name"],
            "patronymic": told.get("patronymic", ""),
            "document_kind": document["kind"],
            "document_number": document["number"],
            "document_issued_on": document["issued_on"].isoformat(),
            "document_issued_by": document["issued_by"],
        },
    )
    return pay(session(), house().operator, house().codes.digest(told["code"]), person, caller()).id


def _without_secrets(told: dict[str, Any]) -> dict[str, Any]:
    """What a payout means, for its key: the code enters as its HMAC, so that the fingerprint betrays nothing."""
    return {**told, "code": house().codes.digest(told["code"]).hex()}


def _own_desk(sheet: ShiftSheet) -> None:
    me = caller()
    own = session().scalar(select(Terminal.desk_id).where(Terminal.id == me.terminal_id))
    if me.role is Role.CASHIER and sheet.desk_id != own:
        raise Refusal("not_found", "Такой смены нет.")
