"""Wins nobody fetched lapse to the jackpot, seen at once and booked by a sweep (T-Rules 38.2, 40; D-1, D-21)."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.dialects import postgresql

import tote.expiry
from db.session import transaction
from ledger.journal import Transfer
from ledger.settlements import End, Ending
from tests.approvals.people import code_of
from tests.office import OPERATOR, Office
from tote.expiry import WIN_EXPIRED, expire_due, past_due
from tote.standing import wins_overdue

NEXT_DAY = "2022-11-23T10:00:00+03:00"
OVER = "2023-02-24T00:00:00+03:00"
"""Determined on 22 November 2022, paid to the end of 23 February."""
THREE_DAYS_LATE = "2023-02-27T03:30:00+03:00"


def sold(office: Office, *stakes: str, beside: str, pool: str = "P1") -> list[dict[str, Any]]:
    """Cash bets of these stakes on the true outcome and one beside them, settled on 22 November."""
    office.clock("2022-11-22T10:00:00+03:00")
    announced = office.pool(pool)
    tickets = [office.bet(office.cashier, "1", stake, pool).json for stake in stakes]
    if beside:
        assert office.bet(office.cashier, "2", beside, pool).status_code == 201
    assert office.decide(announced, "1").status_code == 201
    office.clock(NEXT_DAY)
    return tickets


def sweep(office: Office, chunk: int = 10_000) -> list[str]:
    """Book what is past its term."""
    return expire_due(office.house.sessions, OPERATOR, chunk)


def shown(office: Office, ticket: dict[str, Any]) -> dict[str, Any]:
    """A ticket as the office sees it."""
    return dict(office.organizer.get(f"/tickets/{ticket['number']}").json)


def hold(office: Office, at: str) -> int:
    """The supervisor holds the pool's payouts at an instant; the hold's number."""
    office.clock(at)
    answer = office.supervisor.post("/pools/P1/payout-holds", {"reason": "проверка результата"})
    assert answer.status_code == 201, answer.json
    return int(answer.json["id"])


def release(office: Office, number: int, at: str) -> None:
    """The organizer releases it at another."""
    office.clock(at)
    assert office.organizer.post(f"/payout-holds/{number}/release", {"reason": "результат верен"}).status_code == 201


def test_field_fault_017_a_sweep_three_days_late_books_the_true_deadline(office: Office) -> None:
    """10.00 and 10.00 give a fund of 12.00. Nothing is swept till 27 February: desk, ticket and lists agree before."""
    (ticket,) = sold(office, "10.00", beside="10.00")
    office.clock(THREE_DAYS_LATE)
    before = shown(office, ticket)
    assert (before["status"], before["win"]) == ("expired", "12.00")
    assert office.organizer.get("/tickets", status="won").json["items"] == []
    assert office.organizer.get("/tickets", status="expired").json["items"] == [before]
    assert code_of(office.pay(ticket["code"])) == (409, "payment_term_over")
    assert office.balance("wins_payable", "pool:P1") == "12.00", "nothing is booked by a look"

    assert sweep(office) == ["P1"]

    assert shown(office, ticket) == before
    refused = office.pay(ticket["code"])
    assert code_of(refused) == (409, "payment_term_over")
    assert refused.json["payable_until"] == "2023-02-23T21:00:00+00:00"
    assert refused.json["detail"] == "Последним днём выплаты было 23.02.2023."
    assert office.balance("jackpot", "totolot") == "12.00"
    assert office.balance("wins_payable", "pool:P1") == "0.00"
    over = datetime(2023, 2, 23, 21, tzinfo=UTC)
    with transaction(office.house.sessions) as session:
        ended = session.scalars(select(Ending)).one()
        moved = session.scalars(select(Transfer).where(Transfer.kind == WIN_EXPIRED)).one()
    assert (ended.end, ended.amount, ended.ended_at) == (End.EXPIRED, 12_00, over)
    assert (moved.amount, moved.occurred_at, moved.booked_on) == (12_00, over, date(2023, 2, 24))
    assert moved.settlement_id == ended.settlement_id
    assert sweep(office) == [], "a second sweep finds nothing"


def test_t_rules_38_2_an_instant_before_the_end_nothing_lapses(office: Office) -> None:
    (ticket,) = sold(office, "10.00", beside="10.00")
    office.clock("2023-02-23T23:59:50+03:00")
    assert sweep(office) == []
    assert shown(office, ticket)["status"] == "won"
    assert office.pay(ticket["code"]).json["amount"] == "12.00"
    office.clock(OVER)
    assert sweep(office) == [], "what was paid does not lapse"


def looked_up(office: Office) -> float:
    """How often the database looks for what holds have added, to find the wins past their term."""
    query = past_due().compile(dialect=postgresql.dialect(), compile_kwargs={"literal_binds": True})
    with transaction(office.house.sessions) as session:
        explained = f"EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) {query}"
        plans = [session.connection().exec_driver_sql(explained).scalar_one()[0]["Plan"]]
    looks = 0.0
    while plans:
        plan = plans.pop()
        plans += plan.get("Plans", [])
        looks += plan["Actual Loops"] if plan.get("Relation Name") == "payment_terms" else 0
    return looks


def test_what_holds_have_added_is_looked_up_only_for_wins_whose_own_end_is_past(office: Office) -> None:
    sold(office, "10.00", "20.00", "30.00", beside="10.00")
    assert looked_up(office) == 0
    office.clock(OVER)
    assert looked_up(office) >= 3


def test_of_a_minus_pool_only_the_tenth_lapses(office: Office) -> None:
    """D-21: 10.00 and 20.00, all won. 1.00 and 2.00 go to the jackpot, and 30.00 stays owed for ever."""
    first, second = sold(office, "10.00", "20.00", beside="")
    office.clock(THREE_DAYS_LATE)
    before = [shown(office, ticket) for ticket in (first, second)]
    assert [(one["status"], one["win"], one["stake_back"], one["payable_until"]) for one in before] == [
        ("returned", "0.00", "10.00", None),
        ("returned", "0.00", "20.00", None),
    ]
    assert office.organizer.get("/tickets", status="returned").json["items"] == before[::-1]
    assert not any(office.organizer.get("/tickets", status=other).json["items"] for other in ("won", "expired"))
    assert sweep(office) == ["P1"]
    assert [shown(office, ticket) for ticket in (first, second)] == before
    assert office.balance("jackpot", "totolot") == "3.00"
    assert office.balance("wins_payable", "pool:P1") == "30.00"
    office.clock("2026-11-23T10:00:00+03:00")
    assert sweep(office) == []
    assert (office.pay(first["code"]).json["amount"], office.pay(second["code"]).json["amount"]) == ("10.00", "20.00")
    assert office.balance("wins_payable", "pool:P1") == "0.00"


def test_a_stake_paid_before_the_sweep_leaves_the_sweep_its_other_tickets(office: Office) -> None:
    first, second = sold(office, "10.00", "20.00", beside="")
    office.clock(OVER)
    assert office.pay(first["code"]).json["amount"] == "10.00"
    assert office.balance("jackpot", "totolot") == "1.00"
    assert sweep(office) == ["P1"]
    assert office.balance("jackpot", "totolot") == "3.00"
    assert [shown(office, ticket)["status"] for ticket in (first, second)] == ["paid", "returned"]


def test_a_large_stake_of_a_minus_pool_is_proposed_and_paid_after_the_term(office: Office) -> None:
    """The proposal books the lapse, so that what is approved is what is paid."""
    first, _ = sold(office, "10.00", "20.00", beside="")
    office.clock(OVER)
    proposed = office.propose_payout(first["code"], code_entry="typed")
    assert (proposed.status_code, proposed.json["content"]["amount"]) == (201, "10.00")
    word = {"decision": "approved"}
    assert office.supervisor.post(f"/approvals/{proposed.json['id']}/decision", word).status_code == 201
    sweep(office)
    paid = office.pay(first["code"], code_entry="typed", approval=proposed.json["id"])
    assert (paid.status_code, paid.json["amount"]) == (201, "10.00")


def test_wins_lapse_in_chunks_and_every_pool_for_itself(office: Office) -> None:
    """Five of 10.00 of 50.00 beside 50.00: 60.00 of fund, 12.00 each; one was paid, four lapse, two at a time."""
    tickets = sold(office, *["10.00"] * 5, beside="50.00")
    (other,) = sold(office, "10.00", beside="10.00", pool="P2")
    assert office.pay(tickets[2]["code"]).json["amount"] == "12.00"
    office.clock(OVER)
    with transaction(office.house.sessions) as session:
        assert wins_overdue(session).wins == 5
    assert sweep(office, chunk=2) == ["P1", "P2"]
    assert office.balance("jackpot", "totolot") == "60.00", "four of 12.00 and the other pool's"
    assert [shown(office, ticket)["status"] for ticket in (*tickets, other)] == [
        *["expired"] * 2,
        "paid",
        *["expired"] * 3,
    ]
    with transaction(office.house.sessions) as session:
        assert wins_overdue(session).wins == 0


def test_a_pool_that_cannot_be_swept_keeps_none_behind_it(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    sold(office, "10.00", beside="10.00")
    sold(office, "10.00", beside="10.00", pool="P2")
    office.clock(OVER)
    expire_next = tote.expiry._expire_next

    def broken(sessions: Any, operator: Any, run_id: int, size: int) -> int:
        if run_id == 1:
            raise ArithmeticError("the first pool")
        return expire_next(sessions, operator, run_id, size)

    with monkeypatch.context() as breaking, pytest.raises(ExceptionGroup) as raised:
        breaking.setattr("tote.expiry._expire_next", broken)
        sweep(office)
    assert [type(one) for one in raised.value.exceptions] == [ArithmeticError]
    assert office.balance("jackpot", "totolot") == "12.00"
    assert sweep(office) == ["P1"]


def test_field_fault_015_a_win_is_owed_or_in_the_jackpot_and_never_both(office: Office) -> None:
    """Pool 20.00: withdrawal 8.00 and fund 12.00 at every step, the 12.00 owed and then in the jackpot."""
    (ticket,) = sold(office, "10.00", beside="10.00")

    def lies() -> tuple[str, ...]:
        pool = ("pool", "prize_fund", "wins_payable")
        owed = [office.balance(kind, "pool:P1") for kind in pool]
        return (*owed, office.balance("jackpot", "totolot"), office.balance("withdrawal_revenue"))

    assert lies() == ("0.00", "0.00", "12.00", "0.00", "8.00")
    office.clock(OVER)
    sweep(office)
    assert lies() == ("0.00", "0.00", "0.00", "12.00", "8.00")
    assert code_of(office.pay(ticket["code"])) == (409, "payment_term_over")


class TestHeld:
    """What is held does not lapse meanwhile, and the days of payment it took are given back whole (decision 0023)."""

    def test_a_hold_over_the_end_of_the_term(self, office: Office) -> None:
        """Held from 20 to 28 February: nine days. The term goes on from 23 February to 4 March, to its 24:00."""
        (ticket,) = sold(office, "10.00", beside="10.00")
        held = hold(office, "2023-02-20T10:00:00+03:00")
        office.clock("2023-02-25T10:00:00+03:00")
        assert sweep(office) == []
        assert (shown(office, ticket)["status"], shown(office, ticket)["under_review"]) == ("won", True)
        release(office, held, "2023-02-28T15:00:00+03:00")
        assert shown(office, ticket)["status"] == "won"
        assert shown(office, ticket)["payable_until"] == "2023-03-04T21:00:00+00:00"
        assert office.organizer.get("/pools/P1").json["status"] == "payable"
        sheet = office.organizer.get("/pools/P1/sheet").json
        assert sheet["payable_until"] == "2023-03-04T21:00:00+00:00"
        assert sheet["disputes_until"] == "2023-04-03T21:00:00+00:00", "thirty days from 5 March to 3 April"
        assert sweep(office) == []
        office.clock("2023-03-05T00:00:00+03:00")
        refused = office.pay(ticket["code"])
        assert refused.json["detail"] == "Последним днём выплаты было 04.03.2023."
        assert sweep(office) == ["P1"]
        with transaction(office.house.sessions) as session:
            assert session.scalars(select(Ending.ended_at)).one() == datetime(2023, 3, 4, 21, tzinfo=UTC)

    def test_a_hold_within_the_term(self, office: Office) -> None:
        """From 1 December 23:00 to 2 December 01:00 it touches two days: paid to 25 February."""
        (ticket,) = sold(office, "10.00", beside="10.00")
        held = hold(office, "2022-12-01T23:00:00+03:00")
        release(office, held, "2022-12-02T01:00:00+03:00")
        assert shown(office, ticket)["payable_until"] == "2023-02-25T21:00:00+00:00"
        office.clock("2023-02-25T23:00:00+03:00")
        assert office.pay(ticket["code"]).json["amount"] == "12.00"

    def test_a_hold_behind_the_end_revives_nothing(self, office: Office) -> None:
        (ticket,) = sold(office, "10.00", beside="10.00")
        held = hold(office, "2023-02-24T10:00:00+03:00")
        assert (shown(office, ticket)["status"], shown(office, ticket)["under_review"]) == ("expired", True)
        assert sweep(office) == [], "it waits, and books the true end afterwards"
        release(office, held, "2023-03-01T10:00:00+03:00")
        assert shown(office, ticket)["status"] == "expired"
        assert sweep(office) == ["P1"]
        with transaction(office.house.sessions) as session:
            assert session.scalars(select(Ending.ended_at)).one() == datetime(2023, 2, 23, 21, tzinfo=UTC)

    def test_a_hold_that_ended_before_the_term_took_nothing(self, office: Office) -> None:
        pool = office.pool()
        ticket = office.bet(office.cashier, "1", "10.00").json
        office.bet(office.cashier, "2", "10.00")
        held = hold(office, "2022-11-22T14:00:00+03:00")
        office.decide(pool, "1")
        release(office, held, "2022-11-22T20:00:00+03:00")
        assert office.organizer.post("/pools/P1/settlement").status_code == 201, "what was held is credited"
        assert shown(office, ticket)["payable_until"] == "2023-02-23T21:00:00+00:00"
