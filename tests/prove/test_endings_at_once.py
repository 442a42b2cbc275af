"""Payout, cancellation, expiry and settlement of one ticket at one moment: one of them wins (FIELD-FAULTS 054)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.office import OPERATOR
from tests.prove.served import NEXT_DAY, Served, sized
from tests.prove.sold import Sold, sold_pool, states_of
from tests.prove.test_payout_races import IN_TILLS, PRESENTED
from tests.prove.workers import Line, at_once
from tote.expiry import expire_due

pytestmark = [pytest.mark.prove, pytest.mark.long]
OVER = "2023-02-24T00:00:00+03:00"
TURNS = range(sized(2, 30))
WHY = {"reason": "under_age", "explanation": "Возраст игрока не подтверждён"}
NUMBER = "SELECT min(ticket_id) FROM pool_bets JOIN pools ON pools.id = pool_id WHERE code = :pool"
LAPSED = "SELECT sum(amount) FROM transfers WHERE kind = 'win_expired' AND ticket_id = :ticket"


def settled(served: Served) -> tuple[Sold, int]:
    """10.00 of 10.00 on the true outcome and 90.00 beside it: fund 60.00, all of it the ticket's with this number."""
    sold = sold_pool(served, [served.cashier], ["10.00"])
    assert served.organizer.post(f"/pools/{sold.pool}/settlement").status_code == 201
    served.office.clock(NEXT_DAY)
    return sold, int(served.fact(NUMBER, pool=sold.pool))


def another_till(served: Served) -> Line:
    """A second desk with 500.00 in it."""
    served.office.clock("2022-11-22T09:00:00+03:00")
    desk = served.another_desk()
    assert desk.bet("1", "500.00", served.pool()["code"]).status_code == 201
    return desk


def told(answers: list[Any]) -> list[str]:
    """What each was answered: the amount, or the code of the refusal."""
    return [str(answer.json().get("amount", answer.json().get("code"))) for answer in answers]


@pytest.mark.parametrize("turn", TURNS)
def test_paid_at_one_of_two_desks_or_cancelled(served: Served, turn: int) -> None:
    """Whoever is first pays the 60.00, or cancels, and then one desk pays the stake; no till pays twice."""
    there = another_till(served)
    sold, number = settled(served)
    before = served.fact(IN_TILLS)
    asked = {"code": sold.codes[0], **PRESENTED}

    here, other, cancelled = at_once(
        [
            lambda: served.cashier.post("/payouts", asked),
            lambda: there.post("/payouts", asked),
            lambda: served.organizer.post(f"/tickets/{number}/cancellation", WHY),
        ]
    )

    paid = before - served.fact(IN_TILLS)
    if cancelled.status_code == 201:
        assert sorted(told([here, other])) == ["10.00", "already_paid"]
        assert paid == 10_00
    else:
        assert (cancelled.status_code, cancelled.json()["code"]) == (403, "second_person_needed")
        assert cancelled.json()["received"] == "60.00"
        assert sorted(told([here, other])) == ["60.00", "already_paid"]
        assert paid == 60_00
    (refused,) = [answer for answer in (here, other) if answer.status_code != 201]
    assert (refused.status_code, refused.json()["end"]) == (409, "paid")
    assert states_of(served, sold)[0] == "paid"
    served.books_hold()


@pytest.mark.parametrize("turn", TURNS)
def test_the_stake_of_a_minus_pool_at_two_desks_beside_the_sweep(served: Served, turn: int) -> None:
    """10.00 has won alone. After the term its tenth lapses once, by a desk or the sweep, and the 10.00 is paid once."""
    there = another_till(served)
    pool = served.pool()
    bet = served.cashier.bet("1", "10.00", pool["code"]).json()
    assert served.organizer.post(f"/pools/{pool['code']}/closing").status_code == 201
    served.protocol(pool, "1")
    assert served.organizer.post(f"/pools/{pool['code']}/settlement").json()["minus_pool"] is True
    served.office.clock(OVER)
    before = served.fact(IN_TILLS)
    asked = {"code": bet["code"], **PRESENTED}

    here, other, _ = at_once(
        [
            lambda: served.cashier.post("/payouts", asked),
            lambda: there.post("/payouts", asked),
            lambda: expire_due(served.office.house.sessions, OPERATOR),
        ]
    )

    assert sorted(told([here, other])) == ["10.00", "already_paid"]
    assert before - served.fact(IN_TILLS) == 10_00
    assert served.fact(LAPSED, ticket=bet["number"]) == 1_00
    served.books_hold()


@pytest.mark.parametrize("turn", TURNS)
def test_cancelled_or_expired_the_win_goes_to_the_jackpot_once(served: Served, turn: int) -> None:
    sold, number = settled(served)
    served.office.clock(OVER)
    moved = "SELECT sum(amount) FROM transfers WHERE kind IN ('win_expired', 'cancelled_win') AND ticket_id = :ticket"

    cancelled, _, paid = at_once(
        [
            lambda: served.organizer.post(f"/tickets/{number}/cancellation", WHY),
            lambda: expire_due(served.office.house.sessions, OPERATOR),
            lambda: served.cashier.post("/payouts", {"code": sold.codes[0], **PRESENTED}),
        ]
    )

    assert cancelled.status_code == 201
    assert told([paid]) in (["10.00"], ["payment_term_over"])
    assert served.fact(moved, ticket=number) == 60_00
    assert states_of(served, sold)[0] in ("cancelled", "paid")
    served.books_hold()


@pytest.mark.parametrize("turn", TURNS)
def test_cancelled_while_its_pool_is_settled(served: Served, turn: int) -> None:
    """Before the settlement the 90.00 beside it is shared without it; after it the win stands, and 10.00 comes back."""
    sold = sold_pool(served, [served.cashier, served.player("10.00")], ["10.00"])
    number = int(served.fact(NUMBER, pool=sold.pool))

    cancelled, settlement = at_once(
        [
            lambda: served.organizer.post(f"/tickets/{number}/cancellation", WHY),
            lambda: served.organizer.post(f"/pools/{sold.pool}/settlement"),
        ]
    )

    assert settlement.status_code == 201
    if cancelled.status_code == 201:
        stage, wins = cancelled.json()["stage"], settlement.json()["wins"]
        # 100.00 without it gives the other ticket 60.00; 110.00 with it 33.00 to each of the two.
        assert (stage, wins) in (("closed", "60.00"), ("settled", "66.00"))
        assert states_of(served, sold)[0] == "cancelled"
    else:
        assert (cancelled.status_code, cancelled.json()["code"]) == (409, "settlement_under_way")
        assert settlement.json()["wins"] == "66.00"
    served.books_hold()
