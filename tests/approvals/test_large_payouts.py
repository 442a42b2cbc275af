"""Payouts of 5000.00 and more take two persons (INDUSTRY: two persons); every amount worked by hand."""

from __future__ import annotations

import pytest

from office.approvals.limits import SECOND_PERSON_FROM
from office.callers import Role
from office.significant.kinds import APPROVAL_GIVEN, APPROVAL_REFUSED, APPROVAL_WITHDRAWN, LARGE_WIN
from office.significant.thresholds import LARGE_WIN_FROM
from tests.approvals.people import NEXT_DAY, change_user, code_of, decided, proposed, winner
from tests.office import Office
from tests.records import facts_of, set_to


def test_one_pays_4999_99_and_5000_00_takes_two(office: Office) -> None:
    """1000.00 and 7333.31 are 8333.31: 4999.986 of fund, rounded up 4999.99. With 7333.33: 4999.998, so 5000.00."""
    below, at = winner(office, "1000.00", "7333.31"), winner(office, "1000.00", "7333.33", "P2")

    assert office.pay(below["code"]).json["amount"] == "4999.99"
    alone = office.pay(at["code"])
    assert code_of(alone) == (403, "second_person_needed")
    assert (alone.json["because"], alone.json["amount"]) == ("large", "5000.00")
    assert office.balance("wins_payable", "pool:P2") == "5000.00"

    approval = proposed(office, at)
    assert decided(office.supervisor, approval).status_code == 201
    paid = office.pay(at["code"], approval=approval)

    assert (paid.status_code, paid.json["amount"], paid.json["approval"]) == (201, "5000.00", approval)
    assert (paid.json["approved_by"], paid.json["code_entry"]) == ("Supervisor", "scanned")
    assert office.balance("wins_payable", "pool:P2") == "0.00"
    assert [line["approved_by"] for line in office.supervisor.get("/payouts").json["items"]] == [None, "Supervisor"]


def test_a_proposal_pays_nothing_and_shows_what_is_to_be_done(office: Office) -> None:
    """4000.00 and 6000.00: fund 6000.00. The person is masked, the supervisor sees what waits."""
    ticket = winner(office, "4000.00", "6000.00")
    approval = proposed(office, ticket)

    (waiting,) = office.supervisor.get("/approvals", state="waiting", act="payout").json["items"]
    assert (waiting["id"], waiting["subject"], waiting["may_decide"]) == (approval, f"ticket:{ticket['number']}", True)
    assert (waiting["proposed_by"], waiting["reason"]) == ("Cashier", "QR-код не читается")
    content = waiting["content"]
    assert (content["amount"], content["code_entry"], content["person"]) == ("6000.00", "scanned", "П*** П.")
    assert content["document"] == "паспорт ***4567"
    mine = office.cashier.get(f"/approvals/{approval}").json
    assert (mine["state"], mine["may_decide"], mine["approvers"]) == ("waiting", False, ["supervisor"])
    assert office.supervisor.get("/approvals", state="approved").json["items"] == []
    assert office.balance("wins_payable", "pool:P1") == "6000.00"


def test_an_approval_serves_no_other_payout(office: Office) -> None:
    """Another ticket, another person, a code that came another way: each differs from what was approved."""
    ticket, other = winner(office, "4000.00", "6000.00"), winner(office, "4000.00", "6000.00", "P2")
    approval = proposed(office, ticket)
    decided(office.supervisor, approval)

    differing = [
        office.pay(other["code"], approval=approval),
        office.pay(ticket["code"], approval=approval, surname="Сидоров"),
        office.pay(ticket["code"], approval=approval, code_entry="typed"),
    ]
    assert [code_of(answer) for answer in differing] == [(409, "approval_differs")] * 3
    assert code_of(office.pay(ticket["code"], approval=99)) == (404, "not_found")
    assert office.balance("wins_payable", "pool:P2") == "6000.00"
    assert office.pay(ticket["code"], approval=approval).json["amount"] == "6000.00"
    assert code_of(office.pay(other["code"], approval=approval)) == (409, "approval_used")


@pytest.mark.parametrize(
    ("decision", "refusal"),
    [(None, "approval_waiting"), ("refused", "approval_refused"), ("withdrawn", "approval_refused")],
)
def test_what_is_not_approved_pays_nothing(office: Office, decision: str | None, refusal: str) -> None:
    ticket = winner(office, "4000.00", "6000.00")
    approval = proposed(office, ticket)
    if decision is not None:
        decider = office.cashier if decision == "withdrawn" else office.supervisor
        assert decided(decider, approval, decision, reason="не тот билет").json["state"] == decision

    assert code_of(office.pay(ticket["code"], approval=approval)) == (409, refusal)


def test_an_hour_later_neither_a_proposal_nor_an_approval_stands(office: Office) -> None:
    """Proposed at 10:00 for 60 minutes: at 10:59:59 it would serve, at 11:00 it does not."""
    ticket, other = winner(office, "4000.00", "6000.00"), winner(office, "4000.00", "6000.00", "P2")
    approved, waiting = proposed(office, ticket), proposed(office, other)
    decided(office.supervisor, approved)

    office.clock("2022-11-23T11:00:01+03:00")

    assert {office.cashier.get(f"/approvals/{one}").json["state"] for one in (approved, waiting)} == {"lapsed"}
    assert code_of(decided(office.supervisor, waiting)) == (409, "approval_lapsed")
    assert code_of(office.pay(ticket["code"], approval=approved)) == (409, "approval_lapsed")
    again = proposed(office, ticket)
    decided(office.supervisor, again)
    office.clock("2022-11-23T12:00:00+03:00")
    assert office.pay(ticket["code"], approval=again).status_code == 201


def test_what_was_paid_or_lapsed_since_the_approval_is_refused(office: Office) -> None:
    """Two approvals of one ticket pay it once; a win whose last day ends at midnight is not paid at 00:00."""
    ticket, late = winner(office, "4000.00", "6000.00"), winner(office, "4000.00", "6000.00", "P2")
    first, second = proposed(office, ticket), proposed(office, ticket)
    for approval in (first, second):
        assert decided(office.supervisor, approval).status_code == 201
    assert office.pay(ticket["code"], approval=first).status_code == 201
    assert code_of(office.pay(ticket["code"], approval=second)) == (409, "already_paid")

    office.clock("2023-02-23T23:59:00+03:00")
    approval = proposed(office, late)
    decided(office.supervisor, approval)
    office.clock("2023-02-24T00:00:00+03:00")
    assert code_of(office.pay(late["code"], approval=approval)) == (409, "payment_term_over")


def test_the_limit_and_the_large_sum_are_settings(office: Office) -> None:
    """10.00 and 90.00: a win of 60.00. The limit is 60.01, then 60.00; large is what reaches 60.00."""
    ticket, other = winner(office, "10.00", "90.00"), winner(office, "10.00", "90.00", "P2")
    set_to(office, SECOND_PERSON_FROM, 60_01)
    assert office.pay(ticket["code"]).status_code == 201
    assert facts_of(office, LARGE_WIN) == []
    set_to(office, SECOND_PERSON_FROM, 60_00)
    set_to(office, LARGE_WIN_FROM, 60_00)
    assert code_of(office.pay(other["code"])) == (403, "second_person_needed")
    approval = proposed(office, other)
    decided(office.supervisor, approval)
    office.pay(other["code"], approval=approval)
    assert facts_of(office, LARGE_WIN) == [
        (f"ticket:{other['number']}", {"win": "60.00", "currency": "BYN", "end": "payout"})
    ]


def test_an_approval_that_was_not_needed_is_on_record_all_the_same(office: Office) -> None:
    ticket = winner(office, "10.00", "90.00")
    approval = proposed(office, ticket)
    decided(office.supervisor, approval)
    assert office.pay(ticket["code"], approval=approval).json["approved_by"] == "Supervisor"


def test_a_repeat_gets_the_same_proposal_decision_and_refusal(office: Office) -> None:
    ticket = winner(office, "4000.00", "6000.00")
    body = {**office.presented(ticket["code"]), "reason": "крупный выигрыш"}
    made = [office.cashier.post("/payout-proposals", body, "proposal-key-01").json["id"] for _ in range(2)]
    assert made[0] == made[1]
    path, word = f"/approvals/{made[0]}/decision", {"decision": "approved"}
    answers = [office.supervisor.post(path, word, "decision-key-01") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[0].json == answers[1].json
    assert answers[1].headers["Idempotency-Replayed"] == "true"
    assert office.supervisor.get("/idempotency-keys/decision-key-01").json["outcome"] == "made"
    again = office.supervisor.post(path, word)
    assert (code_of(again), again.json["decision"]) == ((409, "approval_already_decided"), "approved")


def test_who_lost_the_right_decides_nothing(office: Office) -> None:
    """A supervisor made a cashier since, and proposals of a cashier who was blocked since."""
    ticket = winner(office, "4000.00", "6000.00")
    approval = proposed(office, ticket)
    assert office.supervisor
    change_user(office, "supervisor", "role = 'accountant'")
    assert code_of(decided(office.supervisor, approval)) == (403, "forbidden")
    change_user(office, "supervisor", "role = 'supervisor', blocked_at = now()")
    assert code_of(decided(office.supervisor, approval)) == (401, "unauthenticated")
    change_user(office, "supervisor", "blocked_at = NULL")
    change_user(office, "cashier", "blocked_at = now()")
    assert code_of(decided(office.supervisor, approval)) == (409, "proposer_not_entitled")
    assert decided(office.supervisor, approval, "refused").json["state"] == "refused"
    change_user(office, "cashier", "blocked_at = NULL")


def test_who_approved_a_payout_does_not_pay_it(office: Office) -> None:
    """A supervisor who became a cashier since, at the same terminal: not the one who proposed, but not a second one."""
    ticket = winner(office, "4000.00", "6000.00")
    approval = proposed(office, ticket)
    decided(office.supervisor, approval)
    change_user(office, "supervisor", "role = 'cashier'")
    both = office.sign_in("supervisor", terminal=office.terminal)
    assert code_of(office.pay(ticket["code"], both, approval=approval)) == (409, "approver_not_entitled")
    assert code_of(office.pay(ticket["code"], approval=approval)) == (409, "approver_not_entitled")
    change_user(office, "supervisor", "role = 'supervisor'")
    assert office.pay(ticket["code"], approval=approval).status_code == 201


@pytest.mark.parametrize(
    ("login", "refused"), [("supervisor", "approver_not_entitled"), ("cashier", "proposer_not_entitled")]
)
def test_an_approval_is_worth_nothing_once_one_of_its_two_is_locked(office: Office, login: str, refused: str) -> None:
    ticket = winner(office, "4000.00", "6000.00")
    approval = proposed(office, ticket)
    decided(office.supervisor, approval)
    office.hire("colleague", Role.CASHIER)
    colleague = office.sign_in("colleague", terminal=office.terminal)
    change_user(office, login, "blocked_at = now()")
    assert code_of(office.pay(ticket["code"], colleague, approval=approval)) == (409, refused)


def test_whom_a_proposal_does_not_concern_does_not_see_it(office: Office) -> None:
    """Another desk's cashier and organizers: 404. The proposer may withdraw and nothing else, others may not."""
    ticket = winner(office, "4000.00", "6000.00")
    approval = proposed(office, ticket)
    for stranger in (office.another_cashier(2), office.organizer):
        assert code_of(stranger.get(f"/approvals/{approval}")) == (404, "not_found")
        assert code_of(decided(stranger, approval)) == (404, "not_found")
        assert approval not in [one["id"] for one in stranger.get("/approvals").json["items"] if one["act"] == "payout"]
    for decision in ("approved", "refused"):
        assert code_of(decided(office.cashier, approval, decision)) == (403, "second_person_needed")
    assert code_of(decided(office.supervisor, approval, "withdrawn")) == (403, "forbidden")
    assert decided(office.cashier, approval, "withdrawn").json["state"] == "withdrawn"
    office.hire("auditor", Role.AUDITOR)
    assert office.sign_in("auditor").get(f"/approvals/{approval}").json["state"] == "withdrawn"


def test_decisions_are_significant_events(office: Office) -> None:
    ticket = winner(office, "4000.00", "6000.00")
    first, second, third = (proposed(office, ticket) for _ in range(3))
    decided(office.supervisor, first)
    decided(office.supervisor, second, "refused", reason="не тот билет")
    decided(office.cashier, third, "withdrawn")
    of = {"act": "payout", "of": f"ticket:{ticket['number']}"}
    given = [event for event in facts_of(office, APPROVAL_GIVEN) if event[1]["act"] == "payout"]
    assert given == [(f"proposal:{first}", {**of, "reason": None})]
    assert facts_of(office, APPROVAL_REFUSED) == [(f"proposal:{second}", {**of, "reason": "не тот билет"})]
    assert facts_of(office, APPROVAL_WITHDRAWN) == [(f"proposal:{third}", {**of, "reason": None})]


def test_lists_are_read_page_by_page(office: Office) -> None:
    ticket = winner(office, "4000.00", "6000.00")
    made = [proposed(office, ticket) for _ in range(3)]
    first = office.supervisor.get("/approvals", limit=2).json
    second = office.supervisor.get("/approvals", limit=2, cursor=first["next_cursor"]).json
    assert [one["id"] for one in first["items"] + second["items"]] == made
    assert second["next_cursor"] is None
    assert office.supervisor.get("/approvals", state="open").status_code == 422
    assert NEXT_DAY[:10] == first["items"][0]["proposed_at"][:10]
