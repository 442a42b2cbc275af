"""Claims against an announced result: taken within ten days with official documents, held for, decided by another."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from db.clock import trade_time
from events.protocols import protocol_of
from ledger.holds import HoldCause, PayoutHold, shut_payouts
from ledger.refusals import Refusal
from ledger.settlements import SettlementRun
from office.callers import Caller
from office.operator import Operator
from office.significant.kinds import CLAIM_DECIDED, CLAIM_ENTERED
from office.significant.log import note
from tote.claims.models import Claim, ClaimDecision, Ruling
from tote.claims.releasing import end_upheld_claims
from tote.holds import end_hold, hold_for
from tote.models import Pool, PoolBet
from tote.pools import TRADE, completion_of
from tote.receipts import no_such_ticket
from tote.settlement import SETTLEMENT_GATE
from tote.statuses import terms_of_pool
from tote.terms import claims_until

HELD_FOR = "претензия по результату события"


@dataclass(frozen=True)
class ClaimTold:
    """What somebody claims: the pool, the one ticket of it if only that is meant, why, and the official documents."""

    pool: Pool
    ticket_id: int | None
    statement: str
    documents: list[dict[str, Any]]


def enter_claim(session: Session, operator: Operator, told: ClaimTold, by: Caller) -> Claim:
    """Take a claim against the announced result of a pool's event, and hold the wins it concerns (T-Rules 33, D-23).

    Named one ticket, its payment alone is held; else that of every win of the pool. What was paid before stays paid.

    Raises:
        Refusal: ``not_found``, the pool has no such ticket; ``result_not_confirmed``, no result was announced;
            ``claim_too_late`` with the instant the ten days ended at.
    """
    assert by.user_id is not None, "users of the office enter claims"
    if told.ticket_id is not None and not _in_pool(session, told.pool, told.ticket_id):
        raise no_such_ticket()
    hold = hold_for(session, told.pool, told.ticket_id, HoldCause.CLAIM, by, HELD_FOR)
    protocol = protocol_of(session, told.pool.event_id)
    if protocol is None:
        raise Refusal("result_not_confirmed", "Результат события ещё не объявлен: претензию предъявлять не к чему.")
    at, until = trade_time(session), _taken_until(session, operator, told.pool)
    if until is not None and at >= until:
        said = f"Претензии по этому событию принимались до {operator.day_of(until):%d.%m.%Y} 00:00."
        raise Refusal("claim_too_late", said, claims_until=until.isoformat())
    claim = Claim(
        pool_id=told.pool.id,
        ticket_id=told.ticket_id,
        protocol_id=protocol.id,
        statement=told.statement,
        documents=told.documents,
        hold_id=hold.id,
        entered_by=by.user_id,
        entered_at=at,
    )
    session.add(claim)
    session.flush()
    note(session, CLAIM_ENTERED, f"claim:{claim.id}", by, pool=told.pool.code, ticket=told.ticket_id)
    return claim


def decide_claim(
    session: Session, operator: Operator, claim_id: int, ruling: Ruling, explanation: str, by: Caller
) -> ClaimDecision:
    """Decide a claim that another login entered.

    Rejected, it holds no more: desks pay, the sweep credits, and the days it took are given back. Upheld, it goes on
    holding until the protocol is corrected and the pool settled anew (D-14); where that was done before, for another
    claim against the same result, it holds no more at once.

    Raises:
        Refusal: ``not_found``; ``claim_already_decided``; ``second_person_needed``, the caller entered it.
    """
    assert by.user_id is not None, "users of the office decide claims"
    claim = session.get(Claim, claim_id)
    if claim is None:
        raise Refusal("not_found", "Такой претензии нет.")
    shut_payouts(session, TRADE, claim.pool_id)
    decided = session.scalar(select(ClaimDecision).where(ClaimDecision.claim_id == claim_id))
    if decided is not None:
        at = decided.decided_at.isoformat()
        raise Refusal(
            "claim_already_decided", "По претензии решение уже принято.", decision=decided.decision, decided_at=at
        )
    if claim.entered_by == by.user_id:
        raise Refusal("second_person_needed", "Решает другой сотрудник, не тот, кто внёс претензию.")
    decision = ClaimDecision(
        claim_id=claim_id,
        entered_by=claim.entered_by,
        decision=ruling,
        explanation=explanation,
        decided_by=by.user_id,
        decided_at=trade_time(session),
    )
    session.add(decision)
    session.flush()
    if ruling is Ruling.REJECTED:
        end_hold(session, operator, session.get_one(PayoutHold, claim.hold_id), by, explanation)
    else:
        _end_if_corrected(session, operator, session.get_one(Pool, claim.pool_id))
    note(session, CLAIM_DECIDED, f"claim:{claim_id}", by, decision=ruling.value)
    return decision


def _taken_until(session: Session, operator: Operator, pool: Pool) -> datetime | None:
    """Until when claims are taken: as a settled pool's sheet has told it, whatever is learnt of the event since."""
    terms = terms_of_pool(session, pool.id)
    if terms is not None and terms.claims_until is not None:
        return terms.claims_until
    return claims_until(session, operator, pool.event_id)


def _end_if_corrected(session: Session, operator: Operator, pool: Pool) -> None:
    """End what an upheld claim holds, if the pool is settled by a later protocol already: no other run will do it.

    A run that is about to be complete is waited for, or finds the decision.
    """
    session.execute(select(func.shut_gate(SETTLEMENT_GATE, pool.id)))
    completion = completion_of(session, pool.id)
    if completion is not None:
        end_upheld_claims(session, operator, pool, session.get_one(SettlementRun, completion.run_id))


def _in_pool(session: Session, pool: Pool, ticket_id: int) -> bool:
    bet = select(PoolBet.id).where(PoolBet.pool_id == pool.id, PoolBet.ticket_id == ticket_id)
    return session.scalar(bet) is not None
