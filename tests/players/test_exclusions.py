"""Persons who keep themselves from betting: by person, for a term nobody shortens (RULES 1; D-1)."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import text
from werkzeug.test import TestResponse

from office.persons.settings import SELF_EXCLUSION_DAYS
from office.significant.kinds import SELF_EXCLUDED
from players.permission import ACCOUNT_TO_BET_FROM
from tests.approvals.people import code_of
from tests.office import BANK_ACCOUNT, EVENT, PASSWORD, Member, Office, identity
from tests.persons.persons import fact, person_of
from tests.records import facts_of, set_to

ENDS = "2023-05-22T00:00:00+03:00"
"""180 days after 22.11.2022 is 21.05.2023, the last day."""


def exclude(player: Member, days: int = 180) -> TestResponse:
    """Keep oneself from betting."""
    return player.post("/players/me/self-exclusions", {"days": days})


def at_desk(office: Office, days: int = 180, login: str = "ivan", **changed: Any) -> TestResponse:
    """Somebody excludes themselves at a desk."""
    shown = {name: told for name, told in identity(login).items() if name != "player"}
    return office.cashier.post("/self-exclusions", {**shown, "days": days, **changed})


def enrol(office: Office, login: str, **person: Any) -> TestResponse:
    """Register the person of the login ivan."""
    who = {name: identity("ivan")[name] for name in ("surname", "name", "birth_date")}
    return office.cashier.post("/players", {"login": login, "password": PASSWORD, **who, **person})


def signed_in(office: Office, login: str = "ivan") -> Member:
    """A new session."""
    told = {"login": login, "password": PASSWORD}
    return Member(office.client, office.client.post("/api/v1/player-sessions", json=told).json["token"])


def test_neither_bets_nor_deposits_until_the_end_and_both_at_it(office: Office) -> None:
    """The last day is 21.05.2023: at 24:00 of it in Minsk the player bets again."""
    event = office.organizer.post("/events", {**EVENT, "code": "LATE", "starts_at": "2023-12-31T13:00:00+03:00"}).json
    office.pool(event_id=event["id"], closes_at="2023-12-31T12:00:00+03:00")
    player = office.player("ivan", "50.00")
    made = exclude(player)
    assert (made.status_code, made.json["ends_at"]) == (201, "2023-05-21T21:00:00+00:00")

    refused = office.bet(player, "1", "1.00")
    assert (code_of(refused), refused.json["until"]) == ((409, "self_excluded"), "2023-05-21T21:00:00+00:00")
    assert code_of(deposit(office)) == (409, "self_excluded")
    notice = {"provider": "bank", "payment_id": "1", "player": "ivan", "amount": "1.00"}
    assert code_of(office.accountant.post("/bank-deposits", notice)) == (409, "self_excluded")
    (line,) = player.post(
        "/pool-bet-batches", {"lines": [{"key": "batch-line-1", "pool": "P1", "outcome": "1", "stake": "1.00"}]}
    ).json["lines"]
    assert line["problem"]["code"] == "self_excluded"
    assert office.balance("player", "player:1") == "50.00"

    office.clock("2023-05-21T23:59:50+03:00")
    assert code_of(office.bet(signed_in(office), "1", "1.00")) == (409, "self_excluded")
    office.clock(ENDS)
    assert office.bet(signed_in(office), "1", "1.00").status_code == 201


def deposit(office: Office) -> TestResponse:
    """Cash for the player."""
    return office.cashier.post("/deposits", {"player": "ivan", "amount": "1.00"})


@pytest.mark.parametrize(("before", "refused"), [("- interval '1 microsecond'", True), ("", False)])
def test_d_1_the_end_to_the_microsecond(office: Office, before: str, refused: bool) -> None:
    """The placing statement compares with the instant the gates gave the bet: under it refused, at it taken."""
    exclude(office.player("ivan"))
    with office.owner() as session:
        until = session.scalar(text(f"SELECT excluded_until {before} FROM players"))
        found = session.scalar(text(ACCOUNT_TO_BET_FROM), {"player_id": 1, "placed_at": until})
    assert (found is None) == refused


def test_bets_that_stand_are_settled_and_money_is_taken_out(office: Office) -> None:
    """10.00 of 20.00 on the true outcome win 12.00; the money leaves in cash and by bank."""
    pool = office.pool()
    player = office.player("ivan", "10.00")
    office.bet(player, "1", "10.00")
    office.bet(office.cashier, "2", "10.00")
    exclude(player)
    office.decide(pool, "1")
    assert player.get("/players/me").json["balance"] == "12.00"
    assert office.withdraw("ivan", "5.00").status_code == 201
    player.put("/players/me/bank-account", BANK_ACCOUNT)
    assert player.post("/players/me/withdrawals", {"amount": "7.00"}).status_code == 201


def test_the_least_term_is_a_setting_and_longer_is_allowed(office: Office) -> None:
    player = office.player("ivan")
    short = exclude(player, 179)
    assert (code_of(short), short.json["minimum"]) == ((422, "exclusion_too_short"), 180)
    set_to(office, SELF_EXCLUSION_DAYS, 30)
    assert exclude(player, 30).json["ends_at"] == "2022-12-22T21:00:00+00:00"
    assert exclude(player, 365).json["ends_at"] == "2023-11-22T21:00:00+00:00"


def test_a_standing_exclusion_is_lengthened_never_shortened(office: Office) -> None:
    player = office.player("ivan", "10.00")
    exclude(player, 365)
    shorter = exclude(player, 364)
    assert (code_of(shorter), shorter.json["until"]) == ((409, "exclusion_stands"), "2023-11-22T21:00:00+00:00")
    assert exclude(player, 366).status_code == 201
    assert player.get("/players/me").json["excluded_until"] == "2023-11-23T21:00:00+00:00"
    routes = [rule.rule for rule in office.app.url_map.iter_rules() if "exclusion" in rule.rule]
    assert sorted(set(routes)) == ["/api/v1/players/me/self-exclusions", "/api/v1/self-exclusions"], "nothing lifts one"


def test_who_has_no_registration_excludes_themselves_at_a_desk_and_cannot_register(office: Office) -> None:
    """Whatever document or none: the words are those of somebody who is a player already."""
    assert at_desk(office).status_code == 201
    refused = [enrol(office, "ivan"), enrol(office, "ivan", document=identity("ivan")["document"])]
    office.player("olga")
    already = enrol(office, "olga-2", surname="Игрок-olga")
    assert {answer.text for answer in refused} == {already.text}
    assert code_of(already) == (409, "person_already_registered")
    office.clock(ENDS)
    assert enrol_later(office).status_code == 201


def enrol_later(office: Office) -> TestResponse:
    """Register at the desk half a year later: the cashier has signed in anew."""
    cashier = office.sign_in("cashier", terminal=office.terminal)
    who = {name: identity("ivan")[name] for name in ("surname", "name", "birth_date")}
    return cashier.post("/players", {"login": "ivan", "password": PASSWORD, **who})


def test_at_a_desk_the_registration_of_whoever_shows_the_document_is_excluded(office: Office) -> None:
    office.pool()
    player = office.player("ivan", "10.00")
    assert at_desk(office).status_code == 201
    assert code_of(office.bet(player, "1", "1.00")) == (409, "self_excluded")
    subject, told = facts_of(office, SELF_EXCLUDED)[0]
    assert (subject, told["until"]) == (f"person:{person_of(office, 'ivan')}", "2023-05-21T21:00:00+00:00")
    (shown,) = office.supervisor.get("/self-exclusions").json["items"]
    assert shown["person_id"] == person_of(office, "ivan")


def test_a_cash_bet_is_anonymous_and_a_payout_against_a_document_is_never_refused(office: Office) -> None:
    """Nobody knows whose a cash bet is; whoever shows the document of an excluded person is paid: 12.00 of 20.00."""
    pool = office.pool()
    document = {**identity("ivan"), "player": None}
    shown = {name: document[name] for name in ("surname", "name", "document")}
    assert at_desk(office).status_code == 201
    code = office.bet(office.cashier, "1", "10.00").json["code"]
    office.bet(office.cashier, "2", "10.00")
    office.decide(pool, "1")
    office.clock("2022-11-23T10:00:00+03:00")
    assert office.pay(code, **shown).json["amount"] == "12.00"


def test_a_document_that_turns_out_to_be_an_excluded_persons_brings_the_exclusion(office: Office) -> None:
    """Somebody excluded themselves under the passport and another name; the supervisor records it as the player's."""
    office.pool()
    player = office.player("ivan", "10.00")
    assert at_desk(office, surname="Старый", birth_date="1990-05-18").status_code == 201
    assert office.bet(player, "1", "1.00").status_code == 201
    who = {name: identity("ivan")[name] for name in ("surname", "name", "birth_date", "document")}
    recorded = office.supervisor.post(f"/persons/{person_of(office, 'ivan')}/versions", who)
    assert recorded.status_code == 201
    assert code_of(office.bet(player, "1", "1.00")) == (409, "self_excluded")
    assert fact(office, "SELECT count(*) FROM self_exclusions") == 2


def test_d_16_who_is_excluded_is_kept_till_the_end_and_erased_after_it(office: Office) -> None:
    """Erased meanwhile, they could register anew."""
    at_desk(office)
    person = fact(office, "SELECT person_id FROM self_exclusions")
    path = f"/persons/{person}/erasures"
    assert code_of(office.administrator.post(path, {"reason": "заявление"})) == (409, "nothing_to_erase")
    office.clock(ENDS)
    assert office.sign_in("administrator").post(path, {"reason": "заявление"}).status_code == 201
