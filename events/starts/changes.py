"""Putting on record what became of an event's start; bets of the whole house are divided by its instant."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.orm import Session

from events.protocols import refuse_if_fixed
from events.records import event_by_id
from events.starts.models import StartChange, StartTurn
from events.starts.sales import Trade, event_started, stop_from_start, withdraw_planned
from events.starts.standing import Start, after, start_of
from ledger.refusals import Refusal
from office.callers import Caller
from office.gate import PATIENT_FOR, shut_house
from office.significant.kinds import BETS_AFTER_START, START_CHANGED
from office.significant.log import note


@dataclass(frozen=True)
class Word:
    """What somebody says of a start: the instant (none for ``not_started``), where it is from, and why it is said."""

    turn: StartTurn
    instant: datetime | None
    source: str
    reason: str


def change_start(session: Session, event_id: int, word: Word, *, by: Caller, trades: tuple[Trade, ...]) -> StartChange:
    """Put a change of an event's start on record (D-15); what was said before stays readable.

    Under the house's gate, taken alone: bets under way are waited for, and those that come know the new start. Where it
    lies before the end of the sales of a pool, a stop of the event's sales is thrown in the same transaction, so that
    from the start on nothing is sold (T-Rules 28). Bets placed after a start that is told late are noted as an alarm;
    whether they are cancelled is the organizer's decision (T-Rules 29).

    Raises:
        Refusal: ``not_found``; ``instant_in_future``, what really happened lies behind; ``event_started``, neither
            corrected nor moved any more; ``event_not_started``, no start on record that could be taken back or ended;
            ``end_before_start``; ``start_unchanged``; ``result_already_fixed``, nothing is moved that has a protocol.
        OperationalError: sales under way did not end in time, for an end nobody need wait for.
    """
    assert by.user_id is not None, "users of the office tell starts"
    event = event_by_id(session, event_id)
    now = shut_house(session, patience=PATIENT_FOR if word.turn is StartTurn.ENDED else None)
    start = start_of(session, event_id)
    _check(session, event_id, start, word, now)
    then, stop_id = after(start, word.turn, word.instant).in_force, None
    if then != start.in_force:
        withdraw_planned(session, event_id, now, by)
        stop_id = stop_from_start(session, event, then, now, by, trades)
    change = StartChange(
        event_id=event_id,
        turn=word.turn,
        instant=word.instant,
        was=start.in_force,
        source=word.source,
        reason=word.reason,
        stop_id=stop_id,
        entered_by=by.user_id,
        entered_at=now,
    )
    session.add(change)
    session.flush()
    _note(session, change, start, by, trades)
    return change


def _check(session: Session, event_id: int, start: Start, word: Word, now: datetime) -> None:
    if word.turn in (StartTurn.CORRECTED, StartTurn.MOVED):
        _check_schedule(session, event_id, start, word)
    elif word.turn is StartTurn.NOT_STARTED:
        _refuse_unless_started(start)
    else:
        _check_fact(start, word, now)


def _check_schedule(session: Session, event_id: int, start: Start, word: Word) -> None:
    if start.actual is not None:
        raise event_started(start.actual)
    if word.instant == start.scheduled:
        raise _unchanged()
    if word.turn is StartTurn.MOVED:
        # Unlocked: a protocol that is being drawn up at this moment follows the move, or the other way round.
        refuse_if_fixed(session, event_id)


def _check_fact(start: Start, word: Word, now: datetime) -> None:
    assert word.instant is not None, "what happened has an instant"
    if word.instant > now:
        raise Refusal("instant_in_future", "Этот момент ещё не наступил: укажите прошедший.", field="instant")
    ending = word.turn is StartTurn.ENDED
    if ending:
        _refuse_unless_started(start)
    if word.instant == (start.ended if ending else start.actual):
        raise _unchanged()
    begun, ended = (start.actual, word.instant) if ending else (word.instant, start.ended)
    if begun is not None and ended is not None and ended <= begun:
        raise Refusal("end_before_start", "Окончание события должно быть позже его начала.", field="instant")


def _refuse_unless_started(start: Start) -> None:
    if start.actual is None:
        raise Refusal("event_not_started", "Фактическое начало события не записано.")


def _unchanged() -> Refusal:
    return Refusal("start_unchanged", "Этот момент уже записан.", field="instant")


def _note(session: Session, change: StartChange, before: Start, by: Caller, trades: tuple[Trade, ...]) -> None:
    """Write down what was not to be expected: another start than the one in force, and bets placed after it."""
    subject = f"event:{change.event_id}"
    expected = change.turn == StartTurn.ENDED or (change.turn == StartTurn.STARTED and before.actual is None)
    if not expected:
        told = {"turn": change.turn, "was": change.was.isoformat(), "source": change.source, "reason": change.reason}
        now = change.instant and change.instant.isoformat()
        note(session, START_CHANGED, subject, by, **told, now=now)
    if change.turn == StartTurn.STARTED and change.instant is not None:
        late = sum(trade.late_bets(session, change.event_id, change.instant) for trade in trades)
        if late:
            note(session, BETS_AFTER_START, subject, by, bets=late, started_at=change.instant.isoformat())
