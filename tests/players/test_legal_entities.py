"""A legal entity as a player: it bets and is paid by its representative (T-Prov 5, B-Prov 5)."""

from __future__ import annotations

from typing import Any

from tests.approvals.people import code_of
from tests.office import PASSWORD, Member, Office, identity

REPRESENTATIVE = {"surname": "Ким", "name": "Роман", "document": {**identity("x")["document"], "number": "MP5550001"}}


def entity(office: Office, **representative: Any) -> Member:
    """A legal entity as a player, with 30.00 on the account."""
    about = {"title": "ООО «Удача»", "registration_number": "190000001"}
    legal = {**about, "representative": {**REPRESENTATIVE, **representative}}
    body = {"login": "udacha", "password": PASSWORD, "legal_entity": legal}
    assert office.cashier.post("/players", body).status_code == 201
    assert office.cashier.post("/deposits", {"player": "udacha", "amount": "30.00"}).status_code == 201
    answer = office.client.post("/api/v1/player-sessions", json={"login": "udacha", "password": PASSWORD})
    return Member(office.client, answer.json["token"])


def test_t_prov_5_an_entity_bets_and_is_paid_by_its_representative(office: Office) -> None:
    """Name and document on record are compared; whoever else comes is nobody."""
    office.pool()
    assert office.bet(entity(office), "1", "10.00").status_code == 201
    shown = {"player": "udacha", **REPRESENTATIVE, "birth_date": "1980-01-01"}
    paid = office.cashier.post("/account-payouts", {**shown, "amount": "20.00"})
    assert (paid.status_code, paid.json["person"]) == (201, "ООО «Удача», К*** Р.")
    other = {**shown, "document": {**REPRESENTATIVE["document"], "number": "MP5550002"}}
    assert code_of(office.cashier.post("/account-payouts", {**other, "amount": "1.00"})) == (409, "identity_not_proven")


def test_an_entity_whose_representatives_document_nobody_recorded_is_not_paid(office: Office) -> None:
    about = {
        "title": "ООО «Удача»",
        "registration_number": "190000001",
        "representative": {"surname": "Ким", "name": "Р"},
    }
    assert (
        office.cashier.post("/players", {"login": "udacha", "password": PASSWORD, "legal_entity": about}).status_code
        == 201
    )
    shown = {"player": "udacha", **REPRESENTATIVE, "name": "Р", "birth_date": "1980-01-01", "amount": "1.00"}
    assert code_of(office.cashier.post("/account-payouts", shown)) == (409, "identity_not_proven")


def test_b_rules_2_a_representative_is_of_age_where_the_birth_date_is_told(office: Office) -> None:
    """Born on 23.11.2004 and 17 on the match day; born on the 22nd, 18."""
    for born, status in (("2004-11-23", 422), ("2004-11-22", 201)):
        about = {"title": "ООО «Удача»", "registration_number": "190000001"}
        legal = {**about, "representative": {**REPRESENTATIVE, "birth_date": born}}
        answer = office.cashier.post("/players", {"login": "udacha", "password": PASSWORD, "legal_entity": legal})
        assert answer.status_code == status, answer.json
    assert office.balance("player", "player:1") == "0.00"
