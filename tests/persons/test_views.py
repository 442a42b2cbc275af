"""Seeing a person unmasked: with a reason, where the role may, on record before it is seen (D-16, FIELD-FAULTS 117)."""

from __future__ import annotations

from typing import Any

import pytest

from office.persons.register import Persons
from office.persons.settings import UNMASKED_ROLES
from tests.office import Office
from tests.persons.persons import ANNA, PASSPORT, auditor, do, enrol, fact, pay, person_of, win

REASON = {"reason": "запрос игрока о данных"}
VIEWS = "SELECT count(*) FROM person_views"


def grant(office: Office, *roles: str) -> None:
    """Let these roles see persons unmasked."""
    told = "[" + ", ".join(f'"{role}"' for role in roles) + "]"
    do(
        office,
        "INSERT INTO setting_versions (name, value, old, effective_from, reason, changed_by)"
        " VALUES (:name, CAST(:value AS jsonb), 'null', trade_clock(), 'проба', 1)",
        name=UNMASKED_ROLES.name,
        value=told,
    )


def test_everything_is_shown_and_who_saw_it_is_on_record(office: Office) -> None:
    enrol(office, "anna", **ANNA, document=PASSPORT, phone="+375291234567")
    anna = person_of(office, "anna")
    seen = office.supervisor.post(f"/persons/{anna}/views", REASON)
    assert seen.status_code == 201
    assert seen.json["details"] == {
        "kind": "natural",
        **ANNA,
        "document": {**PASSPORT, "country": "BY"},
        "phone": "+375291234567",
        "email": "",
        "bank_account": None,
    }
    supervisor = fact(office, "SELECT id FROM users WHERE login = 'supervisor'")
    with office.owner() as session:
        rows = session.connection().exec_driver_sql("SELECT person_version_id, user_id, reason FROM person_views").all()
        events = session.connection().exec_driver_sql(
            "SELECT kind, subject, user_id FROM significant_events WHERE kind = 'person_viewed'"
        )
        assert events.all() == [("person_viewed", f"person:{anna}", supervisor)]
    assert rows == [(seen.json["version"], supervisor, REASON["reason"])]


def test_the_view_is_on_record_before_anything_is_read(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the reading fails, or the worker dies in it, the view has been written down all the same."""
    enrol(office, "anna")

    def dies(*_: Any) -> None:
        assert fact(office, VIEWS) == 1, "committed: another connection sees it"
        raise RuntimeError("the worker dies")

    monkeypatch.setattr(Persons, "read", dies)
    assert office.supervisor.post(f"/persons/{person_of(office, 'anna')}/views", REASON).status_code == 500
    assert fact(office, VIEWS) == 1


def test_a_view_needs_a_reason_and_a_person(office: Office) -> None:
    enrol(office, "anna")
    anna = person_of(office, "anna")
    for wrong in ({}, {"reason": ""}, {"reason": "а\nб"}):
        assert office.supervisor.post(f"/persons/{anna}/views", wrong).status_code == 422
    assert office.supervisor.post(f"/persons/{anna + 1}/views", REASON).status_code == 404
    assert fact(office, VIEWS) == 0


def test_another_persons_version_is_not_there(office: Office) -> None:
    """FIELD-FAULTS 115: the number of a version under somebody else's."""
    enrol(office, "anna")
    enrol(office, "olga", surname="Ли", name="Ольга", birth_date="1980-01-01")
    foreign = fact(office, "SELECT person_version_id FROM players WHERE login = 'olga'")
    body = {**REASON, "version": foreign}
    assert office.supervisor.post(f"/persons/{person_of(office, 'anna')}/views", body).status_code == 404
    seen = office.supervisor.post(f"/persons/{person_of(office, 'olga')}/views", body)
    assert seen.json["details"]["surname"] == "Ли"


def test_every_version_is_told_and_can_be_seen(office: Office) -> None:
    enrol(office, "anna")
    anna = person_of(office, "anna")
    married = office.supervisor.post(f"/persons/{anna}/versions", {**ANNA, "surname": "Ли"}).json["version"]
    card = office.supervisor.get(f"/persons/{anna}").json
    assert (card["person"], card["version"]) == ("Л*** А. И.", married)
    assert [(told["version"], told["erased_at"]) for told in card["versions"]] == [(married, None), (1, None)]
    before = office.supervisor.post(f"/persons/{anna}/views", {**REASON, "version": 1}).json
    assert before["details"]["surname"] == "Королёва"


def test_an_auditor_sees_persons_only_where_it_was_granted(office: Office) -> None:
    """INDUSTRY, replay: an auditor reads everything, personal data masked unless granted."""
    enrol(office, "anna")
    path, member = f"/persons/{person_of(office, 'anna')}", auditor(office)
    assert member.get(path).json["person"] == "К*** А. И."
    refused = member.post(path + "/views", REASON)
    assert (refused.status_code, refused.json["code"]) == (403, "unmasked_view_not_granted")
    assert member.post("/payouts/views", REASON).status_code == 403
    grant(office, "auditor")
    assert member.post(path + "/views", REASON).json["details"]["surname"] == "Королёва"
    assert office.supervisor.post(path + "/views", REASON).status_code == 403
    assert fact(office, VIEWS) == 1


def test_the_journal_is_masked_and_printed_in_full_on_record(office: Office) -> None:
    assert pay(office, win(office)).status_code == 201
    (line,) = office.accountant.get("/payouts").json["items"]
    assert (line["person"], line["document"]) == ("К*** А.", "паспорт ***4321")
    assert fact(office, VIEWS) == 0
    printed = office.accountant.post("/payouts/views", {"reason": "журнал за день"})
    (whole,) = printed.json["items"]
    assert (whole["number"], whole["person"]) == (1, "Королёва Анна")
    assert whole["document"] == "паспорт MP7654321, выдан 01.03.2015, Минское РУВД"
    assert fact(office, VIEWS) == 1
    facts = fact(office, "SELECT facts FROM significant_events WHERE kind = 'persons_exported'")
    assert facts == {"versions": 1, "reason": "журнал за день"}


def test_the_journal_in_full_shows_what_is_on_record_and_no_line_more(office: Office) -> None:
    """Page by page; a view for each person of a page, not for those behind it."""
    for n in range(3):
        document = {**PASSPORT, "number": f"MP000000{n}"}
        assert pay(office, win(office, f"P{n}"), document).status_code == 201
    page = office.accountant.post("/payouts/views", {"reason": "журнал", "limit": 2}).json
    assert ([line["number"] for line in page["items"]], page["next_cursor"]) == ([1, 2], 2)
    assert fact(office, VIEWS) == 2
    page = office.accountant.post("/payouts/views", {"reason": "журнал", "limit": 2, "cursor": 2}).json
    assert ([line["number"] for line in page["items"]], page["next_cursor"]) == ([3], None)
    assert fact(office, VIEWS) == 3


def test_the_cashier_sees_in_the_answer_to_a_payout_only_the_mask(office: Office) -> None:
    paid = pay(office, win(office)).json
    assert (paid["person"], paid["document"]) == ("К*** А.", "паспорт ***4321")
    assert "7654321" not in str(paid) and "Королёва" not in str(paid)


def test_a_ciphertext_moved_to_another_person_does_not_open(office: Office) -> None:
    """Who may write to the database cannot make one person's line show another's name."""
    enrol(office, "anna")
    enrol(office, "olga", surname="Ли", name="Ольга", birth_date="1980-01-01")
    swap = (
        "UPDATE person_versions AS one SET ciphertext = other.ciphertext, data_key_id = other.data_key_id"
        " FROM person_versions AS other WHERE one.id <> other.id"
    )
    do(office, swap)
    assert office.supervisor.get(f"/persons/{person_of(office, 'anna')}").status_code == 500
    do(office, swap)
    first, second = person_of(office, "anna"), person_of(office, "olga")
    assert office.supervisor.get(f"/persons/{first}").json["person"] == "К*** А. И."
    do(office, "UPDATE person_versions SET person_id = :second WHERE person_id = :first", first=first, second=second)
    version = fact(office, "SELECT min(id) FROM person_versions")
    moved = office.supervisor.post(f"/persons/{second}/views", {**REASON, "version": version})
    assert (moved.status_code, "Королёва" in moved.text) == (500, False)
    do(office, "UPDATE person_versions SET person_id = :first WHERE id = :version", first=first, version=version)
