"""What must hold when all is over: every act there once, every pool ended once, books and seals clean."""

from __future__ import annotations

from collections import Counter
from typing import Any

from db.session import transaction
from ledger.seals.sealing import seal
from ledger.seals.verify import verify
from tests.prove.insisting import NOTHING, Act, Acts
from tests.prove.kills.ground import Ground
from tests.prove.served import sized

REPEATED = sized(60, 1000)
"""Answered acts that are asked for once more at the end."""
KEYS = """
    SELECT key, reference, refusal ->> 'code' FROM idempotency_keys WHERE key LIKE 'kills-%'
"""
ENDED = """
    SELECT pools.code,
        (SELECT count(*) FROM pool_closings WHERE pool_id = pools.id),
        (SELECT count(*) FROM settlement_runs WHERE trade = 'tote' AND subject_id = pools.id),
        (SELECT count(*) FROM settlement_completions JOIN settlement_runs AS run ON run.id = run_id
            WHERE run.trade = 'tote' AND run.subject_id = pools.id),
        (SELECT count(*) FROM settlement_creditings JOIN settlement_runs AS run ON run.id = run_id
            WHERE run.trade = 'tote' AND run.subject_id = pools.id),
        (SELECT count(*) FROM pool_divisions JOIN settlement_runs AS run ON run.id = run_id
            WHERE run.trade = 'tote' AND run.subject_id = pools.id)
    FROM pools ORDER BY pools.id
"""
STATES = "SELECT status, count(*) FROM ticket_states GROUP BY status"
FINAL = {"lost", "credited", "paid", "expired", "returned"}
STAKES = """
    SELECT ticket.id, bet.stake, count(moved.id), sum(moved.amount) FROM tickets AS ticket
    JOIN pool_bets AS bet ON bet.ticket_id = ticket.id
    LEFT JOIN transfers AS moved ON moved.ticket_id = ticket.id AND moved.kind = 'stake'
    GROUP BY ticket.id, bet.stake
"""
JOURNAL = "SELECT number FROM payouts ORDER BY number"
DEPOSITS = """
    SELECT id FROM transfers WHERE kind = 'deposit' EXCEPT SELECT reference FROM idempotency_keys
    WHERE route = 'POST /api/v1/deposits' AND key NOT LIKE 'kills-%%'
"""
ALARMS = "SELECT kind, count(*) FROM significant_events WHERE kind IN ('books_broken', 'seals_broken') GROUP BY kind"


def hundredths(amount: str) -> int:
    """Money as it is answered, in minor units."""
    return int(amount.replace(".", ""))


def every_act_is_there_once(ground: Ground, told: list[Act]) -> None:
    """What was acknowledged is there, nothing else is, and each key says the same as its answer."""
    keys = {key: (reference, refusal) for key, reference, refusal in ground.ask(KEYS)}
    assert len(told) == len({act.key for act in told}) == len(keys)
    for act in told:
        reference, refusal = keys[act.key]
        said = {word for outcome, word in act.said if outcome != NOTHING}
        assert (reference is not None) == act.done, act
        assert said <= {reference if act.done else refusal}, act
        # A bet's key leads to its ticket; a refusal is on record in the words its terminal got.
        assert act.path != "/pool-bets" or not act.done or reference == act.answer.json()["number"], act
        assert act.done or refusal == act.answer.json()["code"], act
    bets_are_there_once(ground, [(one["number"], hundredths(one["stake"])) for one in _answers(told, "/pool-bets")])
    numbers = sorted(answer["number"] for answer in _answers(told, "/payouts", "/account-payouts"))
    assert numbers == [number for (number,) in ground.ask(JOURNAL)] == list(range(1, len(numbers) + 1))
    deposits = sorted(answer["id"] for answer in _answers(told, "/deposits"))
    assert deposits == sorted(number for (number,) in ground.ask(DEPOSITS))


def _answers(told: list[Act], *paths: str) -> list[dict[str, Any]]:
    """What those were answered that were done at these paths."""
    return [act.answer.json() for act in told if act.done and act.path in paths]


def bets_are_there_once(ground: Ground, told: list[tuple[int, int]]) -> None:
    """Of each bet that was told, by number and stake, and of no other: one ticket, with one transfer of that stake."""
    assert sorted((number, stake, 1, stake) for number, stake in told) == sorted(ground.ask(STAKES))


def every_pool_ended_once(ground: Ground) -> Counter[str]:
    """Closed, settled, divided and credited once; no ticket waits. How the tickets ended."""
    for code, *counts in ground.ask(ENDED):
        assert counts == [1] * 5, (code, counts)
    states = Counter(dict(ground.ask(STATES)))
    assert set(states) <= FINAL, states
    return states


def books_and_seals_are_clean(ground: Ground) -> int:
    """Audit, trial balance, every seal against the digests kept outside, no deadlock; how many seals there are."""
    office = ground.served.office
    ground.patiently(lambda: seal(office.house.sessions))
    assert ground.patiently(office.wrongs) == []
    ground.defer("seal")
    seals = "SELECT count(*) FROM seals"
    ground.until(lambda: len(ground.digests.read_text("ascii").splitlines()) == ground.one(seals), "all digests kept")
    with transaction(office.house.sessions) as session:
        assert verify(session.connection(), ground.digests) == []
    assert ground.ask(ALARMS) == []
    assert ground.circles_of_locks() == []
    return int(ground.one(seals))


def repeats_are_replayed(acts: Acts) -> int:
    """Acts asked for again under their keys are answered as before; how many were."""
    again = [act for act in acts.told if act.done and act.body is not None][-REPEATED:]
    for act in again:
        repeated = acts.insist_on(lambda act=act: act.line.post(act.path, act.body, act.key))
        assert repeated.headers["Idempotency-Replayed"] == "true"
        assert repeated.json() == act.answer.json()
    return len(again)
