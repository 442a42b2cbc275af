"""A protocol corrected after the settlement: reversed, and settled again from the same fund once (D-14).

FIELD-FAULTS 005 and 032. The figures of each result are worked in tests/tote/match.py.
"""

from __future__ import annotations

import itertools

import pytest

from office.significant.kinds import CASH_OVERPAID, PROTOCOL_CORRECTED, WINS_CLAIMED
from tests.approvals.people import code_of
from tests.office import OPERATOR, Office
from tests.records import facts_of
from tests.tote.match import AFTER, MONEY, NEXT_DAY, NOT_HELD, STATES, sold
from tote.settling import resume_settlements

RESULTS = list(MONEY)
WAYS = [
    *itertools.permutations(RESULTS, 2),
    (("1",), NOT_HELD, ("2",), ("1",)),
    (("X",), ("1", "2"), ("X",), NOT_HELD, ("1", "2")),
    (NOT_HELD, ("X",), ("1",), ("X",), ("2",)),
]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: " ".join("+".join(result) or "none" for result in way))
def test_after_k_corrections_all_is_as_if_settled_once_by_the_last_result(
    office: Office, way: tuple[tuple[str, ...], ...]
) -> None:
    """FIELD-FAULTS 032: held or not, minus pool or not, with winners or none, whatever came before."""
    match = sold(office)
    for result in way:
        sheet = match.settle_by(*result)
    assert (match.money(), match.states()) == (MONEY[way[-1]], STATES[way[-1]])
    assert [version["reversed_at"] is None for version in sheet["versions"]] == [False] * (len(way) - 1) + [True]
    assert [tuple(version["true_outcomes"]) for version in sheet["versions"]] == list(way)


def test_cash_paid_by_the_wrong_protocol_stays_paid_and_is_the_organizers_loss(office: Office) -> None:
    """FIELD-FAULTS 005: A fetched 15.00; by the right result C and Olga share the same 30.00, undiminished."""
    match = sold(office)
    match.settle_by("1")
    office.clock(NEXT_DAY)
    assert office.pay(match.codes["A"]).json["amount"] == "15.00"
    sheet = match.settle_by("2")

    assert (sheet["fund"], sheet["wins"], sheet["coefficient"]) == ("30.00", "30.00", "1/1")
    assert match.money() == ("20.00", "985.00", "0.00", "20.00", "0.00", "10.00")
    assert match.states() == STATES["2",]
    assert code_of(office.pay(match.codes["A"])) == (409, "ticket_lost")
    was, stands = match.decisions(0)
    assert (was["decision"], was["end"], was["amount"], was["protocol"]) == ("won", "paid", "15.00", 1)
    assert (stands["decision"], stands["received"], stands["due"]) == ("lost", "15.00", "0.00")
    assert (stands["end"], stands["overpaid"], stands["protocol"]) == (None, "15.00", 2)
    told = {"pool": "P1", "tickets": 1, "amount": "15.00"}
    assert facts_of(office, CASH_OVERPAID) == [(f"pool:{match.pool['id']}", told)]
    assert facts_of(office, WINS_CLAIMED) == []
    # The new wins have a term of their own, from the day after the correction.
    assert code_of(office.pay(match.codes["C"])) == (409, "not_payable_yet")
    office.clock("2023-02-24T23:59:00+03:00")
    assert office.pay(match.codes["C"]).json["amount"] == "20.00"


def test_a_credited_win_is_taken_back_to_zero_and_the_rest_is_claimed(office: Office) -> None:
    """Ivan got 15.00 and staked 5.00 of it elsewhere: 10.00 are taken back, 5.00 are the organizer's claim."""
    match = sold(office)
    office.pool("P2", closes_at="2022-11-22T13:00:00+03:00")
    match.settle_by("1")
    office.clock("2022-11-22T12:00:00+03:00")
    assert office.bet(match.ivan, "X", "5.00", "P2").status_code == 201
    office.clock(AFTER)
    match.settle_by("2")

    assert match.money() == ("20.00", "1000.00", "0.00", "20.00", "0.00", "10.00")
    assert office.balance("claims", "player:1") == "5.00"
    assert match.states() == STATES["2",]
    _, stands = match.decisions(1)
    assert (stands["received"], stands["taken_back"], stands["claimed"]) == ("15.00", "10.00", "5.00")
    told = {"pool": "P1", "tickets": 1, "amount": "5.00"}
    assert facts_of(office, WINS_CLAIMED) == [(f"pool:{match.pool['id']}", told)]


def test_what_was_claimed_or_borne_is_undone_when_the_first_result_was_right_after_all(office: Office) -> None:
    """By 1, then 2, then X, then 1 again: 15.00 paid to A and 15.00 less the 5.00 he spent with Ivan, as at first."""
    match = sold(office)
    office.pool("P2", closes_at="2022-11-22T13:00:00+03:00")
    match.settle_by("1")
    office.clock("2022-11-22T12:00:00+03:00")
    office.bet(match.ivan, "X", "5.00", "P2")
    office.clock(NEXT_DAY)
    office.pay(match.codes["A"])
    for outcomes in (("2",), ("X",), ("1",)):
        match.settle_by(*outcomes)

    assert match.money() == ("20.00", "1000.00", "0.00", "0.00", "10.00", "0.00")
    assert office.balance("claims", "player:1") == "0.00"
    assert match.states() == ["paid 15.00", "credited 15.00", "lost 0.00", "lost 0.00"]
    *_, last = match.decisions(0)
    assert (last["due"], last["end"], last["amount"]) == ("0.00", "paid", "0.00")
    assert [one["overpaid"] for one in match.decisions(0)] == ["0.00"] * 4
    *_, last = match.decisions(1)
    assert (last["received"], last["due"], last["end"], last["amount"]) == ("5.00", "10.00", "credited", "10.00")
    assert code_of(office.pay(match.codes["A"])) == (409, "already_paid")


def test_an_upward_correction_pays_the_difference(office: Office) -> None:
    """Everybody won: A fetched 11.00 and Ivan was credited 11.00. By 1 alone each has 15.00: 4.00 more."""
    match = sold(office)
    match.settle_by("1", "2")
    office.clock(NEXT_DAY)
    assert office.pay(match.codes["A"]).json["amount"] == "11.00"
    match.settle_by("1")

    assert match.money() == ("20.00", "1000.00", "0.00", "4.00", "15.00", "0.00")
    assert match.states() == ["won 15.00", "credited 15.00", "lost 0.00", "lost 0.00"]
    office.clock("2022-11-24T10:00:00+03:00")
    paid = office.pay(match.codes["A"])
    assert (paid.json["amount"], paid.json["number"]) == ("4.00", 2)
    assert [one["amount"] for one in match.decisions(0)] == ["11.00", "4.00"]


def test_from_the_correction_until_it_is_settled_by_nobody_is_paid(office: Office) -> None:
    """The tickets are under review; nobody corrects a second time meanwhile; the sweep settles what was begun."""
    match = sold(office)
    match.settle_by("1")
    office.clock(NEXT_DAY)
    waiting = office.enter(match.pool, "X", corrects=1, reason="clerical_error")
    assert office.correct(match.pool, "2").status_code == 201

    refused = office.pay(match.codes["A"])
    assert code_of(refused) == (409, "settlement_under_way")
    assert refused.json["detail"] == "Протокол исправлен, пул рассчитывается заново: повторите через минуту."
    assert code_of(office.propose_payout(match.codes["A"])) == (409, "settlement_under_way")
    assert office.cashier.get(f"/tickets/{match.numbers[0]}").json["under_review"] is True
    body = {"outcomes": ["X"], "source": "протокол", "corrects": 2, "reason": "source_misread"}
    again = office.organizer.post(f"/events/{match.pool['event_id']}/results", body)
    assert (code_of(again), again.json["pools"]) == ((409, "settlement_under_way"), ["P1"])

    assert resume_settlements(office.house.sessions, OPERATOR) == ["P1"]
    assert resume_settlements(office.house.sessions, OPERATOR) == []
    assert match.money() == MONEY["2",]
    assert office.cashier.get(f"/tickets/{match.numbers[0]}").json["under_review"] is False
    assert code_of(office.confirm(match.pool, waiting)) == (409, "protocol_superseded")


def test_a_held_pool_is_corrected_and_credited_when_it_is_released(office: Office) -> None:
    """FIELD-FAULTS 006: held because of the doubt, corrected meanwhile; the sweep settles it but for the crediting."""
    match = sold(office)
    match.settle_by("1")
    held = office.supervisor.post("/pools/P1/payout-holds", {"reason": "счёт под сомнением"}).json
    assert office.correct(match.pool, "2").status_code == 201
    assert resume_settlements(office.house.sessions, OPERATOR) == ["P1"]
    assert office.organizer.get("/pools/P1/sheet").json["wins"] == "30.00"
    assert match.ivan.get("/players/me").json["balance"] == "15.00"
    office.clock(NEXT_DAY)
    assert code_of(office.pay(match.codes["C"])) == (409, "payout_held")
    assert resume_settlements(office.house.sessions, OPERATOR) == []

    office.organizer.post(f"/payout-holds/{held['id']}/release", {"reason": "протокол исправлен"})
    assert resume_settlements(office.house.sessions, OPERATOR) == ["P1"]
    assert (match.money(), match.states()) == (MONEY["2",], STATES["2",])


def test_every_pool_of_the_event_is_settled_again_and_another_events_is_not(office: Office) -> None:
    """Two pools on one match: 10.00 on 1 and 10.00 on 2 in the second, a fund of 12.00."""
    match = sold(office)
    beside = {"code": "P2", "event_id": match.pool["event_id"]}
    terms = ("name", "game", "opens_at", "closes_at", "minimum_stake", "maximum_stake", "outcomes")
    told = {name: match.pool[name] for name in terms}
    assert office.organizer.post("/pools", {**told, **beside}).status_code == 201
    for outcome in ("1", "2"):
        office.bet(office.cashier, outcome, "10.00", "P2")
    elsewhere = office.pool("P3")
    match.settle_by("1")
    for pool in (beside, elsewhere):
        assert office.organizer.post(f"/pools/{pool['code']}/closing").status_code == 201
    assert office.organizer.post("/pools/P2/settlement").status_code == 201
    assert office.correct(match.pool, "2").status_code == 201

    assert resume_settlements(office.house.sessions, OPERATOR) == ["P1", "P2"]
    assert [office.organizer.get(f"/tickets/{number}").json["status"] for number in (5, 6)] == ["lost", "won"]
    sheets = [office.organizer.get(f"/pools/{code}/sheet").json["versions"] for code in ("P1", "P2", "P3")]
    assert [[version["protocol"] for version in versions] for versions in sheets] == [[1, 2], [1, 2], []]


def test_a_result_that_decides_nothing_of_a_settled_pool_corrects_nothing(office: Office) -> None:
    match = sold(office)
    match.settle_by("1")
    body = {"outcomes": ["3:0"], "source": "протокол", "corrects": 1, "reason": "clerical_error"}
    refused = office.organizer.post(f"/events/{match.pool['event_id']}/results", body)
    assert (code_of(refused), refused.json["pool"]) == ((409, "result_names_no_outcome"), "P1")


def test_that_an_event_is_found_not_held_is_told_with_the_correction(office: Office) -> None:
    match = sold(office)
    match.settle_by("1")
    match.settle_by(*NOT_HELD)
    told = {"corrected": 1, "by_protocol": 2, "reason": "clerical_error", "was": ["1"], "now": []}
    stood = {"stood": "held", "stands": "not_held"}
    assert facts_of(office, PROTOCOL_CORRECTED) == [(f"event:{match.pool['event_id']}", {**told, **stood})]


def test_the_decisions_on_a_ticket_are_told_from_the_first_that_was_valid(office: Office) -> None:
    """None while it waits; a ticket that is not there is not found."""
    match = sold(office)
    assert match.decisions(0) == []
    assert code_of(office.auditor.get("/tickets/99/decisions")) == (404, "not_found")
    match.settle_by("1")
    (decided,) = match.decisions(0)
    told = {"version": 1, "run": 1, "cause": "protocol", "protocol": 1, "decision": "won", "win": "15.00"}
    assert {name: decided[name] for name in told} == told
    assert office.correct(match.pool, "2").status_code == 201
    assert len(match.decisions(0)) == 1, "what is not complete decides nothing"
