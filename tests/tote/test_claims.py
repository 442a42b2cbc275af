"""Claims with official documents hold the wins they concern until another decides; disputes (T-Rules 33, 45; D-23)."""

from __future__ import annotations

from typing import Any

import pytest
from werkzeug.test import TestResponse

from office.significant.kinds import CLAIM_DECIDED, CLAIM_ENTERED, DISPUTE_DECIDED, DISPUTE_ENTERED, PAYOUTS_RELEASED
from tests.approvals.people import code_of
from tests.office import OPERATOR, Member, Office
from tests.records import facts_of
from tote.expiry import expire_due
from tote.late_crediting import credit_released
from tote.settling import resume_settlements

NEXT_DAY = "2022-11-23T10:00:00+03:00"
DOCUMENT = {
    "kind": "протокол матча",
    "number": "17/2022",
    "issued_on": "2022-11-22",
    "issued_by": "Федерация футбола",
}
STATEMENT = "В протоколе лиги указан другой счёт"


def claim(office: Office, ticket: int | None = None, **told: Any) -> TestResponse:
    """The supervisor enters a claim against the first pool's result, or one of its tickets."""
    named = {} if ticket is None else {"ticket": ticket}
    body = {"pool": "P1", "statement": STATEMENT, "documents": [DOCUMENT], **named, **told}
    return office.supervisor.post("/claims", body)


def entered(answer: TestResponse) -> int:
    """The number of what was entered."""
    assert answer.status_code == 201, answer.json
    return int(answer.json["id"])


def decide(member: Member, what: str, number: int, decision: str = "rejected") -> TestResponse:
    """Somebody's decision on a claim or a dispute."""
    told = {"decision": decision, "explanation": "Протокол комиссии верен"}
    return member.post(f"/{what}/{number}/decision", told)


@pytest.fixture
def pool(office: Office) -> dict[str, Any]:
    """10.00 on 1 by two at the desk and two online, 60.00 on 2; 100.00 give 60.00, each of the four wins is 15.00."""
    made = office.pool()
    made["players"] = [office.player(login, "10.00") for login in ("ivan", "olga")]
    made["cash"] = [office.bet(office.cashier, "1", "10.00").json for _ in range(2)]
    made["online"] = [office.bet(player, "1", "10.00").json for player in made["players"]]
    made["beside"] = office.bet(office.cashier, "2", "60.00").json
    office.determine(made, "1")
    return made


def settle(office: Office) -> None:
    """The organizer settles it; the next day has come."""
    assert office.organizer.post("/pools/P1/settlement").json["wins"] == "60.00"
    office.clock(NEXT_DAY)


def balances(pool: dict[str, Any]) -> list[str]:
    """The money on the two game accounts."""
    return [player.get("/players/me").json["balance"] for player in pool["players"]]


def test_t_rules_33_a_claim_holds_every_win_of_its_pool_until_it_is_rejected(
    office: Office, pool: dict[str, Any]
) -> None:
    number = entered(claim(office))
    settle(office)
    refused = office.pay(pool["cash"][0]["code"])
    assert code_of(refused) == (409, "payout_held")
    assert refused.json["detail"] == "Выплаты приостановлены: претензия по результату события."
    assert balances(pool) == ["0.00", "0.00"]
    assert resume_settlements(office.house.sessions, OPERATOR) == []

    answer = decide(office.organizer, "claims", number)

    assert (answer.status_code, answer.json["decision"], answer.json["holds"]) == (201, "rejected", False)
    assert resume_settlements(office.house.sessions, OPERATOR) == ["P1"]
    assert balances(pool) == ["15.00", "15.00"]
    assert office.pay(pool["cash"][0]["code"]).json["amount"] == "15.00"


def test_a_claim_that_names_a_ticket_holds_it_alone(office: Office, pool: dict[str, Any]) -> None:
    """The other desk ticket is paid and the other player credited; the sweep credits the last when it is decided."""
    online, cash = (entered(claim(office, pool[way][0]["number"])) for way in ("online", "cash"))
    settle(office)
    assert balances(pool) == ["0.00", "15.00"]
    assert office.pay(pool["cash"][1]["code"]).json["amount"] == "15.00"
    refused = office.pay(pool["cash"][0]["code"])
    assert code_of(refused) == (409, "payout_held")
    assert refused.json["detail"] == "Выплата по билету приостановлена: претензия по результату события."
    reviewed = {line["number"]: line["under_review"] for line in office.organizer.get("/tickets").json["items"]}
    assert [number for number, under_review in sorted(reviewed.items()) if under_review] == [
        pool["cash"][0]["number"],
        pool["online"][0]["number"],
    ]
    resume_settlements(office.house.sessions, OPERATOR)
    assert balances(pool) == ["0.00", "15.00"]

    for number in (online, cash):
        assert decide(office.organizer, "claims", number).status_code == 201
    assert balances(pool) == ["0.00", "15.00"], "the sweep has not come yet"
    resume_settlements(office.house.sessions, OPERATOR)
    resume_settlements(office.house.sessions, OPERATOR)
    assert balances(pool) == ["15.00", "15.00"]
    assert office.organizer.get(f"/tickets/{pool['online'][0]['number']}").json["status"] == "credited"
    assert office.pay(pool["cash"][0]["code"]).json["amount"] == "15.00"


def test_a_ticket_whose_pool_is_held_as_well_waits_for_both(office: Office, pool: dict[str, Any]) -> None:
    number = entered(claim(office, pool["online"][0]["number"]))
    settle(office)
    held = office.supervisor.post("/pools/P1/payout-holds", {"reason": "проверка"}).json["id"]
    decide(office.organizer, "claims", number)
    resume_settlements(office.house.sessions, OPERATOR)
    assert balances(pool) == ["0.00", "15.00"]
    assert office.organizer.post(f"/payout-holds/{held}/release", {"reason": "верно"}).status_code == 201
    resume_settlements(office.house.sessions, OPERATOR)
    assert balances(pool) == ["15.00", "15.00"]


def test_a_ticket_whose_run_was_superseded_is_not_told_to_be_credited_late(
    office: Office, pool: dict[str, Any]
) -> None:
    """Held alone when its run was credited; settled anew meanwhile, all won: 11.00 each, by the new run alone."""
    number = entered(claim(office, pool["online"][0]["number"]))
    settle(office)
    decide(office.organizer, "claims", number)
    held = office.supervisor.post("/pools/P1/payout-holds", {"reason": "проверка"}).json["id"]
    assert office.settle_again(pool, "1", "2")["minus_pool"] is True
    assert office.organizer.post(f"/payout-holds/{held}/release", {"reason": "верно"}).status_code == 201
    assert credit_released(office.house.sessions, OPERATOR) == []
    assert balances(pool) == ["0.00", "15.00"]
    assert resume_settlements(office.house.sessions, OPERATOR) == ["P1"]
    assert balances(pool) == ["11.00", "11.00"]


def test_d_23_an_upheld_claim_holds_until_the_pool_is_settled_by_the_corrected_protocol(
    office: Office, pool: dict[str, Any]
) -> None:
    """2 came true: 60.00 of fund on 60.00, and neither 1 nor anybody was paid meanwhile."""
    number = entered(claim(office))
    answer = decide(office.organizer, "claims", number, "upheld")
    assert (answer.json["decision"], answer.json["holds"]) == ("upheld", True)
    path = f"/events/{pool['event_id']}"
    right = {"outcomes": ["2"], "source": "протокол матча", "corrects": 1, "reason": "source_misread"}
    result = office.organizer.post(path + "/results", right).json["id"]
    protocol = {"result_id": result, "signatories": ["Первый член", "Второй член"]}
    assert office.second_organizer.post(path + "/protocols", protocol).status_code == 201
    assert office.organizer.get(f"/claims/{number}").json["holds"] is True

    assert office.organizer.post("/pools/P1/settlement").json["wins"] == "60.00"

    assert office.organizer.get(f"/claims/{number}").json["holds"] is False
    office.clock(NEXT_DAY)
    assert code_of(office.pay(pool["cash"][0]["code"])) == (409, "ticket_lost")
    assert balances(pool) == ["0.00", "0.00"]
    assert [facts["claim"] for _, facts in facts_of(office, PAYOUTS_RELEASED)] == [number]


def test_d_23_an_upheld_claim_against_a_settled_pool_leads_to_another_settlement(
    office: Office, pool: dict[str, Any]
) -> None:
    """The two credited wins of 15.00 come back; the 60.00 on 2 wins the fund of 60.00, and is paid the next day."""
    settle(office)
    assert balances(pool) == ["15.00", "15.00"]
    number = entered(claim(office))
    decide(office.organizer, "claims", number, "upheld")
    assert code_of(office.pay(pool["cash"][0]["code"])) == (409, "payout_held")

    assert office.settle_again(pool, "2")["wins"] == "60.00"

    assert office.organizer.get(f"/claims/{number}").json["holds"] is False
    assert balances(pool) == ["0.00", "0.00"]
    assert code_of(office.pay(pool["cash"][0]["code"])) == (409, "ticket_lost")
    office.clock("2022-11-24T10:00:00+03:00")
    assert office.balance("wins_payable", "pool:P1") == "60.00"
    assert office.organizer.get("/pools/P1").json["status"] == "payable"


def test_d_23_a_claim_upheld_when_the_pool_is_settled_anew_already_holds_no_more(
    office: Office, pool: dict[str, Any]
) -> None:
    """Of two against one wrong result, the second is upheld on the 25th, after what the first had led to.

    The new term is 24 November to 24 February; the second held its days 24 and 25, so it lasts to 26 February.
    """
    settle(office)
    first, second = entered(claim(office)), entered(claim(office))
    decide(office.organizer, "claims", first, "upheld")
    assert office.settle_again(pool, "2")["wins"] == "60.00"
    office.clock("2022-11-25T10:00:00+03:00")
    assert code_of(office.pay(pool["beside"]["code"])) == (409, "payout_held")
    assert balances(pool) == ["15.00", "15.00"], "what was credited by the wrong result is not taken back yet"

    answer = decide(office.organizer, "claims", second, "upheld")

    assert (answer.json["decision"], answer.json["holds"]) == ("upheld", False)
    assert office.organizer.get("/pools/P1/sheet").json["payable_until"] == "2023-02-26T21:00:00+00:00"
    assert resume_settlements(office.house.sessions, OPERATOR) == ["P1"]
    assert balances(pool) == ["0.00", "0.00"]
    assert office.pay(pool["beside"]["code"]).json["amount"] == "60.00"
    assert [facts["claim"] for _, facts in facts_of(office, PAYOUTS_RELEASED)] == [first, second]


def test_an_upheld_claim_against_the_protocol_that_is_settled_by_goes_on_holding(
    office: Office, pool: dict[str, Any]
) -> None:
    decide(office.organizer, "claims", entered(claim(office)), "upheld")
    settle(office)
    assert code_of(office.pay(pool["cash"][0]["code"])) == (409, "payout_held")


def test_a_claim_is_decided_once_and_by_another(office: Office, pool: dict[str, Any]) -> None:
    number = entered(claim(office))
    assert code_of(decide(office.supervisor, "claims", number)) == (403, "second_person_needed")
    assert decide(office.organizer, "claims", number).status_code == 201
    again = decide(office.second_organizer, "claims", number, "upheld")
    assert (code_of(again), again.json["decision"]) == ((409, "claim_already_decided"), "rejected")
    assert code_of(decide(office.organizer, "claims", 99)) == (404, "not_found")


def test_what_a_claim_holds_is_released_by_its_decision_alone(office: Office, pool: dict[str, Any]) -> None:
    """Holds by decision and by claims stand beside one another, and each ends by itself."""
    number = entered(claim(office))
    other = entered(claim(office, pool["cash"][0]["number"]))
    by_decision = office.supervisor.post("/pools/P1/payout-holds", {"reason": "проверка"}).json
    lines = office.accountant.get("/payout-holds", standing="true").json["items"]
    assert [(line["cause"], line["pool"], line["ticket"]) for line in lines] == [
        ("claim", "P1", None),
        ("claim", "P1", pool["cash"][0]["number"]),
        ("decision", "P1", None),
    ]
    for line in lines[:2]:
        refused = office.organizer.post(f"/payout-holds/{line['id']}/release", {"reason": "проба"})
        assert code_of(refused) == (409, "held_by_claim")
    settle(office)
    code = pool["cash"][0]["code"]
    decide(office.organizer, "claims", number)
    assert code_of(office.pay(code)) == (409, "payout_held")
    assert office.organizer.post(f"/payout-holds/{by_decision['id']}/release", {"reason": "верно"}).status_code == 201
    assert code_of(office.pay(code)) == (409, "payout_held")
    decide(office.organizer, "claims", other)
    assert office.pay(code).json["amount"] == "15.00"


def test_t_rules_33_nothing_is_claimed_without_documents_or_before_a_result(office: Office) -> None:
    first, _ = office.pool(), office.pool("P2")
    ticket = office.bet(office.cashier, "1", "10.00", "P2").json["number"]
    assert code_of(claim(office)) == (409, "result_not_confirmed")
    assert office.accountant.get("/payout-holds").json["items"] == [], "nothing is held by what is refused"
    office.determine(first, "1")
    for documents in ([], [{"kind": "протокол"}], [{**DOCUMENT, "issued_on": "вчера"}]):
        assert claim(office, documents=documents).status_code == 422
    assert code_of(claim(office, pool="P9")) == (404, "unknown_pool")
    assert code_of(claim(office, ticket)) == (404, "not_found"), "it is a ticket of the other pool"


def test_claims_are_listed_with_their_documents_and_decisions(office: Office, pool: dict[str, Any]) -> None:
    first = entered(claim(office, pool["cash"][0]["number"]))
    second = entered(claim(office))
    decide(office.organizer, "claims", first)
    items = office.auditor.get("/claims", pool="P1").json["items"]
    assert [(one["id"], one["ticket"], one["decision"], one["holds"]) for one in items] == [
        (second, None, None, True),
        (first, pool["cash"][0]["number"], "rejected", False),
    ]
    assert (items[1]["documents"], items[1]["protocol"]) == ([DOCUMENT], 1)
    assert (items[1]["entered_by"], items[1]["decided_by"]) == ("Supervisor", "Organizer")
    assert [one["id"] for one in office.auditor.get("/claims", decided="false").json["items"]] == [second]
    assert [one["id"] for one in office.auditor.get("/claims", decided="true").json["items"]] == [first]
    assert facts_of(office, CLAIM_ENTERED) == [
        (f"claim:{first}", {"pool": "P1", "ticket": pool["cash"][0]["number"]}),
        (f"claim:{second}", {"pool": "P1", "ticket": None}),
    ]
    assert facts_of(office, CLAIM_DECIDED) == [(f"claim:{first}", {"decision": "rejected"})], "the claim has its words"
    assert facts_of(office, PAYOUTS_RELEASED) == [
        (f"ticket:{pool['cash'][0]['number']}", {"pool": "P1", "cause": "claim"})
    ]
    events = office.auditor.get("/significant-events").text
    assert "Протокол комиссии верен" not in events


def test_a_claim_on_a_ticket_gives_back_its_days_to_it_alone(office: Office, pool: dict[str, Any]) -> None:
    """Held from 22 to 24 November, of the term 23 and 24: paid to 25 February, the other tickets to the 23rd."""
    first, second = pool["cash"]
    number = entered(claim(office, first["number"]))
    settle(office)
    office.clock("2022-11-24T10:00:00+03:00")
    decide(office.organizer, "claims", number)
    office.clock("2023-02-24T10:00:00+03:00")
    assert code_of(office.pay(second["code"])) == (409, "payment_term_over")
    assert expire_due(office.house.sessions, OPERATOR) == ["P1"]
    shown = [office.organizer.get(f"/tickets/{ticket['number']}").json for ticket in (first, second)]
    assert [(one["status"], one["payable_until"]) for one in shown] == [
        ("won", "2023-02-25T21:00:00+00:00"),
        ("expired", "2023-02-23T21:00:00+00:00"),
    ]
    assert office.pay(first["code"]).json["amount"] == "15.00"


def test_a_held_ticket_does_not_lapse_while_its_pools_others_do(office: Office, pool: dict[str, Any]) -> None:
    settle(office)
    number = entered(claim(office, pool["cash"][0]["number"]))
    office.clock("2023-02-24T10:00:00+03:00")
    assert expire_due(office.house.sessions, OPERATOR) == ["P1"]
    assert office.balance("wins_payable", "pool:P1") == "15.00"
    decide(office.organizer, "claims", number)
    assert office.pay(pool["cash"][0]["code"]).json["amount"] == "15.00"


class TestDisputes:
    """A dispute is put on record with its decision, and holds the ticket's payment if there is still one to be made."""

    def test_a_dispute_about_a_payable_ticket_holds_it(self, office: Office, pool: dict[str, Any]) -> None:
        settle(office)
        first, second = pool["cash"]
        told = {"ticket": first["number"], "statement": "Спор о том, кому принадлежит билет"}
        answer = office.supervisor.post("/disputes", told)
        number = entered(answer)
        assert (answer.json["holds"], answer.json["pool"], answer.json["decision"]) == (True, "P1", None)
        refused = office.pay(first["code"])
        assert refused.json["detail"] == "Выплата по билету приостановлена: спор о билете."
        assert office.pay(second["code"]).json["amount"] == "15.00"
        assert code_of(decide(office.supervisor, "disputes", number)) == (403, "second_person_needed")
        assert decide(office.organizer, "disputes", number, "upheld").json["holds"] is False
        assert code_of(decide(office.organizer, "disputes", number)) == (409, "dispute_already_decided")
        assert office.pay(first["code"]).json["amount"] == "15.00"
        assert facts_of(office, DISPUTE_ENTERED) == [(f"dispute:{number}", {"ticket": first["number"], "held": True})]
        assert facts_of(office, DISPUTE_DECIDED) == [(f"dispute:{number}", {"decision": "upheld"})]
        assert [told["cause"] for _, told in facts_of(office, PAYOUTS_RELEASED)] == ["dispute"]

    def test_a_dispute_about_what_was_paid_or_lost_holds_nothing(self, office: Office, pool: dict[str, Any]) -> None:
        settle(office)
        assert office.pay(pool["cash"][0]["code"]).status_code == 201
        numbers = (pool["cash"][0]["number"], pool["online"][0]["number"], 5)
        for ticket in numbers:
            answer = office.organizer.post("/disputes", {"ticket": ticket, "statement": "Счёт был другой"})
            assert answer.json["holds"] is False
            decide(office.supervisor, "disputes", entered(answer))
        items = office.auditor.get("/disputes", decided="true").json["items"]
        assert [one["ticket"] for one in items] == list(reversed(numbers))
        assert [one["id"] for one in office.auditor.get("/disputes", ticket=5).json["items"]] == [items[0]["id"]]
        assert office.auditor.get(f"/disputes/{items[0]['id']}").json == items[0]
        assert code_of(office.auditor.get("/disputes/99")) == (404, "not_found")
        assert code_of(decide(office.supervisor, "disputes", 99)) == (404, "not_found")
        nowhere = office.organizer.post("/disputes", {"ticket": 99, "statement": "Такого нет"})
        assert code_of(nowhere) == (404, "not_found")

    def test_a_dispute_before_the_settlement_holds_the_ticket_when_it_is_credited(
        self, office: Office, pool: dict[str, Any]
    ) -> None:
        told = {"ticket": pool["online"][0]["number"], "statement": "Ставка сделана не тем"}
        number = entered(office.supervisor.post("/disputes", told))
        settle(office)
        assert balances(pool) == ["0.00", "15.00"]
        decide(office.organizer, "disputes", number)
        resume_settlements(office.house.sessions, OPERATOR)
        assert balances(pool) == ["15.00", "15.00"]

    def test_a_disputed_ticket_is_not_cancelled_before_the_dispute_is_decided(
        self, office: Office, pool: dict[str, Any]
    ) -> None:
        """A cancelled stake that is disputed is not paid either, though other holds of its pool would let it be."""
        settle(office)
        first, second = pool["cash"]
        told = {"ticket": first["number"], "statement": "Ставка сделана не тем"}
        number = entered(office.supervisor.post("/disputes", told))
        path = f"/tickets/{first['number']}/cancellation"
        why = {"reason": "influence", "explanation": "Ставку сделал участник матча"}
        assert code_of(office.organizer.post(path, why)) == (409, "payout_held")
        decide(office.organizer, "disputes", number, "upheld")
        assert office.organizer.post(path, why).json["due"] == "10.00"

        again = entered(office.supervisor.post("/disputes", told))
        assert code_of(office.pay(first["code"])) == (409, "payout_held")
        decide(office.organizer, "disputes", again)
        assert office.pay(first["code"]).json["amount"] == "10.00"
        assert office.pay(second["code"]).json["amount"] == "15.00"
