"""A ticket looked at before its payout (T-Rules 13): what it is due, until when, and what hinders it."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import text

from tests.office import Member, Office

MOVEMENTS = text("SELECT (SELECT count(*) FROM transfers) + (SELECT count(*) FROM endings)")


def check(office: Office, code: str, entry: str = "scanned", member: Member | None = None) -> dict[str, Any]:
    """What the desk finds out about a ticket."""
    answer = (member or office.cashier).post("/ticket-checks", {"code": code, "code_entry": entry})
    assert answer.status_code == 200, answer.json
    assert code not in answer.text
    return dict(answer.json)


def sold(office: Office) -> tuple[dict[str, Any], dict[str, str]]:
    """10.00 on 1 and 10.00 on 2 of an open pool: whoever wins has the fund of 12.00."""
    pool = office.pool()
    return pool, {outcome: office.bet(office.cashier, outcome, "10.00").json["code"] for outcome in "12"}


def hindered(found: dict[str, Any]) -> tuple[str, str | None, str]:
    """What hinders the payout, the instant it tells of, and what is due meanwhile."""
    return found["hindrance"]["code"], found["hindrance"]["at"], found["due"]


def test_t_rules_13_a_payable_ticket_tells_its_terms_its_win_and_its_term(office: Office) -> None:
    """T-Rules 40, D-1: determined on 22 November 2022 in Minsk, paid from 23 November to 23 February."""
    pool, codes = sold(office)
    office.decide(pool, "1")
    office.clock("2022-11-23T10:00:00+03:00")
    with office.owner() as session:
        before = session.scalar(MOVEMENTS)
    found = check(office, codes["1"])
    terms = ("number", "pool", "outcome", "outcome_name", "stake", "desk", "status", "operator")
    assert [found[name] for name in terms] == [1, "P1", "1", "П1", "10.00", "K-1", "won", "ООО «Проба»"]
    assert (found["win"], found["stake_back"], found["due"]) == ("12.00", "0.00", "12.00")
    assert (found["payable_from"], found["payable_until"]) == (
        "2022-11-22T21:00:00+00:00",
        "2023-02-23T21:00:00+00:00",
    )
    assert (found["second_person"], found["hindrance"]) == (None, None)
    with office.owner() as session:
        assert session.scalar(MOVEMENTS) == before
    assert office.pay(codes["1"]).json["amount"] == "12.00"
    code, at, due = hindered(check(office, codes["1"]))
    assert (code, str(at)[:16], due) == ("already_paid", "2022-11-23T07:00", "0.00")


def test_what_hinders_a_payout_is_told_with_its_instant(office: Office) -> None:
    """Not settled; lost; not before the next day; after the term; held. A code that is typed asks for two persons."""
    pool, codes = sold(office)
    assert hindered(check(office, codes["1"])) == ("not_settled", None, "0.00")
    office.decide(pool, "1")
    assert hindered(check(office, codes["2"])) == ("ticket_lost", None, "0.00")
    assert hindered(check(office, codes["1"])) == ("not_payable_yet", "2022-11-22T21:00:00+00:00", "0.00")

    office.clock("2023-02-24T00:00:00+03:00")
    assert hindered(check(office, codes["1"])) == ("payment_term_over", "2023-02-23T21:00:00+00:00", "0.00")
    office.clock("2022-11-23T10:00:00+03:00")
    assert check(office, codes["1"], "typed")["second_person"] == "typed"
    held = office.supervisor.post("/pools/P1/payout-holds", {"reason": "претензия"})
    assert held.status_code == 201
    code, at, due = hindered(check(office, codes["1"]))
    assert (code, str(at)[:16], due) == ("payout_held", "2022-11-23T07:00", "0.00")


def test_a_large_win_asks_for_a_second_person(office: Office) -> None:
    """Two bets of 2000.00: the winner's fund of 2400.00 is beyond what one person pays."""
    pool = office.pool()
    code = office.bet(office.cashier, "1", "2000.00").json["code"]
    office.bet(office.cashier, "2", "2000.00")
    office.decide(pool, "1")
    office.clock("2022-11-23T10:00:00+03:00")
    body = {"value": "2400.00", "reason": "проба"}
    changed = office.administrator.post("/settings/payout_second_person_from/versions", body)
    assert changed.status_code == 201, changed.json
    assert (check(office, code)["due"], check(office, code)["second_person"]) == ("2400.00", "large")


def test_an_online_ticket_is_credited_and_not_paid(office: Office) -> None:
    office.pool()
    code = office.bet(office.player("ivan", "10.00"), "1", "10.00").json["code"]
    assert hindered(check(office, code)) == ("ticket_is_online", None, "0.00")


def test_unknown_codes_are_counted_as_those_of_payouts_are(office: Office) -> None:
    """Ten a minute at a terminal, looked at or presented; then both doors are shut, and somebody is told."""
    assert office.cashier
    for number in range(10):
        wrong = {"code": f"AAAABBBBCCCCDDD{number}", "code_entry": "typed"}
        answer = office.cashier.post("/ticket-checks", wrong)
        assert (answer.status_code, answer.json["code"]) == (404, "ticket_not_found")
    shut = office.cashier.post("/ticket-checks", wrong)
    assert (shut.status_code, shut.json["code"]) == (429, "too_many_attempts")
    assert office.pay("AAAABBBBCCCCDDDD").status_code == 429
    assert len(office.auditor.get("/significant-events", kind="ticket_codes_guessed").json["items"]) == 1


@pytest.mark.parametrize("told", [{"code": "short", "code_entry": "typed"}, {"code": "AAAABBBBCCCCDDDD"}])
def test_a_check_names_a_whole_code_and_how_it_came(office: Office, told: dict[str, str]) -> None:
    assert office.cashier.post("/ticket-checks", told).status_code == 422
