"""The certificate of the number of desks (T-Prov 4): no desk beyond it, and a new one takes the place of the old."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.office import Office


def certify(office: Office, number: str, desks: int, issued_on: str = "2022-11-01") -> tuple[int, dict[str, Any]]:
    """The administrator registers a certificate."""
    answer = office.administrator.post("/desk-certificates", {"number": number, "desks": desks, "issued_on": issued_on})
    return answer.status_code, dict(answer.json)


def register(office: Office, code: str) -> tuple[int, dict[str, Any]]:
    """The administrator registers a desk."""
    body = {"code": code, "place": f"Минск, {code}", "certificate": code, "cash_register": code}
    answer = office.administrator.post("/desks", body)
    return answer.status_code, dict(answer.json)


def test_t_prov_4_without_a_certificate_no_desk_is_registered(office: Office) -> None:
    status, told = register(office, "K-1")
    assert (status, told["code"]) == (409, "certificate_needed")
    assert office.administrator.get("/desks").json["items"] == []


def test_t_prov_4_more_desks_than_the_certificate_counts_are_refused(office: Office) -> None:
    """Two are certified: the third is refused, until one leaves the register or a certificate for three is issued."""
    assert certify(office, "100-1", 2)[0] == 201
    first, _ = register(office, "K-1"), register(office, "K-2")
    status, told = register(office, "K-3")
    assert (status, told["code"], told["certified"], told["desks"]) == (409, "certificate_exceeded", 2, 3)

    withdrawn = office.administrator.post(f"/desks/{first[1]['id']}/withdrawal", {"reason": "закрыта"})
    assert (withdrawn.status_code, register(office, "K-3")[0], register(office, "K-4")[0]) == (201, 201, 409)
    assert certify(office, "100-2", 3)[0] == 201
    assert register(office, "K-4")[0] == 201


def test_t_prov_4_a_new_certificate_takes_the_place_of_the_old_which_stays_readable(office: Office) -> None:
    certify(office, "100-1", 5, "2022-01-10")
    status, told = certify(office, "100-2", 3, "2022-11-22")
    assert (status, told["desks"], told["issued_on"]) == (201, 3, "2022-11-22")
    listed = office.auditor.get("/desk-certificates").json["items"]
    assert [(one["number"], one["desks"]) for one in listed] == [("100-2", 3), ("100-1", 5)]


def test_a_certificate_for_fewer_desks_than_stand_in_the_register_is_refused(office: Office) -> None:
    certify(office, "100-1", 2)
    register(office, "K-1"), register(office, "K-2")
    status, told = certify(office, "100-2", 1)
    assert (status, told["code"]) == (409, "certificate_exceeded")


@pytest.mark.parametrize(
    ("number", "issued_on", "code"),
    [
        ("100-1", "2022-11-02", "certificate_known"),
        ("100-2", "2022-10-31", "certificate_out_of_order"),
        ("100-2", "2022-11-23", "certificate_out_of_order"),
    ],
)
def test_a_certificate_out_of_order_is_refused(office: Office, number: str, issued_on: str, code: str) -> None:
    """One that is known, one older than the certificate in force, one of tomorrow (today is 22 November 2022)."""
    certify(office, "100-1", 2)
    assert certify(office, number, 2, issued_on)[1]["code"] == code


@pytest.mark.parametrize(("certified", "said"), [(1, "на 1 кассу,"), (3, "на 3 кассы,"), (5, "на 5 касс,")])
def test_the_refusal_counts_desks_as_a_person_does(office: Office, certified: int, said: str) -> None:
    certify(office, "100-1", certified)
    for number in range(certified):
        register(office, f"K-{number}")
    assert said in register(office, "K-9")[1]["detail"]


def test_of_many_desks_registered_at_once_only_those_certified_are_taken(office: Office) -> None:
    """Eight at once for three places."""
    certify(office, "100-1", 3)
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda number: register(office, f"K-{number}")[0], range(8)))
    assert sorted(answers) == [201] * 3 + [409] * 5


def test_a_certificate_is_a_significant_event(office: Office) -> None:
    certify(office, "100-1", 2)
    (event,) = office.auditor.get("/significant-events", kind="certificate_registered").json["items"]
    assert event["facts"] == {"number": "100-1", "desks": 2, "issued_on": "2022-11-01"}
