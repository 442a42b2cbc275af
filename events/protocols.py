"""Protocols: a second person fixes a result, the first fixed stands, and a clerical error is corrected (D-14)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import Function, func, select
from sqlalchemy.orm import Session

from db.clock import trade_time
from events.models import Protocol, Result, Standing
from events.records import result_of
from ledger.refusals import Refusal
from office.approvals.acts import CORRECTION, RESULT
from office.approvals.deciding import Decision, settle_proposal
from office.approvals.models import Proposal
from office.approvals.proposing import use
from office.approvals.standing import State, hold
from office.callers import Caller
from office.numbers import next_number
from office.significant.kinds import PROTOCOL_CORRECTED
from office.significant.log import note

PROTOCOLS = "protocols"


@dataclass(frozen=True)
class Trade:
    """What correcting a protocol means to a trade that may have settled by it; an event's room knows no trade (D-14).

    ``object_to`` raises a refusal where the trade has something against the result that is to take the other's place.
    ``halt`` is called before it is confirmed, and keeps anybody from being paid by the old protocol until the
    transaction ends. ``settle_again`` begins, in the same transaction, to settle by the new one.
    """

    object_to: Callable[[Session, Result], None]
    halt: Callable[[Session, int], None]
    settle_again: Callable[[Session, Protocol], None]


def confirm_result(
    session: Session,
    event_id: int,
    result_id: int,
    *,
    by: Caller,
    signatories: list[str],
    trades: tuple[Trade, ...],
    place: str | None = None,
    remarks: str | None = None,
) -> Protocol:
    """Draw up the protocol of an entered result, signed by the commission's members (T-Rules 10, 30).

    The protocol is the approval of the result's proposal and what it is used for, in one transaction. Whatever else was
    proposed for the event is refused by it. What the trades had settled by a corrected protocol they begin to settle
    again, in the same transaction (D-14).

    Raises:
        Refusal: ``not_found``; ``result_already_fixed``; those of :func:`corrected_protocol`; ``second_person_needed``,
            the enterer cannot confirm; ``approval_already_decided``, it was refused or withdrawn; ``approval_lapsed``;
            ``forbidden`` and ``proposer_not_entitled``, one of the two has lost the right.
    """
    assert by.user_id is not None, "users of the office confirm"
    result = result_of(session, event_id, result_id)
    corrected = _take_turn(session, result, trades)
    _approve(session, result, by)
    protocol = Protocol(
        event_id=event_id,
        version=1 if corrected is None else corrected.version + 1,
        result_id=result.id,
        entered_by=result.entered_by,
        confirmed_by=by.user_id,
        signatories=signatories,
        drawn_up_at=trade_time(session),
        place=place,
        remarks=remarks,
        corrects=result.corrects,
        number=next_number(session, PROTOCOLS),
    )
    session.add(protocol)
    session.flush()
    _dismiss_others(session, event_id, by)
    if corrected is not None:
        _note_correction(session, corrected, protocol, result, by)
        for trade in trades:
            trade.settle_again(session, protocol)
    return protocol


def corrected_protocol(session: Session, result: Result, trades: tuple[Trade, ...]) -> Protocol:
    """The protocol a result is to correct: the last one of its event, and one no trade is just settling by.

    Raises:
        Refusal: ``not_found``; ``protocol_superseded``, another one has corrected it; those of the trades.
    """
    event_id, number = result.event_id, result.corrects
    latest = protocol_of(session, event_id)
    named = select(Protocol.id).where(Protocol.event_id == event_id, Protocol.number == number)
    if latest is None or session.scalar(named) is None:
        raise Refusal("not_found", "Такого протокола у этого события нет.", field="corrects")
    if latest.number != number:
        said = f"Этот протокол уже исправлен: действует протокол № {latest.number}."
        raise Refusal("protocol_superseded", said, number=latest.number)
    for trade in trades:
        trade.object_to(session, result)
    return latest


def refuse_if_fixed(session: Session, event_id: int) -> None:
    """What was fixed first stands, even if the result is annulled later (T-Rules 32)."""
    if protocol_of(session, event_id) is not None:
        raise Refusal("result_already_fixed", "Результат события уже зафиксирован протоколом.")


def protocol_of(session: Session, event_id: int) -> Protocol | None:
    """The latest protocol of an event: the one that is in force."""
    return session.scalar(
        select(Protocol).where(Protocol.event_id == event_id).order_by(Protocol.version.desc()).limit(1)
    )


def hold_protocol(session: Session, event_id: int) -> None:
    """Keep an event's protocol as it is until this transaction ends; whoever would draw one up waits.

    Read the protocol in a later statement, which sees what was drawn up while this one waited.
    """
    session.execute(select(func.pg_advisory_xact_lock_shared(_lock(event_id))))


def is_called_off(session: Session, event_id: int) -> bool:
    """Whether the protocol in force says that the event was not held or was interrupted (T-Rules 32)."""
    protocol = protocol_of(session, event_id)
    return protocol is not None and session.get_one(Result, protocol.result_id).standing != Standing.HELD


def _take_turn(session: Session, result: Result, trades: tuple[Trade, ...]) -> Protocol | None:
    """Wait for whoever confirms another result of this event or begins to settle by it; the protocol to correct.

    The payouts are halted before it is asked what stands against the correction, and before any number is drawn.
    """
    session.execute(select(func.pg_advisory_xact_lock(_lock(result.event_id))))
    if result.corrects is None:
        refuse_if_fixed(session, result.event_id)
        return None
    for trade in trades:
        trade.halt(session, result.event_id)
    return corrected_protocol(session, result, trades)


def _approve(session: Session, result: Result, by: Caller) -> None:
    if result.proposal_id is None:
        raise Refusal("approval_lapsed", "Результат внесён до обновления программы: внесите его заново.")
    act = RESULT if result.corrects is None else CORRECTION
    settle_proposal(session, result.proposal_id, Decision.APPROVED, by, None)
    use(session, result.proposal_id, act, f"event:{result.event_id}", result.told, by)


def _dismiss_others(session: Session, event_id: int, by: Caller) -> None:
    """What else waits for this event can be confirmed no more: nobody should find it among what waits."""
    others = select(Proposal.id).where(Proposal.subject == f"event:{event_id}").order_by(Proposal.id)
    for number in session.scalars(others).all():
        standing = hold(session, number)
        if standing.state is State.WAITING:
            own = standing.proposal.proposed_by == by.user_id
            word = Decision.WITHDRAWN if own else Decision.REFUSED
            settle_proposal(session, number, word, by, "По событию составлен протокол другого результата.")


def _note_correction(session: Session, corrected: Protocol, protocol: Protocol, result: Result, by: Caller) -> None:
    before = session.get_one(Result, corrected.result_id)
    note(
        session,
        PROTOCOL_CORRECTED,
        f"event:{protocol.event_id}",
        by,
        corrected=corrected.number,
        by_protocol=protocol.number,
        reason=result.reason,
        was=list(before.outcomes),
        now=list(result.outcomes),
        **({"stood": before.standing, "stands": result.standing} if before.standing != result.standing else {}),
    )


def _lock(event_id: int) -> Function[int]:
    return func.hashtextextended(f"protocol:{event_id}", 0)
