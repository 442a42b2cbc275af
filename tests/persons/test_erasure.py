"""Erasing what nothing must keep: on request, and when the term is over (B-Prov 17, D-16)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from db.session import transaction
from desk.retention import erase_on_request
from desk.second_person import recipient
from ledger.refusals import Refusal
from office.approvals.models import Proposal
from office.callers import Caller, Role
from office.persons.details import Document, NaturalPerson
from office.persons.erasure import close_to_others
from office.persons.erasure import erase as erase_versions
from office.persons.models import PersonVersion
from players.locking import unlock_player
from tests.approvals.people import decided, proposed, winner
from tests.office import OPERATOR, Office
from tests.persons.persons import ANNA, PASSPORT, do, enrol, fact, found, in_a_thread, pay, person_of, waits, win

PAID = NaturalPerson("Королёва", "Анна", document=Document("паспорт", "MP7654321"))
REASON = {"reason": "заявление игрока"}
LEFT = "SELECT array[(SELECT count(*) FROM person_versions WHERE ciphertext IS NOT NULL),"
LEFT += " (SELECT count(*) FROM data_keys WHERE purpose = 'person' AND wrapped IS NOT NULL),"
LEFT += " (SELECT count(*) FROM person_words), (SELECT count(*) FROM person_identities)]"


def registered(office: Office, login: str = "anna", **more: Any) -> int:
    """A registration that has ended; the person."""
    assert enrol(office, login, **ANNA, document=PASSPORT, phone="+375291234567", **more).status_code == 201
    do(office, "UPDATE players SET blocked_at = now() WHERE login = :login", login=login)
    return person_of(office, login)


def erase(office: Office, person: int) -> Any:
    """Ask for an erasure."""
    return office.administrator.post(f"/persons/{person}/erasures", REASON)


def test_of_an_ended_registration_nothing_is_left(office: Office) -> None:
    anna = registered(office)
    version = fact(office, "SELECT person_version_id FROM players")
    erased = erase(office, anna)
    assert (erased.status_code, erased.json) == (201, {"person_id": anna, "versions": [version], "kept": []})
    assert fact(office, LEFT) == [0, 0, 0, 0]
    assert fact(office, "SELECT erased_at IS NOT NULL FROM persons")
    shown = office.supervisor.get(f"/persons/{anna}").json
    assert (shown["person"], shown["document"], shown["contacts"]) == ("удалено", "удалено", "")
    seen = office.supervisor.post(f"/persons/{anna}/views", REASON).json
    assert (seen["erased"], seen["details"]) == (True, {})
    assert found(office.supervisor, words="королёва") == []
    administrator = fact(office, "SELECT id FROM users WHERE login = 'administrator'")
    row = "SELECT user_id || ' ' || reason || ' ' || versions::text FROM person_erasures"
    assert fact(office, row) == f"{administrator} заявление игрока {{{version}}}"
    assert fact(office, "SELECT count(*) FROM significant_events WHERE kind = 'person_erased'") == 1


def test_who_was_erased_may_register_anew_as_a_new_person(office: Office) -> None:
    anna = registered(office)
    assert enrol(office, "again", **ANNA, document=PASSPORT).json["code"] == "person_already_registered"
    assert erase(office, anna).status_code == 201
    assert enrol(office, "again", **ANNA, document=PASSPORT).status_code == 201
    assert person_of(office, "again") != anna


def test_a_standing_registration_is_kept(office: Office) -> None:
    assert enrol(office, "anna").status_code == 201
    anna = person_of(office, "anna")
    before = fact(office, LEFT)
    refused = erase(office, anna)
    assert (refused.status_code, refused.json["code"]) == (409, "registration_stands")
    assert fact(office, LEFT) == before
    assert erase(office, 99).status_code == 404


def test_a_registration_with_money_or_an_unfinished_bet_is_kept(office: Office) -> None:
    pool = office.pool()
    player = office.player("ivan", "10.00")
    ivan = person_of(office, "ivan")
    assert office.bet(player, "1", "10.00").status_code == 201
    do(office, "UPDATE players SET blocked_at = now()")
    assert erase(office, ivan).json["code"] == "registration_stands", "the bet is not settled"
    assert office.decide(pool, "2").status_code == 201
    assert fact(office, "SELECT status FROM ticket_states") == "lost"
    assert erase(office, ivan).status_code == 201


def test_money_on_the_game_account_is_owed_to_somebody(office: Office) -> None:
    office.player("ivan", "10.00")
    do(office, "UPDATE players SET blocked_at = now()")
    assert erase(office, person_of(office, "ivan")).json["code"] == "registration_stands"


def test_what_the_journal_must_keep_is_kept(office: Office) -> None:
    """The contacts of the registration go, the line of the journal stays: name and document, findable by them."""
    assert pay(office, win(office)).status_code == 201
    anna = registered(office)
    journal, registration = (
        fact(office, "SELECT person_version_id FROM payouts"),
        fact(office, "SELECT person_version_id FROM players"),
    )
    erased = erase(office, anna).json
    assert (erased["versions"], erased["kept"]) == ([registration], [journal])
    assert office.supervisor.get("/payouts").json["items"][0]["person"] == "К*** А."
    assert found(office.supervisor, document="MP7654321") == [anna]
    assert found(office.supervisor, phone="+375291234567") == []
    assert found(office.supervisor, birth_date="1990-05-17") == []
    assert fact(office, "SELECT string_agg(sort, ' ') FROM person_identities") == "document"
    assert fact(office, "SELECT erased_at IS NULL FROM persons")
    again = erase(office, anna)
    assert (again.status_code, again.json["code"]) == (409, "nothing_to_erase")
    assert enrol(office, "again", **ANNA, document=PASSPORT).status_code == 201
    assert person_of(office, "again") == anna, "the document is the same person's"


def retention(office: Office, *options: str) -> tuple[int, str]:
    """The command's exit code and words."""
    result = office.app.test_cli_runner().invoke(args=["retention", *options])
    return result.exit_code, result.output


def test_the_sweep_shows_first_and_erases_what_is_over_the_term(office: Office) -> None:
    """Written down this year: on New Year's Day five years on it is younger than five years, a year later it is not."""
    assert pay(office, win(office)).status_code == 201
    year = fact(office, "SELECT extract(year FROM now())::int")
    office.clock(f"{year + 5}-01-01T00:00:00+03:00")
    assert retention(office) == (0, "Подлежит удалению (--erase удалит) записей: 0.\n")
    office.clock(f"{year + 6}-01-01T00:00:00+03:00")
    listed = "лицо 1: записи 1\nПодлежит удалению (--erase удалит) записей: 1.\n"
    assert retention(office) == retention(office) == (0, listed), "a look erases nothing"
    assert retention(office, "--erase") == (0, "лицо 1: записи 1\nУдалено записей: 1.\n")
    assert fact(office, LEFT) == [0, 0, 0, 0]
    assert retention(office, "--erase") == (0, "Удалено записей: 0.\n")


def test_an_erased_line_of_the_journal_says_so(office: Office) -> None:
    assert pay(office, win(office)).status_code == 201
    year = fact(office, "SELECT extract(year FROM now())::int")
    office.clock(f"{year + 6}-01-01T00:00:00+03:00")
    assert retention(office, "--erase")[0] == 0
    (line,) = office.supervisor.get("/payouts").json["items"]
    assert (line["number"], line["amount"], line["person"], line["document"]) == (1, "12.00", "удалено", "удалено")


def test_the_sweep_leaves_what_stands(office: Office) -> None:
    """A standing registration keeps its latest version, however old; an older one that nothing points to goes."""
    assert enrol(office, "anna", **ANNA, document=PASSPORT).status_code == 201
    anna = person_of(office, "anna")
    moved = {**ANNA, "document": PASSPORT, "phone": "+375291234567"}
    latest = office.supervisor.post(f"/persons/{anna}/versions", moved).json["version"]
    year = fact(office, "SELECT extract(year FROM now())::int")
    office.clock(f"{year + 6}-01-01T00:00:00+03:00")
    assert retention(office, "--erase")[0] == 0
    assert fact(office, "SELECT array_agg(id) FROM person_versions WHERE erased_at IS NULL") == [latest]
    assert found(office.supervisor, words="королёва") == [anna]
    assert enrol(office, "again", **ANNA, document=PASSPORT).json["code"] == "person_already_registered"


def test_an_erasure_waits_for_whoever_is_writing_about_the_person(office: Office) -> None:
    """A payout under way has found the person; the erasure sees its version when it counts what must be kept."""
    persons = office.house.persons
    with transaction(office.house.sessions) as session:
        first = persons.record(session, PAID)
        person = session.get_one(PersonVersion, first).person_id
    with office.house.sessions() as paying:
        second = persons.record(paying, replace(PAID, surname="Ли"))
        erasing = in_a_thread(office, lambda session: len(close_to_others(session, person)))
        waits(office)
        paying.commit()
    assert second != first
    assert erasing.result(timeout=20) == 2


def test_who_comes_while_being_erased_is_a_new_person(office: Office) -> None:
    persons = office.house.persons
    with transaction(office.house.sessions) as session:
        first = persons.record(session, PAID)
        person = session.get_one(PersonVersion, first).person_id
    with office.house.sessions() as erasing:
        erase_versions(erasing, persons, person, close_to_others(erasing, person), "проба")
        coming = in_a_thread(office, lambda session: persons.record(session, PAID))
        waits(office)
        erasing.commit()
    with office.house.sessions() as session:
        assert session.get_one(PersonVersion, coming.result(timeout=20)).person_id != person
    assert fact(office, LEFT)[0] == 1


def test_whom_a_payout_is_proposed_to_is_kept_until_the_proposal_lapses(office: Office) -> None:
    """An hour, as `payout_approval_minutes` is at first: a second person must see to whom the money goes."""
    ticket = winner(office, "10.00", "90.00")
    office.clock("2022-11-23T10:00:00+03:00")
    proposed(office, ticket)
    person = fact(office, "SELECT max(person_id) FROM person_versions")
    refused = erase(office, person)
    assert (refused.status_code, refused.json["code"]) == (409, "nothing_to_erase")
    office.clock("2022-11-23T11:00:01+03:00")
    assert erase(office, person).status_code == 201


def test_whom_a_payout_is_proposed_to_outlives_the_term_until_the_proposal_lapses(office: Office) -> None:
    """Paid long ago by the journal's term, and now again: the second person still sees to whom, and the desk pays."""
    ticket = winner(office, "10.00", "90.00")
    office.clock("2022-11-23T10:00:00+03:00")
    approval = proposed(office, ticket)
    do(office, "UPDATE person_versions SET recorded_at = '2010-01-01'")
    assert retention(office, "--erase") == (0, "Удалено записей: 0.\n")
    assert decided(office.supervisor, approval).status_code == 201
    office.clock("2022-11-23T11:00:01+03:00")
    assert retention(office, "--erase") == (0, "лицо 1: записи 1\nУдалено записей: 1.\n")


def test_an_erasure_waits_for_a_payout_to_the_version_that_was_approved(office: Office) -> None:
    ticket = winner(office, "10.00", "90.00")
    office.clock("2022-11-23T10:00:00+03:00")
    approval = proposed(office, ticket)
    persons = office.house.persons
    with office.house.sessions() as paying:
        version = paying.get_one(Proposal, approval).content["person_version"]
        details = persons.read(paying, version)
        assert isinstance(details, NaturalPerson)
        assert recipient(paying, persons, details, approval) == version
        person = paying.get_one(PersonVersion, version).person_id
        erasing = in_a_thread(office, lambda session: len(close_to_others(session, person)))
        waits(office)
        paying.commit()
    assert erasing.result(timeout=20) == 1


def test_the_sweep_ends_a_registration_whose_details_it_erases(office: Office) -> None:
    """Locked, without money, older than the journal is kept for: nobody may unlock it and play on as nobody."""
    registered(office)
    year = fact(office, "SELECT extract(year FROM now())::int")
    office.clock(f"{year + 6}-01-01T00:00:00+03:00")
    assert retention(office, "--erase")[0] == 0
    assert fact(office, "SELECT person_id FROM players") is None
    refused = office.supervisor.post("/players/1/unlocking", REASON)
    assert (refused.status_code, refused.json["code"]) == (409, "registration_ended")


def test_a_person_whose_version_does_not_open_is_named_and_passed_over(office: Office) -> None:
    """The younger version of the first person was changed; the second one's term is over all the same."""
    for n in (1, 2):
        document = {**PASSPORT, "number": f"MP000000{n}"}
        assert enrol(office, f"anna-{n}", **{**ANNA, "surname": f"А-{n}"}, document=document).status_code == 201
        body = {**ANNA, "surname": f"А-{n}", "document": document, "phone": "+375291234567"}
        assert office.supervisor.post(f"/persons/{n}/versions", body).status_code == 201
    kept = fact(office, "SELECT person_version_id FROM players WHERE login = 'anna-1'")
    do(
        office,
        "UPDATE person_versions SET ciphertext = set_byte(ciphertext, 20, get_byte(ciphertext, 20) # 1) WHERE id = :id",
        id=kept,
    )
    year = fact(office, "SELECT extract(year FROM now())::int")
    office.clock(f"{year + 6}-01-01T00:00:00+03:00")
    first, second = person_of(office, "anna-1"), person_of(office, "anna-2")
    older = fact(office, "SELECT min(id) FROM person_versions WHERE person_id = :id", id=second)
    result = office.app.test_cli_runner().invoke(args=["retention", "--erase"])
    assert result.exit_code == 1
    assert result.stderr == f"лицо {first}: записи {kept} не открываются, лицо пропущено\n"
    assert result.stdout == f"лицо {second}: записи {older}\nУдалено записей: 1.\n"
    assert fact(office, "SELECT array_agg(id) FROM person_versions WHERE erased_at IS NOT NULL") == [older]


def test_of_an_unlocking_and_an_erasure_at_once_the_second_sees_the_first(office: Office) -> None:
    anna = registered(office)
    here, by = office.house, Caller(Role.SUPERVISOR, user_id=1)
    with here.sessions() as unlocking:
        unlock_player(unlocking, 1, "ошибка", by)
        erasing = in_a_thread(
            office, lambda session: len(erase_on_request(session, OPERATOR, here.persons, anna, "проба", by).versions)
        )
        waits(office)
        unlocking.commit()
    with pytest.raises(Refusal) as refused:
        erasing.result(timeout=20)
    assert refused.value.code == "registration_stands"
    do(office, "UPDATE players SET blocked_at = now()")
    with here.sessions() as erasure:
        erase_on_request(erasure, OPERATOR, here.persons, anna, "проба", by)
        unlocked = in_a_thread(office, lambda session: unlock_player(session, 1, "ошибка", by).id)
        waits(office)
        erasure.commit()
    with pytest.raises(Refusal) as refused:
        unlocked.result(timeout=20)
    assert refused.value.code == "registration_ended"
