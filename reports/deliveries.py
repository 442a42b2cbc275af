"""Documents of carried cash as they are read: both legs, and what is still in transit (FIELD-FAULTS 107)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row, Select, func, select
from sqlalchemy.orm import Session, aliased

from db.pages import matching, newest_first
from desk.deliveries import CashDelivery, CashReception, DeliveryClearing, no_such_delivery
from desk.models import Desk
from office.users import User

Sender, Receiver, Clearer = aliased(User), aliased(User), aliased(User)
IN_TRANSIT = (
    CashDelivery.amount - func.coalesce(CashReception.amount, 0) - func.coalesce(DeliveryClearing.amount, 0)
).label("in_transit")
DOCUMENTS: Select[*tuple[Any, ...]] = (
    select(
        CashDelivery.id.label("number"),
        CashDelivery.direction,
        CashDelivery.place,
        CashDelivery.desk_id,
        Desk.code.label("desk"),
        CashDelivery.amount,
        Sender.name.label("sent_by"),
        CashDelivery.sent_at,
        CashReception.amount.label("received"),
        Receiver.name.label("received_by"),
        CashReception.received_at,
        DeliveryClearing.amount.label("cleared"),
        DeliveryClearing.outcome,
        DeliveryClearing.reason.label("clearing_reason"),
        Clearer.name.label("cleared_by"),
        IN_TRANSIT,
    )
    .join(Desk, Desk.id == CashDelivery.desk_id)
    .join(Sender, Sender.id == CashDelivery.sent_by)
    .outerjoin(CashReception, CashReception.delivery_id == CashDelivery.id)
    .outerjoin(Receiver, Receiver.id == CashReception.received_by)
    .outerjoin(DeliveryClearing, DeliveryClearing.delivery_id == CashDelivery.id)
    .outerjoin(Clearer, Clearer.id == DeliveryClearing.cleared_by)
)


def document(session: Session, number: int) -> Row[*tuple[Any, ...]]:
    """The document with this number.

    Raises:
        Refusal: ``not_found``.
    """
    found = session.execute(DOCUMENTS.where(CashDelivery.id == number)).first()
    if found is None:
        raise no_such_delivery()
    return found


def documents(
    session: Session, before: int, limit: int, *, desk_id: int | None = None, in_transit: bool | None = None
) -> Sequence[Row[*tuple[Any, ...]]]:
    """The documents, the latest sent first; of one desk, only those with money on its way, where asked."""
    wanted = matching(DOCUMENTS, {CashDelivery.desk_id: desk_id, (IN_TRANSIT.element > 0): in_transit})
    return session.execute(newest_first(wanted, CashDelivery.id, before, limit)).all()
