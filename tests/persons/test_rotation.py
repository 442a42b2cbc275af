"""Rotating the master key: data keys are wrapped anew, texts stay; afterwards the new key alone opens everything."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from cryptography.fernet import Fernet

from api.application import create_app
from api.house import House
from db.keys import Keys
from db.master_keys import MasterKeys, UnknownMasterKeyError
from office import key_rotation
from office.key_rotation import rotate, standing
from office.persons.erasure import close_to_others
from office.persons.erasure import erase as erase_versions
from tests.office import KEYS, MATCH_DAY, OPERATOR, PASSWORD, Member, Office
from tests.persons.before_data_keys import seal_directly
from tests.persons.persons import ANNA, PASSPORT, do, enrol, fact, found, pay, person_of, waits, win

OLD = KEYS.data_keys[0]
NEW = Fernet.generate_key()
OLD_ID, NEW_ID = MasterKeys((OLD,)).newest, MasterKeys((NEW,)).newest
UNDER_NEW = "SELECT count(*) FILTER (WHERE wrapped_under = :new) || ' of ' || count(wrapped) FROM data_keys"


class Houses:
    """The office's database as houses with other keys see it."""

    def __init__(self, office: Office) -> None:
        self._office = office
        self._houses: list[House] = []

    def with_keys(self, *data_keys: bytes) -> House:
        """A house whose processes were started with these DATA_KEYS."""
        keys = Keys(KEYS.code_hmac, data_keys)
        self._houses.append(House(OPERATOR, lambda: self._office.urls, lambda: keys))
        return self._houses[-1]

    def member(self, house: House, like: Member) -> Member:
        """Somebody who is signed in, asking this house."""
        return Member(create_app(house).test_client(), like.token)

    def close(self) -> None:
        """Let the database go."""
        for house in self._houses:
            house.engine.dispose()


@pytest.fixture
def houses(office: Office) -> Iterator[Houses]:
    """Other houses on the office's database."""
    opened = Houses(office)
    yield opened
    opened.close()


def quietly(*_: object) -> None:
    """Nobody listens."""


def command(house: House, *options: str) -> tuple[int, list[str]]:
    """``rotate-keys``: its exit code, and the lines it ends with (the progress goes to standard error)."""
    result = create_app(house).test_cli_runner().invoke(args=["rotate-keys", *options])
    return result.exit_code, result.stdout.splitlines()


def test_afterwards_the_new_key_alone_opens_everything(office: Office, houses: Houses) -> None:
    assert enrol(office, "anna", **ANNA, document=PASSPORT).status_code == 201
    assert pay(office, win(office)).status_code == 201
    office.clock(MATCH_DAY)
    code = office.bet(office.cashier, "1", "10.00", office.pool("P2")["code"]).json["code"]
    ciphertexts = "SELECT string_agg(encode(ciphertext, 'hex'), ' ' ORDER BY id) FROM person_versions"
    before = fact(office, ciphertexts)
    keys = fact(office, "SELECT count(*) FROM data_keys")

    exit_code, told = command(houses.with_keys(NEW, OLD))

    assert exit_code == 0
    # One more: tickets are sealed under a fresh key that the old master key never wrapped.
    assert told == [f"ключ {NEW_ID}, первый: {keys + 1}", f"ключ {OLD_ID}: 0, можно убрать из DATA_KEYS"]
    assert fact(office, UNDER_NEW, new=NEW_ID) == f"{keys + 1} of {keys + 1}"
    assert fact(office, ciphertexts) == before, "no text is sealed anew"
    alone = houses.with_keys(NEW)
    assert found(houses.member(alone, office.supervisor), words="королёва") == [person_of(office, "anna")]
    line = houses.member(alone, office.accountant).post("/payouts/views", {"reason": "проверка"}).json["items"][0]
    assert (line["person"], line["document"][:17]) == ("Королёва Анна", "паспорт MP7654321")
    with alone.sessions() as session:
        sealed, digest = (
            session.connection()
            .exec_driver_sql("SELECT code_sealed, code_digest FROM tickets ORDER BY id DESC LIMIT 1")
            .one()
        )
    assert alone.codes.open(sealed, digest) == code
    sold = houses.member(alone, office.cashier).post("/pool-bets", {"pool": "P2", "outcome": "1", "stake": "1.00"})
    assert len(sold.json["code"]) == 16


def test_the_old_key_alone_opens_nothing_any_more(office: Office, houses: Houses) -> None:
    """A rotation is worth something: who has the old key and a later dump reads nobody."""
    assert enrol(office, "anna").status_code == 201
    assert command(houses.with_keys(NEW, OLD))[0] == 0
    old = houses.with_keys(OLD)
    with old.sessions() as session, pytest.raises(UnknownMasterKeyError, match=NEW_ID):
        old.persons.read(session, 1)
    exit_code, told = command(old, "--check")
    assert (exit_code, told[-1]) == (1, f"ключ {NEW_ID}: 1, в DATA_KEYS его НЕТ, прочесть это нельзя")


def test_a_process_with_the_old_key_first_works_on(office: Office, houses: Houses) -> None:
    """The order of the roll-out: every process knows both keys before a row is wrapped under the new one."""
    second, first = houses.with_keys(OLD, NEW), houses.with_keys(NEW, OLD)
    assert enrol(office, "anna").status_code == 201
    assert command(first)[0] == 0
    assert houses.member(second, office.supervisor).get("/persons/1").json["person"] == "К*** А. И."
    body = {"login": "olga", "password": PASSWORD, "surname": "Ли", "name": "Ольга", "birth_date": "1980-01-01"}
    assert houses.member(second, office.cashier).post("/players", body).status_code == 201
    exit_code, told = command(first, "--check")
    assert (exit_code, told[-1]) == (1, f"ключ {OLD_ID}: 1, ещё нужен")
    assert command(first)[0] == 0


def test_a_rotation_that_broke_off_goes_on_and_two_share_the_work(
    office: Office, houses: Houses, monkeypatch: pytest.MonkeyPatch
) -> None:
    for n in range(12):
        assert enrol(office, f"player-{n}", surname=f"И-{n}", name="П", birth_date="1990-05-17").status_code == 201
    monkeypatch.setattr(key_rotation, "BATCH", 2)
    monkeypatch.setattr(key_rotation, "PAUSE", 0.0)
    here = houses.with_keys(NEW, OLD)

    def killed(done: int, _: object) -> None:
        if done >= 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        rotate(here.sessions, here.masters, here.persons, killed, quietly)
    assert fact(office, UNDER_NEW, new=NEW_ID) == "4 of 12"
    with ThreadPoolExecutor(2) as threads:
        others = [houses.with_keys(NEW, OLD) for _ in range(2)]
        done = [threads.submit(rotate, o.sessions, o.masters, o.persons, quietly, quietly) for o in others]
    assert sum(one.result().done for one in done) == 8, "no row is wrapped twice"
    assert fact(office, UNDER_NEW, new=NEW_ID) == "12 of 12"


def test_a_rotation_with_nothing_to_do_does_nothing(office: Office, houses: Houses) -> None:
    assert enrol(office, "anna").status_code == 201
    noted = "SELECT count(*) FROM significant_events WHERE kind = 'keys_rotated'"
    assert command(houses.with_keys(OLD)) == (0, [f"ключ {OLD_ID}, первый: 1"])
    assert fact(office, noted) == 0
    here = houses.with_keys(NEW, OLD)
    assert command(here)[0] == command(here)[0] == 0
    assert fact(office, noted) == 1


def test_a_row_somebody_changed_is_named_and_the_rest_goes_on(office: Office, houses: Houses) -> None:
    for n in range(3):
        assert enrol(office, f"player-{n}", surname=f"И-{n}", name="П", birth_date="1990-05-17").status_code == 201
    first = fact(office, "SELECT min(id) FROM data_keys")
    do(
        office,
        "UPDATE data_keys SET wrapped = set_byte(wrapped, 20, get_byte(wrapped, 20) # 1) WHERE id = :id",
        id=first,
    )
    here = houses.with_keys(NEW, OLD)
    rotated = rotate(here.sessions, here.masters, here.persons, quietly, quietly)
    assert (rotated.done, rotated.broken) == (2, (f"data_keys {first}",))
    exit_code, told = command(here)
    assert (exit_code, told[-1]) == (1, f"ключ {OLD_ID}: 1, ещё нужен")


def test_persons_from_before_who_share_a_mark_are_named_by_their_numbers(office: Office, houses: Houses) -> None:
    """Two registrations of one human being, made when nobody could tell: both of them are Anna."""
    office.pool()
    for login, surname in (("anna", "Королёва"), ("anna-2", "Другая")):
        assert enrol(office, login, **{**ANNA, "surname": surname}).status_code == 201
    assert office.bet(office.cashier, "1", "10.00").status_code == 201
    seal_directly(office)
    do(office, "UPDATE person_versions SET ciphertext = (SELECT ciphertext FROM person_versions WHERE id = 1)")
    first, second = person_of(office, "anna"), person_of(office, "anna-2")
    here = houses.with_keys(OLD)
    result = create_app(here).test_cli_runner().invoke(args=["rotate-keys"])
    said = f"лица {first}, {second}: общий документ либо имя и дата рождения, возможно, это один человек"
    assert (result.exit_code, [line for line in result.stderr.splitlines() if "лица" in line]) == (0, [said])
    assert fact(office, "SELECT array_agg(person_id) FROM person_identities") == [first]
    assert "лица" not in create_app(here).test_cli_runner().invoke(args=["rotate-keys"]).stderr


def test_of_two_rotations_at_once_each_person_is_brought_over_by_one(office: Office, houses: Houses) -> None:
    """All have one name and birth date, so that the two meet at the mark."""
    office.pool()
    for n in range(6):
        assert enrol(office, f"player-{n}", surname=f"И-{n}", name="П", birth_date="1990-05-17").status_code == 201
    assert office.bet(office.cashier, "1", "10.00").status_code == 201
    seal_directly(office)
    do(office, "UPDATE person_versions SET ciphertext = (SELECT ciphertext FROM person_versions WHERE id = 1)")
    with ThreadPoolExecutor(2) as threads:
        others = [houses.with_keys(OLD) for _ in range(2)]
        done = [threads.submit(rotate, o.sessions, o.masters, o.persons, quietly, quietly) for o in others]
    assert sum(one.result().done for one in done) == 6
    assert fact(office, "SELECT count(*) FROM data_keys WHERE purpose = 'person'") == 6
    assert fact(office, "SELECT count(*) FROM person_identities") == 1


def test_a_rotation_takes_no_mark_of_whom_an_erasure_was_quicker_with(office: Office, houses: Houses) -> None:
    """The erasure has the marks, the rotation waits for them, neither for the other's version; nothing is left."""
    office.pool()
    assert enrol(office, "anna").status_code == 201
    assert office.bet(office.cashier, "1", "10.00").status_code == 201
    seal_directly(office)
    do(office, "UPDATE players SET blocked_at = now()")
    anna, here = person_of(office, "anna"), houses.with_keys(OLD)
    with here.sessions() as erasing, ThreadPoolExecutor(1) as threads:
        here.persons.take_marks(erasing, anna, here.persons.read(erasing, 1))
        versions = close_to_others(erasing, anna)
        rotating = threads.submit(rotate, here.sessions, here.masters, here.persons, quietly, quietly)
        waits(office)
        erase_versions(erasing, here.persons, anna, versions, "проба")
        erasing.commit()
        assert rotating.result(timeout=20).broken == ()
    assert fact(office, "SELECT count(*) FROM person_identities") == 0
    assert fact(office, "SELECT ciphertext IS NULL FROM person_versions")


def test_what_was_kept_before_there_were_data_keys_is_read_and_brought_over(office: Office, houses: Houses) -> None:
    office.pool()
    assert enrol(office, "anna").status_code == 201
    code = office.bet(office.cashier, "1", "10.00").json["code"]
    seal_directly(office)
    before = houses.with_keys(NEW, OLD)
    assert houses.member(before, office.supervisor).get("/persons/1").json["person"] == "К*** А. И."
    assert found(office.supervisor, words="королёва") == []
    assert command(before, "--check")[1][-1] == "записей о лицах прежнего вида, без ключа данных: 1"

    assert command(before)[0] == 0

    alone = houses.with_keys(NEW)
    assert found(houses.member(alone, office.supervisor), words="королёва") == [1]
    with alone.sessions() as session:
        assert standing(session).directly == 0
        sealed, digest = session.connection().exec_driver_sql("SELECT code_sealed, code_digest FROM tickets").one()
    assert alone.codes.open(sealed, digest) == code, "a ticket is a fact: its old master key became a data key"
    told = {"login": "again", "password": PASSWORD, **ANNA}
    assert houses.member(alone, office.cashier).post("/players", told).json["code"] == "person_already_registered"
