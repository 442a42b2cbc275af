"""Money that no bet moves: the organizer's own, the special account, the safe, and a player's cash."""

from __future__ import annotations

from enum import StrEnum

from sqlalchemy.orm import Session

from db.clock import trade_time
from desk.places import hold_enough
from desk.shifts import enter_shift
from ledger.accounts import OPERATOR, Kind, open_account
from ledger.journal import Movement, post
from office.callers import Caller
from office.operator import Operator
from players.game_accounts import Deposit
from players.means import Means
from players.models import Player
from players.permission import permit_deposit

DEPOSIT = "deposit"


class TreasuryAct(StrEnum):
    """What the accountant moves between the operator's own places; cash of a desk is carried (:mod:`desk.carrying`)."""

    OWN_MONEY_IN = "own_money_in"
    SPECIAL_ACCOUNT_IN = "special_account_in"
    SPECIAL_ACCOUNT_OUT = "special_account_out"
    SAFE_IN = "safe_in"
    SAFE_OUT = "safe_out"


ROUTES = {
    TreasuryAct.OWN_MONEY_IN: (Kind.BANK, Kind.ORGANIZER),
    TreasuryAct.SPECIAL_ACCOUNT_IN: (Kind.SPECIAL_FUND, Kind.BANK),
    TreasuryAct.SPECIAL_ACCOUNT_OUT: (Kind.BANK, Kind.SPECIAL_FUND),
    TreasuryAct.SAFE_IN: (Kind.SAFE, Kind.BANK),
    TreasuryAct.SAFE_OUT: (Kind.BANK, Kind.SAFE),
}
"""Debit and credit of each act: where the money goes, and where it comes from (T-Prov 9, T-Rules 9.5)."""


def move(session: Session, operator: Operator, act: TreasuryAct, amount: int) -> int:
    """Move money (minor units) between the operator's own places; the id of the transfer.

    Raises:
        Refusal: ``not_enough_money``, less lies where it is taken from.
    """
    # In one order for all acts: two of them that open the same accounts for the first time must not wait in a circle.
    places = {kind: open_account(session, kind, OPERATOR, operator.currency) for kind in sorted(ROUTES[act])}
    debit, credit = (places[kind] for kind in ROUTES[act])
    if act is not TreasuryAct.OWN_MONEY_IN:
        hold_enough(session, credit, amount, operator.currency)
    movement = Movement(debit, credit, amount, act.value)
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
