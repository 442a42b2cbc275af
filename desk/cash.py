"""Cash and bank money that no bet moves: the desk's float, collection, the special account, a player's money."""

from __future__ import annotations

from enum import StrEnum

from sqlalchemy.orm import Session

from db.clock import trade_time
from desk.gates import refuse_withdrawn_desk
from desk.models import Desk
from desk.places import hold_enough
from desk.shifts import enter_shift, hold_open_shift
from ledger.accounts import OPERATOR, Kind, open_account
from ledger.journal import Movement, post
from ledger.refusals import Refusal
from office.callers import Caller
from office.operator import Operator
from players.game_accounts import Deposit
from players.means import Means
from players.models import Player
from players.permission import permit_deposit

DEPOSIT = "deposit"


class TreasuryAct(StrEnum):
    """What the accountant moves between the operator's own places; the second word is where it goes."""

    OWN_MONEY_IN = "own_money_in"
    SPECIAL_ACCOUNT_IN = "special_account_in"
    SPECIAL_ACCOUNT_OUT = "special_account_out"
    DESK_FLOAT = "desk_float"
    COLLECTION = "collection"


ROUTES = {
    TreasuryAct.OWN_MONEY_IN: (Kind.BANK, Kind.ORGANIZER),
    TreasuryAct.SPECIAL_ACCOUNT_IN: (Kind.SPECIAL_FUND, Kind.BANK),
    TreasuryAct.SPECIAL_ACCOUNT_OUT: (Kind.BANK, Kind.SPECIAL_FUND),
    TreasuryAct.DESK_FLOAT: (Kind.CASH, Kind.BANK),
    TreasuryAct.COLLECTION: (Kind.BANK, Kind.CASH),
}
"""Debit and credit of each act: where the money goes, and where it comes from (T-Prov 9, 18)."""


def move(session: Session, operator: Operator, act: TreasuryAct, amount: int, desk_id: int | None) -> int:
    """Move money (minor units) between the operator's own places; the id of the transfer.

    A movement of a desk's cash belongs to the desk's open shift, if it has one: the shift's expected cash counts it.

    Raises:
        Refusal: ``not_found``, no such desk; ``desk_needed``, the act moves a desk's cash and no desk was named;
            ``desk_withdrawn``, cash is only collected from such a desk; ``not_enough_money``, less lies where it is
            taken from.
    """
    desk = _desk_moved(session, act, desk_id)
    shift_id = None if desk is None else hold_open_shift(session, desk.id)
    if desk is not None and act is not TreasuryAct.COLLECTION:
        refuse_withdrawn_desk(session, desk.id)
    # In one order for all acts: two of them that open the same accounts for the first time must not wait in a circle.
    places = {kind: _place(session, operator, kind, desk) for kind in sorted(ROUTES[act])}
    debit, credit = (places[kind] for kind in ROUTES[act])
    if act is not TreasuryAct.OWN_MONEY_IN:
        hold_enough(session, credit, amount, operator.currency)
    movement = Movement(debit, credit, amount, act.value, shift_id=shift_id)
    at = trade_time(session)
    return post(session, [movement], currency=operator.currency, occurred_at=at, booked_on=operator.day_of(at))[0]


def deposit(session: Session, operator: Operator, player: Player, amount: int, by: Caller) -> int:
    """Take cash at a desk onto a player's game account (T-Rules 35.3); the id of the transfer.

    That it came as cash is on record with it: it goes back the same way (T-Rules 41).

    Raises:
        Refusal: every reason of :func:`desk.shifts.open_shift_of` and of :func:`players.permission.permit_deposit`.
    """
    shift = enter_shift(session, by.terminal_id)
    at = shift.entered_at
    permit_deposit(session, player.id, at)
    movement = Movement(shift.cash_account_id, player.account_id, amount, DEPOSIT, shift_id=shift.id)
    moved = post(session, [movement], currency=operator.currency, occurred_at=at, booked_on=operator.day_of(at))[0]
    came = {"player_id": player.id, "means": Means.CASH_DESK, "amount": amount, "transfer_id": moved}
    session.add(Deposit(**came, entered_by=by.user_id, deposited_at=at))
    session.flush()
    return moved


def _desk_moved(session: Session, act: TreasuryAct, desk_id: int | None) -> Desk | None:
    """The desk whose cash an act moves, if it moves any."""
    desk = None if desk_id is None else session.get(Desk, desk_id)
    if desk_id is not None and desk is None:
        raise Refusal("not_found", "Такой кассы нет.", field="desk_id")
    if Kind.CASH not in ROUTES[act]:
        return None
    if desk is None:
        raise Refusal("desk_needed", "Укажите кассу, наличные которой перемещаются.", field="desk_id")
    return desk


def _place(session: Session, operator: Operator, kind: Kind, desk: Desk | None) -> int:
    if kind is Kind.CASH:
        assert desk is not None, "a movement of cash names its desk"
        return desk.cash_account_id
    return open_account(session, kind, OPERATOR, operator.currency)
