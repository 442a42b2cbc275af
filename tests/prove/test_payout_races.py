"""One ticket presented twice, or paid while its run is still credited (FIELD-FAULTS 054; T-Prov 14, 23)."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import select

from desk.models import CodeEntry, Terminal
from desk.payouts import pay
from desk.second_person import Presented
from office.callers import Caller, Role
from office.persons.details import NaturalPerson
from office.users import User
from tests.prove.interruption import Interrupted, sessions_of
from tests.prove.locks import held
from tests.prove.served import NEXT_DAY, Served, sized
from tests.prove.sold import Sold, sold_pool, states_of
from tests.prove.workers import at_once
from tote.expiry import lapse_win
from tote.settling import settle_pool

pytestmark = pytest.mark.prove
PERSON = {"surname": "Иванов", "name": "Иван"}
DOCUMENT = {"kind": "паспорт", "number": "MP1234567", "issued_on": "2015-03-01", "issued_by": "Минский РОВД"}
PRESENTED = {"code_entry": "scanned", **PERSON, "document": DOCUMENT}
IN_TILLS = """
    SELECT sum(CASE WHEN held.id = moved.debit_account_id THEN moved.amount ELSE -moved.amount END)
    FROM accounts AS held JOIN transfers AS moved ON held.id IN (moved.debit_account_id, moved.credit_account_id)
    WHERE held.kind = 'cash'
"""
COMPLETE = """
    SELECT count(*) FROM settlement_completions AS complete JOIN settlement_runs AS run ON run.id = complete.run_id
    JOIN pools AS pool ON pool.id = run.subject_id AND run.trade = 'tote' WHERE pool.code = :pool
"""


@pytest.mark.parametrize("turn", range(sized(3, 30)))
def test_a_ticket_presented_at_two_desks_at_once_is_paid_once(served: Served, turn: int) -> None:
    """10.00 of 10.00 on the true outcome and 90.00 beside it: fund 60.00, all of it this ticket's."""
    here, there = served.cashier, served.another_desk()
    assert there.bet("1", "500.00", served.pool()["code"]).status_code == 201, "both tills can pay"
    sold = sold_pool(served, [here], ["10.00"])
    assert served.organizer.post(f"/pools/{sold.pool}/settlement").status_code == 201
    served.office.clock(NEXT_DAY)
    before = served.fact(IN_TILLS)

    asked = {"code": sold.codes[0], **PRESENTED}
    answers = at_once([lambda desk=desk: desk.post("/payouts", asked) for desk in (here, there)])

    assert sorted(answer.status_code for answer in answers) == [201, 409]
    paid, refused = sorted(answers, key=lambda answer: answer.status_code)
    assert paid.json()["amount"] == "60.00"
    assert refused.json()["code"] == "already_paid"
    assert before - served.fact(IN_TILLS) == 60_00
    assert states_of(served, sold) == ["paid", "lost"]


def test_a_ticket_paid_before_its_run_is_credited_stays_paid(served: Served) -> None:
    """The run is complete and breaks off before it credits; a cash ticket is paid; then the run goes on."""
    sold = sold_pool(served, [served.cashier, served.player("10.00")], ["10.00"])
    _complete_only(served, sold)
    served.office.clock(NEXT_DAY)

    paid = served.cashier.post("/payouts", {"code": sold.codes[0], **PRESENTED})
    assert served.organizer.post(f"/pools/{sold.pool}/settlement").status_code == 201

    assert (paid.status_code, paid.json()["amount"]) == (201, "33.00")
    assert states_of(served, sold) == ["paid", "credited", "lost"]


def test_a_payout_that_is_open_while_the_run_credits_stays_paid(served: Served) -> None:
    """The crediting stands before the ticket's state, which the payout has locked; the payout commits first."""
    sold = sold_pool(served, [served.cashier, served.player("10.00")], ["10.00"])
    _complete_only(served, sold)
    served.office.clock(NEXT_DAY)
    house = served.office.house

    with ThreadPoolExecutor(1) as threads, held(served) as session:
        person = house.persons.record(session, NaturalPerson(**PERSON))
        presented = Presented(house.codes.digest(sold.codes[0]), CodeEntry.SCANNED, person)
        pay(session, house.operator, presented, _first_cashier(served), lapse_win)
        settling = threads.submit(settle_pool, house.sessions, house.operator, sold.pool)
        served.wait_for(1)
        session.commit()
        settling.result(timeout=30)

    assert states_of(served, sold) == ["paid", "credited", "lost"]


@pytest.mark.parametrize("turn", range(sized(3, 30)))
def test_payouts_are_held_before_a_ticket_is_paid_or_after(served: Served, turn: int) -> None:
    """A hold, a payout and the crediting at one moment: whatever comes behind the hold is refused, or waits."""
    sold = sold_pool(served, [served.cashier, served.player("10.00")], ["10.00"])
    _complete_only(served, sold)
    served.office.clock(NEXT_DAY)
    supervisor, _ = served.supervisors

    held, paid, _ = at_once(
        [
            lambda: supervisor.post(f"/pools/{sold.pool}/payout-holds", {"reason": "проверка результата"}),
            lambda: served.cashier.post("/payouts", {"code": sold.codes[0], **PRESENTED}),
            lambda: served.organizer.post(f"/pools/{sold.pool}/settlement"),
        ]
    )
    assert held.status_code == 201
    late = served.cashier.post("/payouts", {"code": sold.codes[0], **PRESENTED})
    assert late.json()["code"] == "payout_held"
    assert paid.status_code == 201 or paid.json()["code"] == "payout_held"
    served.books_hold()

    path = f"/payout-holds/{held.json()['id']}/release"
    assert supervisor.post(path, {"reason": "результат верен"}).status_code == 201
    assert served.organizer.post(f"/pools/{sold.pool}/settlement").status_code == 201
    if paid.status_code != 201:
        assert served.cashier.post("/payouts", {"code": sold.codes[0], **PRESENTED}).status_code == 201
    assert states_of(served, sold) == ["paid", "credited", "lost"]


def _complete_only(served: Served, sold: Sold) -> None:
    """Settle up to the completion: nothing is credited yet."""

    def stop_when_complete(_number: int) -> None:
        if served.fact(COMPLETE, pool=sold.pool):
            raise Interrupted

    with pytest.raises(Interrupted):
        settle_pool(sessions_of(served, stop_when_complete), served.office.house.operator, sold.pool)


def _first_cashier(served: Served) -> Caller:
    with served.office.owner() as session:
        user_id = session.scalars(select(User.id).where(User.login == "cashier")).one()
        terminal_id = session.scalars(select(Terminal.id).where(Terminal.code == "T-1")).one()
    return Caller(Role.CASHIER, user_id=user_id, terminal_id=terminal_id)
