"""Carrying cash between a desk and the safe or the bank: sent by one person, received by another (T-Rules 9.5).

Change goes to a desk, collection leaves it (T-Prov 18; FIELD-FAULTS 107). Between the two words the money lies in
transit, in no desk; what was sent and did not arrive stays there until somebody answers for it.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from db.clock import trade_time
from desk.deliveries import (
    CashDelivery,
    CashReception,
    DeliveryClearing,
    Direction,
    Outcome,
    Place,
    no_such_delivery,
    received,
)
from desk.gates import desk_by_id, refuse_withdrawn_desk
from desk.models import Desk
from desk.places import hold_enough
from desk.shifts import hold_open_shift
from ledger.accounts import OPERATOR, Kind, open_account
from ledger.journal import Movement, post
from ledger.money import currency, format_amount
from ledger.refusals import Refusal
from office.callers import Caller
from office.operator import Operator
from office.significant.kinds import DELIVERY_CLEARED, DELIVERY_SHORT
from office.significant.log import note

KINDS = {
    Direction.TO_DESK: ("desk_float_sent", "desk_float"),
    Direction.FROM_DESK: ("collection", "collection_received"),
}
"""The kinds of the two legs' transfers; the leg that moves a desk's cash has the short name."""
CLEARED = {Outcome.RETURNED: "delivery_returned", Outcome.MISSING: "delivery_missing"}


def send(
    session: Session, operator: Operator, direction: Direction, place: Place, desk_id: int, amount: int, by: Caller
) -> CashDelivery:
    """Hand cash over to whoever carries it: it leaves its place and lies in transit until it is received.

    What leaves a desk belongs to the desk's open shift, if it has one: the shift's expected cash counts it.

    Raises:
        Refusal: ``not_found``, no such desk; ``desk_withdrawn``, cash is only collected from such a desk;
            ``not_enough_money``, less lies where it is taken from.
    """
    assert by.user_id is not None, "a user of the office sends cash"
    desk = desk_by_id(session, desk_id)
    shift_id = hold_open_shift(session, desk.id)
    if direction is Direction.TO_DESK:
        refuse_withdrawn_desk(session, desk.id)
    source = _source(session, operator, direction, place, desk)
    hold_enough(session, source, amount, operator.currency)
    leg = Movement(
        _in_transit(session, operator),
        source,
        amount,
        KINDS[direction][0],
        shift_id=shift_id if direction is Direction.FROM_DESK else None,
    )
    at = trade_time(session)
    delivery = CashDelivery(
        direction=direction.value,
        place=place.value,
        desk_id=desk.id,
        amount=amount,
        transfer_id=_post(session, operator, leg, at),
        sent_by=by.user_id,
        sent_at=at,
    )
    session.add(delivery)
    session.flush()
    return delivery


def receive(
    session: Session, operator: Operator, direction: Direction, number: int, amount: int, by: Caller
) -> CashReception:
    """Take cash in at the other side, as much as was counted there, once; the rest stays in transit for all to see.

    What reaches a desk belongs to the desk's open shift, if it has one.

    Raises:
        Refusal: ``not_found``; ``sender_receives``, the same person sent it; ``already_received``;
            ``delivery_cleared``; ``more_than_sent``; ``desk_withdrawn``.
    """
    assert by.user_id is not None, "a user of the office receives cash"
    delivery, desk = _held(session, number, direction)
    if delivery.sent_by == by.user_id:
        raise Refusal("sender_receives", "Принимает другой сотрудник, а не тот, кто передал.")
    _refuse_ended(session, delivery)
    if amount > delivery.amount:
        sent = format_amount(delivery.amount, currency(operator.currency))
        raise Refusal("more_than_sent", f"По документу передано {sent}: пересчитайте наличные.", sent=sent)
    at = trade_time(session)
    reception = CashReception(
        delivery_id=delivery.id,
        sent_by=delivery.sent_by,
        amount=amount,
        transfer_id=_post(session, operator, _second_leg(session, operator, delivery, desk, amount), at),
        received_by=by.user_id,
        received_at=at,
    )
    session.add(reception)
    session.flush()
    _note_short(session, operator, delivery, amount, by)
    return reception


def clear(
    session: Session, operator: Operator, number: int, outcome: Outcome, reason: str, by: Caller
) -> DeliveryClearing:
    """Say what became of the cash that stayed in transit: back at its sender's, or missing and the organizer's claim.

    Raises:
        Refusal: ``not_found``; ``delivery_cleared``, it was before; ``nothing_in_transit``, all of it was received.
    """
    assert by.user_id is not None, "a user of the office answers for cash in transit"
    delivery, desk = _held(session, number)
    if _clearing_of(session, delivery.id) is not None:
        raise _cleared()
    rest = delivery.amount - received(session, delivery.id)
    if rest == 0:
        raise Refusal("nothing_in_transit", "По этому документу всё принято.")
    at = trade_time(session)
    clearing = DeliveryClearing(
        delivery_id=delivery.id,
        outcome=outcome.value,
        amount=rest,
        reason=reason,
        transfer_id=_post(session, operator, _last_leg(session, operator, delivery, desk, outcome, rest, reason), at),
        cleared_by=by.user_id,
        cleared_at=at,
    )
    session.add(clearing)
    session.flush()
    told = {"amount": format_amount(rest, currency(operator.currency)), "outcome": outcome.value, "reason": reason}
    note(session, DELIVERY_CLEARED, f"cash_delivery:{delivery.id}", by, desk=desk.code, **told)
    return clearing


def _held(session: Session, number: int, direction: Direction | None = None) -> tuple[CashDelivery, Desk]:
    """A delivery that nobody else ends before this transaction does."""
    delivery = session.get(CashDelivery, number)
    if delivery is None or direction not in (None, delivery.direction):
        raise no_such_delivery()
    session.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(f"cash delivery:{number}", 0))))
    return delivery, session.get_one(Desk, delivery.desk_id)


def _refuse_ended(session: Session, delivery: CashDelivery) -> None:
    if received(session, delivery.id):
        raise Refusal("already_received", "Эта передача уже принята.")
    if _clearing_of(session, delivery.id) is not None:
        raise _cleared()


def _cleared() -> Refusal:
    return Refusal("delivery_cleared", "Остаток этой передачи уже списан или возвращён.")


def _clearing_of(session: Session, delivery_id: int) -> int | None:
    return session.scalar(select(DeliveryClearing.id).where(DeliveryClearing.delivery_id == delivery_id))


def _second_leg(session: Session, operator: Operator, delivery: CashDelivery, desk: Desk, amount: int) -> Movement:
    """From transit to where the cash was sent."""
    transit = _in_transit(session, operator)
    if delivery.direction == Direction.TO_DESK:
        shift_id = hold_open_shift(session, desk.id)
        refuse_withdrawn_desk(session, desk.id)
        return Movement(desk.cash_account_id, transit, amount, KINDS[Direction.TO_DESK][1], shift_id=shift_id)
    place = _account(session, operator, Place(delivery.place))
    return Movement(place, transit, amount, KINDS[Direction.FROM_DESK][1])


def _last_leg(
    session: Session, operator: Operator, delivery: CashDelivery, desk: Desk, outcome: Outcome, rest: int, reason: str
) -> Movement:
    """From transit back to the sender's place, or to the organizer's claims."""
    transit, kind = _in_transit(session, operator), CLEARED[outcome]
    if outcome is Outcome.MISSING:
        claims = open_account(session, Kind.CLAIMS, OPERATOR, operator.currency)
        return Movement(claims, transit, rest, kind, reason=reason)
    if delivery.direction == Direction.TO_DESK:
        return Movement(_account(session, operator, Place(delivery.place)), transit, rest, kind, reason=reason)
    shift_id = hold_open_shift(session, desk.id)
    return Movement(desk.cash_account_id, transit, rest, kind, shift_id=shift_id, reason=reason)


def _note_short(session: Session, operator: Operator, delivery: CashDelivery, amount: int, by: Caller) -> None:
    if amount < delivery.amount:
        money = currency(operator.currency)
        told = {"sent": format_amount(delivery.amount, money), "received": format_amount(amount, money)}
        note(session, DELIVERY_SHORT, f"cash_delivery:{delivery.id}", by, **told)


def _source(session: Session, operator: Operator, direction: Direction, place: Place, desk: Desk) -> int:
    return desk.cash_account_id if direction is Direction.FROM_DESK else _account(session, operator, place)


def _account(session: Session, operator: Operator, place: Place) -> int:
    return open_account(session, Kind(place.value), OPERATOR, operator.currency)


def _in_transit(session: Session, operator: Operator) -> int:
    return open_account(session, Kind.CASH_IN_TRANSIT, OPERATOR, operator.currency)


def _post(session: Session, operator: Operator, leg: Movement, at: datetime) -> int:
    return post(session, [leg], currency=operator.currency, occurred_at=at, booked_on=operator.day_of(at))[0]
