"""What a sports body annuls later is put on record and changes nothing: what was fixed first stands (T-Rules 32)."""

from __future__ import annotations

from datetime import date

from sqlalchemy.orm import Session

from db.clock import trade_time
from events.models import Annulment
from events.protocols import hold_protocol, protocol_of
from events.records import event_by_id
from ledger.refusals import Refusal
from office.callers import Caller
from office.significant.kinds import RESULT_ANNULLED
from office.significant.log import note


def put_annulment_on_record(
    session: Session,
    event_id: int,
    *,
    annulled_by: str,
    document: str,
    document_date: date,
    remarks: str | None,
    by: Caller,
) -> Annulment:
    """Keep the document by which the result of an event was annulled, beside the protocol that stays in force.

    Nothing is settled anew, nobody is refused a win for it, and it is no reason to correct the protocol.

    Raises:
        Refusal: ``not_found``; ``result_not_confirmed``, there is no protocol yet: what is official now goes into it.
    """
    assert by.user_id is not None, "users of the office put it on record"
    event_by_id(session, event_id)
    hold_protocol(session, event_id)
    protocol = protocol_of(session, event_id)
    if protocol is None:
        raise Refusal("result_not_confirmed", "Протокола события ещё нет: отменять нечего.")
    annulment = Annulment(
        event_id=event_id,
        protocol_number=protocol.number,
        annulled_by=annulled_by,
        document=document,
        document_date=document_date,
        remarks=remarks,
        entered_by=by.user_id,
        entered_at=trade_time(session),
    )
    session.add(annulment)
    session.flush()
    note(session, RESULT_ANNULLED, f"event:{event_id}", by, protocol=protocol.number, document=document)
    return annulment
