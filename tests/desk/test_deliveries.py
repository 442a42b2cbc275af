"""Cash between desk, bank and safe: one document, two legs, two persons (T-Rules 9.5; FIELD-FAULTS 107)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import psycopg
import pytest

from db.urls import conninfo
from office.callers import Role
from tests.office import Member, Office


def sent(office: Office, amount: str = "40.00", key: str | None = None, **told: Any) -> dict[str, Any]:
    """Change the accountant sends to the first desk."""
    answer = office.accountant.post("/desk-floats", {"desk_id": office.desk["id"], "amount": amount, **told}, key)
    assert answer.status_code == 201, answer.json
    return dict(answer.json)


def received(member: Member, document: dict[str, Any], counted: str, key: str | None = None) -> tuple[int, dict]:
    """Somebody receives what was sent."""
    noun = "desk-floats" if document["direction"] == "to_desk" else "collections"
    answer = member.post(f"/{noun}/{document['number']}/reception", {"counted": counted}, key)
    return answer.status_code, dict(answer.json)


def places(office: Office) -> dict[str, str]:
    """Where the operator's money lies."""
    return {
        "bank": office.balance("bank"),
        "safe": office.balance("safe"),
        "in transit": office.balance("cash_in_transit"),
        "desk": office.balance("cash", "desk:K-1"),
    }


def test_change_lies_in_transit_between_its_two_legs(office: Office) -> None:
    """1000.00 less 500.00 of the special account and 100.00 of change leave 400.00 in the bank; 40.00 more are sent."""
    assert office.cashier
    document = sent(office)
    assert (document["amount"], document["received"], document["in_transit"]) == ("40.00", None, "40.00")
    assert places(office) == {"bank": "360.00", "safe": "0.00", "in transit": "40.00", "desk": "100.00"}
    assert office.cashier.get(f"/shifts/{office.shift_id}").json["received"] == "0.00"

    status, document = received(office.cashier, document, "40.00")
    assert (status, document["sent_by"], document["received_by"]) == (201, "Accountant", "Cashier")
    assert (document["received"], document["in_transit"]) == ("40.00", "0.00")
    assert places(office) == {"bank": "360.00", "safe": "0.00", "in transit": "0.00", "desk": "140.00"}
    assert office.cashier.get(f"/shifts/{office.shift_id}").json["received"] == "40.00"


def test_collection_goes_into_the_safe_and_from_there_to_the_bank(office: Office) -> None:
    """T-Rules 9.5: from the point to the totalizator's own cash, and on to the servicing bank."""
    told = {"desk_id": office.desk["id"], "amount": "60.00", "place": "safe"}
    document = office.cashier.post("/collections", told).json
    assert (document["direction"], document["place"], document["in_transit"]) == ("from_desk", "safe", "60.00")
    assert office.cashier.get(f"/shifts/{office.shift_id}").json["paid_out"] == "60.00"
    assert received(office.accountant, document, "60.00")[0] == 201
    assert places(office) == {"bank": "400.00", "safe": "60.00", "in transit": "0.00", "desk": "40.00"}
    office.move("safe_out", "60.00")
    assert places(office) == {"bank": "460.00", "safe": "0.00", "in transit": "0.00", "desk": "40.00"}


def test_confirmed_four_times_it_is_one_document(office: Office) -> None:
    """FIELD-FAULTS 107: the same word under the same key, at once and after a lost answer."""
    assert office.cashier
    with ThreadPoolExecutor(4) as threads:
        documents = list(threads.map(lambda _: sent(office, key="change-of-today"), range(4)))
    assert [one["number"] for one in documents] == [documents[0]["number"]] * 4
    assert office.balance("cash_in_transit") == "40.00"
    with ThreadPoolExecutor(4) as threads:
        answers = list(
            threads.map(lambda _: received(office.cashier, documents[0], "40.00", "received-today"), range(4))
        )
    assert [status for status, _ in answers] == [201] * 4
    assert places(office)["desk"] == "140.00"


def test_received_once_only_whoever_comes_at_whatever_moment(office: Office) -> None:
    """Cashier and supervisor both count it, each under keys of their own: the second is told it was received."""
    assert office.cashier and office.supervisor
    document = sent(office)
    with ThreadPoolExecutor(6) as threads:
        answers = list(
            threads.map(lambda who: received(who, document, "40.00"), [office.cashier, office.supervisor] * 3)
        )
    assert sorted(status for status, _ in answers) == [201] + [409] * 5
    assert {told["code"] for status, told in answers if status == 409} == {"already_received"}
    assert places(office)["desk"] == "140.00"


def test_what_was_received_in_part_stays_in_transit_for_all_to_see(office: Office) -> None:
    """FIELD-FAULTS 107: of 40.00 sent 35.00 arrive: 5.00 are in transit until the accountant answers for them."""
    assert office.cashier
    document = sent(office)
    assert received(office.cashier, document, "40.01")[1]["code"] == "more_than_sent"
    status, document = received(office.cashier, document, "35.00")
    assert (status, document["received"], document["in_transit"]) == (201, "35.00", "5.00")
    (listed,) = office.auditor.get("/cash-deliveries", in_transit="true").json["items"]
    assert listed == document
    (event,) = office.auditor.get("/significant-events", kind="cash_delivery_short").json["items"]
    assert event["facts"] == {"sent": "40.00", "received": "35.00"}

    told = {"outcome": "missing", "reason": "акт № 3"}
    cleared = office.accountant.post(f"/cash-deliveries/{document['number']}/clearing", told).json
    assert (cleared["cleared"], cleared["outcome"], cleared["in_transit"]) == ("5.00", "missing", "0.00")
    assert (office.balance("claims"), office.balance("cash_in_transit")) == ("5.00", "0.00")
    assert places(office)["desk"] == "135.00"
    again = office.accountant.post(f"/cash-deliveries/{document['number']}/clearing", told)
    assert (again.status_code, again.json["code"]) == (409, "delivery_cleared")


def test_a_document_sent_in_error_comes_back_and_is_not_received(office: Office) -> None:
    assert office.cashier
    document = sent(office)
    told = {"outcome": "returned", "reason": "кассир не принял"}
    assert office.accountant.post(f"/cash-deliveries/{document['number']}/clearing", told).status_code == 201
    assert places(office) == {"bank": "400.00", "safe": "0.00", "in transit": "0.00", "desk": "100.00"}
    assert received(office.cashier, document, "40.00")[1]["code"] == "delivery_cleared"


def test_what_was_received_whole_is_not_cleared(office: Office) -> None:
    document = office.cashier.post("/collections", {"desk_id": office.desk["id"], "amount": "60.00"}).json
    assert received(office.accountant, document, "60.00")[0] == 201
    told = {"outcome": "missing", "reason": "акт"}
    refused = office.accountant.post(f"/cash-deliveries/{document['number']}/clearing", told)
    assert (refused.status_code, refused.json["code"]) == (409, "nothing_in_transit")


def test_collected_cash_that_did_not_arrive_comes_back_into_the_desks_shift(office: Office) -> None:
    """60.00 handed over, 50.00 arrive, 10.00 are brought back to the till: 100.00 - 60.00 + 10.00 = 50.00."""
    document = office.cashier.post("/collections", {"desk_id": office.desk["id"], "amount": "60.00"}).json
    received(office.accountant, document, "50.00")
    told = {"outcome": "returned", "reason": "пакет нашёлся"}
    assert office.accountant.post(f"/cash-deliveries/{document['number']}/clearing", told).status_code == 201
    sheet = office.cashier.get(f"/shifts/{office.shift_id}").json
    assert (sheet["paid_out"], sheet["received"], sheet["expected_cash"]) == ("60.00", "10.00", "50.00")


def test_whoever_sent_does_not_receive(office: Office) -> None:
    """A supervisor hands a desk's cash over, becomes an accountant, and still is not the second person."""
    assert office.cashier
    office.hire("turncoat", Role.SUPERVISOR)
    sender = office.sign_in("turncoat")
    document = sender.post("/collections", {"desk_id": office.desk["id"], "amount": "60.00"}).json
    with psycopg.connect(conninfo(office.urls.owner)) as owner:
        owner.execute("UPDATE users SET role = 'accountant' WHERE login = 'turncoat'")
    status, told = received(office.sign_in("turncoat"), document, "60.00")
    assert (status, told["code"]) == (403, "sender_receives")
    assert received(office.accountant, document, "60.00")[0] == 201


def test_the_database_itself_keeps_the_two_persons_and_the_one_reception(office: Office) -> None:
    assert office.cashier
    document = sent(office)
    row = "INSERT INTO cash_receptions (delivery_id, sent_by, amount, transfer_id, received_by, received_at)"
    with psycopg.connect(conninfo(office.urls.owner)) as owner:
        (sender,) = owner.execute("SELECT sent_by FROM cash_deliveries WHERE id = %s", [document["number"]]).fetchone()
        with pytest.raises(psycopg.errors.CheckViolation):
            owner.execute(f"{row} VALUES (%s, %s, 1, 1, %s, now())", [document["number"], sender, sender])
        owner.rollback()
        with pytest.raises(psycopg.errors.ForeignKeyViolation):
            owner.execute(f"{row} VALUES (%s, %s, 1, 1, %s, now())", [document["number"], sender + 1, sender])


def test_a_document_of_the_other_direction_is_not_there(office: Office) -> None:
    document = office.cashier.post("/collections", {"desk_id": office.desk["id"], "amount": "60.00"}).json
    answer = office.supervisor.post(f"/desk-floats/{document['number']}/reception", {"counted": "60.00"})
    assert (answer.status_code, answer.json["code"]) == (404, "not_found")
