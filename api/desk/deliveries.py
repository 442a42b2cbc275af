"""Cash carried between desks and the bank or the safe: sent by one, received by another, documents of both legs."""

from __future__ import annotations

from functools import partial
from operator import attrgetter
from typing import Any

from sqlalchemy import Row

from api.answers import refuses
from api.auth import allowed
from api.desk.blueprint import desk
from api.desk.delivery_schemas import (
    DeliveryPage,
    DeliveryQuery,
    DeliveryShown,
    NewClearing,
    NewDelivery,
    NewReception,
)
from api.fields import IdempotencyKey
from api.house import caller, house, session
from api.ownership import own_desk, own_only
from api.pages import page_of
from api.requests import keyed
from desk.carrying import clear, receive, send
from desk.deliveries import Direction, no_such_delivery
from desk.gates import no_such_desk
from office.callers import Role
from reports.deliveries import document, documents

READERS = (Role.CASHIER, Role.SUPERVISOR, Role.ACCOUNTANT, Role.AUDITOR)
RECEPTION_REFUSALS = ("sender_receives", "already_received", "delivery_cleared", "more_than_sent")


@desk.post("/desk-floats")
@desk.arguments(IdempotencyKey, location="headers")
@desk.arguments(NewDelivery)
@desk.response(201, DeliveryShown)
@allowed(Role.ACCOUNTANT)
@refuses("not_found", "desk_withdrawn", "not_enough_money")
def send_float(headers: dict[str, Any], told: dict[str, Any]) -> Any:
    """Send change to a desk; it lies in transit until somebody else receives it there."""
    return _send(Direction.TO_DESK, headers["key"], told)


@desk.post("/collections")
@desk.arguments(IdempotencyKey, location="headers")
@desk.arguments(NewDelivery)
@desk.response(201, DeliveryShown)
@allowed(Role.CASHIER, Role.SUPERVISOR)
@refuses("not_found", "not_enough_money")
def send_collection(headers: dict[str, Any], told: dict[str, Any]) -> Any:
    """Hand cash of a desk over to be collected; cashiers hand over their own desk's."""
    own_only(no_such_desk(), desk_id=told["desk_id"])
    return _send(Direction.FROM_DESK, headers["key"], told)


@desk.post("/desk-floats/<int:number>/reception")
@desk.arguments(IdempotencyKey, location="headers")
@desk.arguments(NewReception)
@desk.response(201, DeliveryShown)
@allowed(Role.CASHIER, Role.SUPERVISOR)
@refuses(*RECEPTION_REFUSALS, "desk_withdrawn")
def receive_float(headers: dict[str, Any], told: dict[str, Any], number: int) -> Any:
    """Receive change at its desk, as much as was counted; cashiers receive at their own."""
    own_only(no_such_delivery(), desk_id=document(session(), number).desk_id)
    return _receive(Direction.TO_DESK, headers["key"], told, number)


@desk.post("/collections/<int:number>/reception")
@desk.arguments(IdempotencyKey, location="headers")
@desk.arguments(NewReception)
@desk.response(201, DeliveryShown)
@allowed(Role.ACCOUNTANT)
@refuses(*RECEPTION_REFUSALS)
def receive_collection(headers: dict[str, Any], told: dict[str, Any], number: int) -> Any:
    """Receive collected cash at the bank or the safe, as much as was counted there."""
    return _receive(Direction.FROM_DESK, headers["key"], told, number)


@desk.post("/cash-deliveries/<int:number>/clearing")
@desk.arguments(IdempotencyKey, location="headers")
@desk.arguments(NewClearing)
@desk.response(201, DeliveryShown)
@allowed(Role.ACCOUNTANT)
@refuses("delivery_cleared", "nothing_in_transit")
def clear_delivery(headers: dict[str, Any], told: dict[str, Any], number: int) -> Any:
    """Answer for cash that did not arrive: it is back at its sender's, or missing and the organizer's claim."""
    _, replay = keyed(
        headers["key"],
        told,
        lambda: clear(session(), house().operator, number, told["outcome"], told["reason"], caller()).id,
    )
    return document(session(), number), replay


@desk.get("/cash-deliveries")
@desk.arguments(DeliveryQuery, location="query")
@desk.response(200, DeliveryPage)
@allowed(*READERS)
@refuses("not_found")
def list_deliveries(asked: dict[str, Any]) -> dict[str, Any]:
    """The documents of carried cash, the latest sent first; cashiers see those of their own desk."""
    desk_id = own_desk(asked.get("desk_id"), no_such_desk())
    read = partial(documents, session(), desk_id=desk_id, in_transit=asked.get("in_transit"))
    found, following = page_of(asked, read, attrgetter("number"))
    return {"items": found, "next_cursor": following}


@desk.get("/cash-deliveries/<int:number>")
@desk.response(200, DeliveryShown)
@allowed(*READERS)
def show_delivery(number: int) -> Row[Any]:
    """A document of carried cash, read from the record; cashiers see those of their own desk."""
    found = document(session(), number)
    own_only(no_such_delivery(), desk_id=found.desk_id)
    return found


def _send(direction: Direction, key: str, told: dict[str, Any]) -> Any:
    asked = (direction, told["place"], told["desk_id"], told["amount"], caller())
    number, replay = keyed(key, told, lambda: send(session(), house().operator, *asked).id)
    return document(session(), number), replay


def _receive(direction: Direction, key: str, told: dict[str, Any], number: int) -> Any:
    asked = (direction, number, told["counted"], caller())
    _, replay = keyed(key, told, lambda: receive(session(), house().operator, *asked).id)
    return document(session(), number), replay
