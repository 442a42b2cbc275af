"""Finding persons by whole words (FIELD-FAULTS 125): masked, and on record without the words (117)."""

from __future__ import annotations

import pytest

from office.persons.search import MOST
from office.significant.log import SignificantEvent
from tests.office import Office
from tests.persons.persons import ANNA, PASSPORT, auditor, enrol, fact, found, pay, person_of, win


@pytest.mark.parametrize(
    "typed", ["Королёва", "королёва", "КОРОЛЁВА", "кОРОЛЁВА", "королева", "анна Королева", "Ильинична Анна"]
)
def test_the_same_hit_however_the_name_is_typed(office: Office, typed: str) -> None:
    enrol(office, "anna")
    enrol(office, "olga", surname="Корольчук", name="Ольга", birth_date="1990-05-17")
    assert found(office.supervisor, words=typed) == [person_of(office, "anna")]


def test_every_word_and_every_field_has_to_fit(office: Office) -> None:
    enrol(office, "anna", **ANNA, document=PASSPORT, phone="+375 29 123-45-67", email="Anna@example.by")
    anna = [person_of(office, "anna")]
    member = office.supervisor
    assert found(member, document="мр 765-43-21") == anna
    assert found(member, birth_date="1990-05-17", words="анна") == anna
    assert found(member, phone="8 029 1234567") == found(member, email="ANNA@EXAMPLE.BY") == anna
    assert found(member, words="анна", birth_date="1990-05-18") == []
    assert found(member, words="анна петрова") == []
    assert found(member, words="Корол") == [], "whole words, no beginnings"
    assert found(member, words="7654321") == [], "a number is no word of a name"


def test_a_hit_is_masked(office: Office) -> None:
    enrol(office, "anna", **ANNA, document=PASSPORT, phone="+375291234567")
    answer = office.supervisor.post("/persons/searches", {"words": "королёва"})
    assert answer.json == {
        "items": [
            {
                "person_id": person_of(office, "anna"),
                "player_id": 1,
                "login": "anna",
                "version": fact(office, "SELECT person_version_id FROM players WHERE login = 'anna'"),
                "person": "К*** А. И.",
                "document": "паспорт ***4321",
                "birth_year": "1990",
                "contacts": "телефон",
            }
        ],
        "more": False,
    }


def test_a_person_is_one_hit_whatever_the_versions(office: Office) -> None:
    """Found by the name of then and of now; the version that is shown is the one that fits."""
    enrol(office, "anna", **ANNA, document=PASSPORT)
    anna = person_of(office, "anna")
    married = {**ANNA, "surname": "Ли", "document": PASSPORT}
    assert office.supervisor.post(f"/persons/{anna}/versions", married).status_code == 201
    assert found(office.supervisor, words="анна") == [anna]
    for surname, masked in (("королёва", "К*** А. И."), ("ли", "Л*** А. И.")):
        hits = office.supervisor.post("/persons/searches", {"words": surname}).json["items"]
        assert [(hit["person_id"], hit["person"]) for hit in hits] == [(anna, masked)]


def test_a_search_says_whom_it_is_for(office: Office) -> None:
    for nothing in ({}, {"words": " — "}):
        refused = office.supervisor.post("/persons/searches", nothing)
        assert (refused.status_code, refused.json["code"]) == (422, "nothing_to_search_by")


def test_whom_too_many_fit_has_to_be_told_more_of(office: Office) -> None:
    for n in range(MOST + 1):
        person = {"surname": f"Игрок-{n}", "name": "Пётр", "birth_date": "1990-05-17"}
        assert enrol(office, f"player-{n}", **person).status_code == 201
    answer = office.supervisor.post("/persons/searches", {"words": "петр"}).json
    assert (len(answer["items"]), answer["more"]) == (MOST, True)
    answer = office.supervisor.post("/persons/searches", {"words": "петр 7"}).json
    assert (len(answer["items"]), answer["more"]) == (1, False)


def test_known_and_unknown_get_an_answer_of_the_same_form(office: Office) -> None:
    """FIELD-FAULTS 111: a document looked up by somebody who may; nobody else may at all."""
    enrol(office, "anna", **ANNA, document=PASSPORT)
    known = office.supervisor.post("/persons/searches", {"document": "MP7654321"})
    unknown = office.supervisor.post("/persons/searches", {"document": "MP0000000"})
    assert known.status_code == unknown.status_code == 200
    assert dict(known.headers).keys() == dict(unknown.headers).keys()
    assert known.json.keys() == unknown.json.keys()
    assert office.cashier.post("/persons/searches", {"document": "MP7654321"}).status_code == 403


def test_a_search_is_on_record_without_what_was_looked_for(office: Office) -> None:
    enrol(office, "anna", **ANNA, document=PASSPORT)
    assert found(auditor(office), words="Королёва", document="MP7654321")
    with office.owner() as session:
        (event,) = session.query(SignificantEvent).filter_by(kind="persons_searched")
    assert event.facts == {"fields": ["document", "name"], "hits": 1}
    assert event.user_id == fact(office, "SELECT id FROM users WHERE login = 'auditor'")


def test_who_was_only_paid_is_found_by_the_document(office: Office) -> None:
    assert pay(office, win(office)).status_code == 201
    assert len(found(office.accountant, document="mp7654321")) == 1
    assert len(found(office.accountant, words="королева анна")) == 1


def test_who_is_found_is_tied_to_the_registration(office: Office) -> None:
    assert enrol(office, "anna").status_code == 201
    (hit,) = office.supervisor.post("/persons/searches", {"words": "королёва"}).json["items"]
    assert (hit["player_id"], hit["login"]) == (1, "anna")
    card = office.supervisor.get(f"/persons/{hit['person_id']}").json
    assert (card["player_id"], card["login"]) == (1, "anna")


def test_a_document_shown_at_a_desk_leaves_telephone_and_birth_date_known(office: Office) -> None:
    assert enrol(office, "anna", **ANNA, document=PASSPORT, phone="+375291234567").status_code == 201
    assert pay(office, win(office)).status_code == 201
    card = office.supervisor.get(f"/persons/{person_of(office, 'anna')}").json
    assert (card["contacts"], card["birth_year"]) == ("телефон", "1990")
