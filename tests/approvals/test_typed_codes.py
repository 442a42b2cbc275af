"""Payouts by a code typed from hand: a second person, a mark in the journal, a list (FIELD-FAULTS 011)."""

from __future__ import annotations

from sqlalchemy import text

from office.approvals.limits import NEAR_EXPIRY_DAYS, TYPED_FROM, TYPED_NEEDS_SECOND_PERSON
from office.significant.kinds import PAYOUT_TYPED
from tests.approvals.people import code_of, decided, proposed, winner
from tests.office import Office
from tests.records import facts_of, set_to

IN_FACTS = """
    SELECT proposals::text FROM proposals UNION ALL SELECT proposal_decisions::text FROM proposal_decisions
    UNION ALL SELECT significant_events::text FROM significant_events
    UNION ALL SELECT idempotency_keys::text FROM idempotency_keys UNION ALL SELECT payouts::text FROM payouts
"""


def test_two_and_a_half_million_typed_three_days_before_the_end(office: Office) -> None:
    """FIELD-FAULTS 011: 1000000.00 and 3166666.66 are 4166666.66; 60 % is 2499999.996, rounded up 2500000.00.

    Determined on 22 November, paid until 23 February 2023; on 20 February a typed number comes to the desk.
    """
    ticket = winner(office, "1000000.00", "3166666.66", maximum_stake="4000000.00")
    office.clock("2023-02-20T12:00:00+03:00")

    alone = office.pay(ticket["code"], code_entry="typed")
    assert code_of(alone) == (403, "second_person_needed")
    assert alone.json["amount"] == "2500000.00"
    approval = proposed(office, ticket, code_entry="typed")
    assert code_of(decided(office.cashier, approval)) == (403, "second_person_needed")
    assert decided(office.supervisor, approval).json["content"]["code_entry"] == "typed"
    paid = office.pay(ticket["code"], code_entry="typed", approval=approval)

    assert (paid.status_code, paid.json["amount"]) == (201, "2500000.00")
    (line,) = office.accountant.get("/payouts", entry="typed", near_expiry="true").json["items"]
    assert (line["code_entry"], line["approved_by"], line["ticket"]) == ("typed", "Supervisor", ticket["number"])
    assert facts_of(office, PAYOUT_TYPED) == [("payout:1", {"amount": "2500000.00", "approval": approval})]


def test_a_small_win_by_a_typed_code_takes_two_as_well_and_a_document(office: Office) -> None:
    """10.00 and 90.00: 60.00."""
    ticket = winner(office, "10.00", "90.00")
    alone = office.pay(ticket["code"], code_entry="typed")
    assert (code_of(alone), alone.json["because"]) == ((403, "second_person_needed"), "typed")
    without = {key: told for key, told in office.presented(ticket["code"]).items() if key != "document"}
    assert office.cashier.post("/payouts", without).status_code == 422
    approval = proposed(office, ticket, code_entry="typed")
    decided(office.supervisor, approval)
    assert office.pay(ticket["code"], code_entry="typed", approval=approval).json["amount"] == "60.00"


def test_the_terminal_says_how_the_code_came(office: Office) -> None:
    ticket = winner(office, "10.00", "90.00")
    silent = {key: told for key, told in office.presented(ticket["code"]).items() if key != "code_entry"}
    refused = office.cashier.post("/payouts", silent)
    assert (refused.status_code, list(refused.json["errors"]["json"])) == (422, ["code_entry"])
    assert office.pay(ticket["code"], code_entry="dictated").status_code == 422


def test_the_switch_and_its_amount_are_settings(office: Office) -> None:
    """Wins of 60.00: from 60.01 two are needed, so one pays; from 60.00; and not at all when it is off."""
    first, second = winner(office, "10.00", "90.00"), winner(office, "10.00", "90.00", "P2")
    set_to(office, TYPED_FROM, 60_01)
    assert office.pay(first["code"], code_entry="typed").status_code == 201
    set_to(office, TYPED_FROM, 60_00)
    assert code_of(office.pay(second["code"], code_entry="typed")) == (403, "second_person_needed")
    set_to(office, TYPED_NEEDS_SECOND_PERSON, False)
    assert office.pay(second["code"], code_entry="typed").status_code == 201
    assert [event for event, _ in facts_of(office, PAYOUT_TYPED)] == ["payout:1", "payout:2"]


def test_the_list_tells_typed_from_scanned_and_late_from_early(office: Office) -> None:
    """Paid until 24 February 00:00. Seven days before is 17 February 00:00: 23:59 the day before is early yet."""
    set_to(office, TYPED_NEEDS_SECOND_PERSON, False)
    tickets = [winner(office, "10.00", "90.00", f"P{number}") for number in range(1, 5)]
    instants = ("2023-02-16T23:59", "2023-02-17T00:00", "2023-02-17T00:00", "2023-02-20T12:00")
    for ticket, instant, entry in zip(tickets, instants, ("typed", "typed", "scanned", "typed"), strict=True):
        office.clock(f"{instant}:00+03:00")
        assert office.pay(ticket["code"], code_entry=entry).status_code == 201

    def numbers(**query: str) -> list[int]:
        return [line["number"] for line in office.accountant.get("/payouts", **query).json["items"]]

    assert numbers() == [1, 2, 3, 4]
    assert numbers(entry="typed") == [1, 2, 4]
    assert numbers(near_expiry="true") == [2, 3, 4]
    assert numbers(entry="typed", near_expiry="true") == [2, 4]
    set_to(office, NEAR_EXPIRY_DAYS, 4)
    assert numbers(entry="typed", near_expiry="true") == [4]


def test_late_is_counted_from_the_term_a_hold_has_prolonged(office: Office) -> None:
    """T-Rules 40: paid until 24 February; held on 20 days, from the 1st to the 20th, which go on top: until 16 March.

    On the 21st it is late by the first term, and 23 days early by the one in force.
    """
    ticket = winner(office, "10.00", "90.00")
    office.clock("2023-02-01T12:00:00+03:00")
    held = office.supervisor.post("/pools/P1/payout-holds", {"reason": "спор о местах"})
    assert held.status_code == 201, held.json
    office.clock("2023-02-20T12:00:00+03:00")
    released = office.organizer.post(f"/payout-holds/{held.json['id']}/release", {"reason": "спор решён"})
    assert released.status_code == 201, released.json
    office.clock("2023-02-21T12:00:00+03:00")
    assert office.pay(ticket["code"]).status_code == 201
    (line,) = office.accountant.get("/payouts").json["items"]
    assert line["payable_until"][:10] == "2023-03-15", "the 16th begins in Minsk at 21:00 UTC of the day before"
    assert office.accountant.get("/payouts", near_expiry="true").json["items"] == []


def test_no_name_document_or_code_stands_in_the_facts(office: Office) -> None:
    """D-16: a proposal names the person by a version of ciphertext, and the ticket by its running number."""
    ticket = winner(office, "10.00", "90.00")
    approval = proposed(office, ticket, code_entry="typed")
    decided(office.supervisor, approval)
    assert office.pay(ticket["code"], code_entry="typed", approval=approval).status_code == 201
    with office.owner() as session:
        written = " ".join(session.scalars(text(IN_FACTS)))
    assert f"ticket:{ticket['number']}" in written
    assert not [secret for secret in ("Петров", "MP1234567", "РУВД", ticket["code"]) if secret in written]
