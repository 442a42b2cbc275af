"""One registration a person: by the document, or without one by name and birth date (T-Rules 35.3)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from tests.office import PASSWORD, Office
from tests.persons.persons import ANNA, PASSPORT, enrol, fact, pay, person_of, win

NAMESAKE = {**PASSPORT, "number": "MP1111111"}


def test_the_same_name_and_birth_date_without_a_document(office: Office) -> None:
    """FIELD-FAULTS 125: letter case, ё and a patronymic left out make nobody another person."""
    assert enrol(office, "anna").status_code == 201
    again = enrol(office, "anna-2", surname="КОРОЛЕВА", name="анна", birth_date="1990-05-17")
    assert (again.status_code, again.json["code"]) == (409, "person_already_registered")
    assert set(again.json) == {"type", "title", "status", "code", "detail"}, "of the other registration nothing is told"
    assert enrol(office, "other-day", **{**ANNA, "birth_date": "1990-05-18"}).status_code == 201
    assert enrol(office, "other-name", **{**ANNA, "name": "Алла"}).status_code == 201


def test_the_same_document_under_another_name_in_another_alphabet(office: Office) -> None:
    assert enrol(office, "anna", **ANNA, document=PASSPORT).status_code == 201
    married = {**ANNA, "surname": "Ли", "birth_date": "1990-05-18"}
    again = enrol(office, "li", **married, document={**PASSPORT, "number": "мр 7654321", "kind": "Паспорт РБ"})
    assert again.json["code"] == "person_already_registered"


def test_namesakes_of_one_birthday_are_told_apart_by_their_documents(office: Office) -> None:
    assert enrol(office, "anna", **ANNA, document=PASSPORT).status_code == 201
    assert enrol(office, "who").json["code"] == "person_already_registered"
    assert enrol(office, "namesake", **ANNA, document=NAMESAKE).status_code == 201
    assert person_of(office, "anna") != person_of(office, "namesake")


def test_whoever_registered_without_a_document_does_not_register_again_with_one(office: Office) -> None:
    """Until the first one's document is on record nobody knows that they are two."""
    assert enrol(office, "anna").status_code == 201
    assert enrol(office, "again", **ANNA, document=NAMESAKE).json["code"] == "person_already_registered"
    first = person_of(office, "anna")
    shown = office.supervisor.post(f"/persons/{first}/versions", {**ANNA, "document": PASSPORT})
    assert (shown.status_code, shown.json["person_id"]) == (201, first)
    assert enrol(office, "namesake", **ANNA, document=NAMESAKE).status_code == 201
    assert enrol(office, "again", **ANNA, document=PASSPORT).json["code"] == "person_already_registered"


def test_a_taken_login_is_told_as_such(office: Office) -> None:
    assert enrol(office, "anna").status_code == 201
    assert enrol(office, "anna", **{**ANNA, "name": "Алла"}).json["code"] == "login_taken"


def test_a_refused_registration_leaves_nothing(office: Office) -> None:
    assert enrol(office, "anna").status_code == 201
    counts = "SELECT array[(SELECT count(*) FROM persons), (SELECT count(*) FROM person_versions),"
    counts += " (SELECT count(*) FROM data_keys), (SELECT count(*) FROM accounts WHERE kind = 'player')]"
    before = fact(office, counts)
    assert enrol(office, "anna-2", **ANNA, document=PASSPORT).status_code == 409
    assert fact(office, counts) == before


def test_of_eight_at_once_one_is_registered(office: Office) -> None:
    """Half of them with the document, half without: whichever is first, there is one person with one registration."""
    told = [{**ANNA, "document": PASSPORT} if n % 2 else ANNA for n in range(8)]
    headers = office.cashier.headers

    def come(n: int) -> tuple[int, str]:
        body = {"login": f"anna-{n}", "password": PASSWORD, **told[n]}
        answer = office.app.test_client().post("/api/v1/players", json=body, headers=headers)
        return answer.status_code, answer.json.get("code", "")

    with ThreadPoolExecutor(8) as threads:
        answers = sorted(threads.map(come, range(8)))
    assert answers == [(201, ""), *[(409, "person_already_registered")] * 7]
    assert fact(office, "SELECT count(*) FROM players") == fact(office, "SELECT count(*) FROM persons") == 1


def test_who_is_paid_and_registers_with_the_same_document_is_one_person(office: Office) -> None:
    paid = pay(office, win(office))
    assert paid.status_code == 201, paid.json
    assert enrol(office, "anna", **ANNA, document=PASSPORT).status_code == 201
    assert fact(office, "SELECT count(*) FROM persons") == 1
    assert fact(office, "SELECT count(*) FROM person_versions") == 2


def test_who_is_paid_twice_with_the_same_details_has_one_version(office: Office) -> None:
    for code in ("P1", "P2"):
        assert pay(office, win(office, code)).status_code == 201
    assert fact(office, "SELECT count(DISTINCT person_version_id) FROM payouts") == 1
    assert pay(office, win(office, "P3"), surname="Королева-Ли").status_code == 201
    assert fact(office, "SELECT count(DISTINCT person_version_id) FROM payouts") == 2
    assert fact(office, "SELECT count(*) FROM persons") == 1


def test_a_document_shown_at_the_desk_first_comes_over_to_the_registration(office: Office) -> None:
    """Registered without a document, paid at a desk with one, and now the document is put to the registration."""
    assert enrol(office, "anna").status_code == 201
    assert pay(office, win(office)).status_code == 201
    assert fact(office, "SELECT count(*) FROM persons") == 2
    player = person_of(office, "anna")
    assert office.supervisor.post(f"/persons/{player}/versions", {**ANNA, "document": PASSPORT}).status_code == 201
    assert pay(office, win(office, "P2")).status_code == 201
    last = "SELECT person_id FROM person_versions WHERE id = (SELECT person_version_id FROM payouts WHERE number = 2)"
    assert fact(office, last) == player
    line = office.supervisor.get("/payouts").json["items"][0]
    assert (line["person"], line["document"]) == ("К*** А.", "паспорт ***4321")


def test_another_players_document_is_not_put_to_a_registration(office: Office) -> None:
    assert enrol(office, "anna", **ANNA, document=PASSPORT).status_code == 201
    assert enrol(office, "olga", surname="Ли", name="Ольга", birth_date="1980-01-01").status_code == 201
    body = {"surname": "Ли", "name": "Ольга", "birth_date": "1980-01-01", "document": PASSPORT}
    refused = office.supervisor.post(f"/persons/{person_of(office, 'olga')}/versions", body)
    assert (refused.status_code, refused.json["code"]) == (409, "person_already_registered")
    assert office.supervisor.post("/persons/99/versions", body).status_code == 404


FIRM = {
    "title": "ООО «Ромашка»",
    "registration_number": "190123456",
    "representative": {"surname": "Королёва", "name": "Анна", "document": PASSPORT},
}


def test_a_legal_entity_is_a_player_without_a_birth_date(office: Office) -> None:
    """B-Prov 5, T-Prov 5; its representative may be a player too, and act for another entity."""
    assert enrol(office, "firm", legal_entity=FIRM).status_code == 201
    again = enrol(office, "firm-2", legal_entity={**FIRM, "title": "Ромашка", "registration_number": "190 123 456"})
    assert again.json["code"] == "person_already_registered"
    assert enrol(office, "other", legal_entity={**FIRM, "registration_number": "190123457"}).status_code == 201
    assert enrol(office, "anna", **ANNA, document=PASSPORT).status_code == 201
    shown = office.supervisor.get(f"/persons/{person_of(office, 'firm')}").json
    assert (shown["person"], shown["document"]) == ("ООО «Ромашка», К*** А.", "паспорт ***4321")
    turned = office.supervisor.post(f"/persons/{person_of(office, 'firm')}/versions", ANNA)
    assert turned.json["code"] == "person_kind_differs"


def test_who_somebody_is_has_to_be_told_whole(office: Office) -> None:
    lacking = enrol(office, "anna", surname="Королёва")
    assert lacking.status_code == 422
    assert lacking.json["errors"]["json"].keys() == {"name", "birth_date"}
    both = enrol(office, "both", **ANNA, legal_entity=FIRM)
    assert both.json["errors"]["json"].keys() == {"surname", "name", "patronymic", "birth_date"}
    for wrong in ({"phone": "позвоните"}, {"email": "нет"}, {"document": {**PASSPORT, "country": "Беларусь"}}):
        assert enrol(office, "anna", **ANNA, **wrong).status_code == 422, wrong


def test_a_player_is_shown_nothing_of_this(office: Office) -> None:
    """The register of persons is the office's; a player sees the own page."""
    player = office.player("ivan")
    assert player.post("/persons/searches", {"words": "Игрок"}).status_code == 403
    assert player.get(f"/persons/{person_of(office, 'ivan')}").status_code == 403
