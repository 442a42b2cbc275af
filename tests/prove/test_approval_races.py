"""Second persons who decide at once, an approval at two terminals, a protocol corrected while a pool settles by it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import httpx
import pytest
from sqlalchemy import text

from events.protocols import PROTOCOLS
from office.approvals.acts import PAYOUT
from office.approvals.models import Proposal
from office.approvals.proposing import use
from office.approvals.standing import hold
from office.callers import Caller, Role
from office.numbers import next_number
from tests.prove.locks import held
from tests.prove.served import NEXT_DAY, Served, sized
from tests.prove.sold import Sold, sold_pool, states_of
from tests.prove.workers import Line, at_once
from tote.pools import pool_by_code
from tote.settlement import start
from tote.settling import resume_settlements

pytestmark = pytest.mark.prove
PASSPORT = {"kind": "паспорт", "number": "MP1234567", "issued_on": "2015-03-01", "issued_by": "Минский РОВД"}
PERSON = {"surname": "Иванов", "name": "Иван", "document": PASSPORT}
DECISIONS = "SELECT count(*) FROM proposal_decisions WHERE proposal_id = :approval"
USES = "SELECT count(*) FROM proposal_uses WHERE proposal_id = :approval"
RUNS = """
    SELECT protocol.version FROM settlement_runs AS run JOIN protocols AS protocol ON protocol.id = run.protocol_id
    JOIN pools AS pool ON pool.id = run.subject_id AND run.trade = 'tote' WHERE pool.code = :pool
    ORDER BY run.version DESC LIMIT 1
"""


def presented(code: str, **told: object) -> dict[str, object]:
    """A ticket whose code was typed."""
    return {"code": code, "code_entry": "typed", **PERSON, **told}


def payable(served: Served) -> str:
    """A ticket due 60.00: 10.00 of its own and 90.00 beside it; its code."""
    sold = sold_pool(served, [served.cashier], ["10.00"])
    assert served.organizer.post(f"/pools/{sold.pool}/settlement").status_code == 201
    served.office.clock(NEXT_DAY)
    return sold.codes[0]


def proposed(served: Served, code: str) -> int:
    """The cashier's proposal to pay it by a typed code."""
    body = presented(code, reason="QR-код не читается")
    answer = served.cashier.post("/payout-proposals", body)
    assert answer.status_code == 201, answer.text
    return int(answer.json()["id"])


def word(line: Line, approval: int, decision: str) -> httpx.Response:
    """Somebody's word on a proposal."""
    return line.post(f"/approvals/{approval}/decision", {"decision": decision})


@pytest.mark.parametrize("turn", range(sized(3, 30)))
def test_two_who_decide_at_once_decide_once(served: Served, turn: int) -> None:
    """One approves, one refuses, the cashier withdraws, all at one moment: one word stands, two are told which."""
    code = payable(served)
    approval, (first, second) = proposed(served, code), served.supervisors

    answers = at_once(
        [
            lambda: word(first, approval, "approved"),
            lambda: word(second, approval, "refused"),
            lambda: word(served.cashier, approval, "withdrawn"),
        ]
    )

    assert sorted(answer.status_code for answer in answers) == [201, 409, 409]
    (stands,) = [answer.json()["state"] for answer in answers if answer.status_code == 201]
    told = [answer.json() for answer in answers if answer.status_code == 409]
    assert [(one["code"], one["decision"]) for one in told] == [("approval_already_decided", stands)] * 2
    assert served.fact(DECISIONS, approval=approval) == 1
    paid = served.cashier.post("/payouts", presented(code, approval=approval))
    assert paid.status_code == (201 if stands == "approved" else 409)


@pytest.mark.parametrize("turn", range(sized(3, 30)))
def test_an_approval_presented_at_two_terminals_pays_once(served: Served, turn: int) -> None:
    code = payable(served)
    approval, here, there = proposed(served, code), served.cashier, served.another_terminal()
    assert word(served.supervisors[0], approval, "approved").status_code == 201

    body = presented(code, approval=approval)
    answers = at_once([lambda desk=desk: desk.post("/payouts", body) for desk in (here, there)])

    paid, refused = sorted(answers, key=lambda answer: answer.status_code)
    assert (paid.status_code, paid.json()["amount"], paid.json()["approval"]) == (201, "60.00", approval)
    assert (refused.status_code, refused.json()["code"]) == (409, "already_paid")
    assert served.fact(USES, approval=approval) == 1


def test_an_approval_being_used_serves_no_second_act(served: Served) -> None:
    """The payout waits for whoever uses its approval at this moment, and is told that it is used up."""
    code = payable(served)
    approval = proposed(served, code)
    assert word(served.supervisors[0], approval, "approved").status_code == 201

    with ThreadPoolExecutor(1) as threads, held(served) as session:
        proposal = session.get_one(Proposal, approval)
        cashier = Caller(Role.CASHIER, user_id=proposal.proposed_by)
        use(session, approval, PAYOUT, proposal.subject, proposal.content, cashier)
        sent = threads.submit(served.cashier.post, "/payouts", presented(code, approval=approval))
        served.wait_for(1)
        session.commit()
        answer = sent.result(timeout=30)

    assert (answer.status_code, answer.json()["code"]) == (409, "approval_used")
    assert served.fact(USES, approval=approval) == 1


def test_an_approval_that_comes_after_the_last_minute_is_late_however_early_it_was_sent(served: Served) -> None:
    """Sent at 10:00, the decision waits for a lock until 11:00 is over: the clock is read behind the lock."""
    approval, (supervisor, _) = proposed(served, payable(served)), served.supervisors

    with ThreadPoolExecutor(1) as threads, held(served) as session:
        hold(session, approval)
        sent = threads.submit(word, supervisor, approval, "approved")
        served.wait_for(1)
        served.office.clock("2022-11-23T11:00:01+03:00")
        session.rollback()
        answer = sent.result(timeout=30)

    assert (answer.status_code, answer.json()["code"]) == (409, "approval_lapsed")
    assert served.fact(DECISIONS, approval=approval) == 0


def test_who_is_blocked_while_deciding_decides_nothing(served: Served) -> None:
    """The block is not committed yet when the word comes: the word waits for it, and is refused."""
    approval, (_, supervisor) = proposed(served, payable(served)), served.supervisors
    change = text("UPDATE users SET blocked_at = :at WHERE login = 'second-supervisor'")

    with ThreadPoolExecutor(1) as threads, held(served) as session:
        session.execute(change, {"at": NEXT_DAY})
        sent = threads.submit(word, supervisor, approval, "approved")
        served.wait_for(1)
        session.commit()
        answer = sent.result(timeout=30)
        session.execute(change, {"at": None})
        session.commit()

    assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated")
    assert served.fact(DECISIONS, approval=approval) == 0


@pytest.mark.parametrize("turn", range(sized(4, 40)))
def test_a_pool_ends_settled_by_the_protocol_in_force_whichever_comes_first(served: Served, turn: int) -> None:
    """10.00 on 1 and 90.00 on 2, corrected and settled at once: the one win is 60.00 by the protocol in force."""
    sold = sold_pool(served, [served.cashier], ["10.00"])
    confirm = correction(served, sold)

    corrected, settled = at_once([confirm, lambda: served.organizer.post(f"/pools/{sold.pool}/settlement")])

    assert (settled.status_code, settled.json()["wins"]) == (201, "60.00")
    resume_settlements(served.office.house.sessions, served.office.house.operator)
    if corrected.status_code == 201:
        assert settled_by(served, sold) == (2, ["lost", "won"])
    else:
        assert (corrected.status_code, corrected.json()["code"]) == (409, "settlement_under_way")
        assert settled_by(served, sold) == (1, ["won", "lost"])


def test_a_correction_waits_for_a_settlement_that_begins_and_is_refused(served: Served) -> None:
    sold = sold_pool(served, [served.cashier], ["10.00"])
    confirm = correction(served, sold)

    with ThreadPoolExecutor(1) as threads, held(served) as session:
        start(session, pool_by_code(session, sold.pool))
        sent = threads.submit(confirm)
        served.wait_for(1)
        session.commit()
        answer = sent.result(timeout=30)

    told = answer.json()
    assert (answer.status_code, told["code"], told["pools"]) == (409, "settlement_under_way", [sold.pool])


def test_a_settlement_waits_for_a_correction_and_goes_by_it(served: Served) -> None:
    sold = sold_pool(served, [served.cashier], ["10.00"])
    confirm = correction(served, sold)

    # The correction has the event's protocol and waits for the number of its own, which this session keeps.
    with ThreadPoolExecutor(2) as threads, held(served) as session:
        next_number(session, PROTOCOLS)
        confirming = threads.submit(confirm)
        served.wait_for(1)
        settling = threads.submit(served.organizer.post, f"/pools/{sold.pool}/settlement")
        served.wait_for(2)
        session.rollback()
        answers = confirming.result(timeout=30), settling.result(timeout=30)

    assert [answer.status_code for answer in answers] == [201, 201]
    assert settled_by(served, sold) == (2, ["lost", "won"])


def correction(served: Served, sold: Sold) -> Callable[[], httpx.Response]:
    """A correction of the pool's protocol from 1 to 2 has been entered; the call with which another confirms it."""
    event = served.organizer.get(f"/pools/{sold.pool}").json()["event_id"]
    (wrong,) = served.organizer.get(f"/events/{event}/protocols").json()["items"]
    right = {"outcomes": ["2"], "source": "протокол матча", "corrects": wrong["number"], "reason": "clerical_error"}
    entered = served.organizer.post(f"/events/{event}/results", right)
    assert entered.status_code == 201, entered.text
    second = served.line(served.office.second_organizer)
    protocol = {"result_id": entered.json()["id"], "signatories": ["Первый член", "Второй член"]}
    return partial(second.post, f"/events/{event}/protocols", protocol)


def settled_by(served: Served, sold: Sold) -> tuple[int, list[str]]:
    """The version of the protocol a pool was settled by, and how its tickets stand."""
    return int(served.fact(RUNS, pool=sold.pool)), states_of(served, sold)
