"""Signing in and out: what ends a session, what a one-time password opens, how attempts are counted."""

from __future__ import annotations

from datetime import datetime, timedelta
from ipaddress import ip_network
from typing import Any

from sqlalchemy import text
from werkzeug.test import TestResponse

from db.instants import now
from db.session import transaction
from office.significant.kinds import (
    ADDRESS_THROTTLED,
    CODES_GUESSED,
    LOGIN_THROTTLED,
    PASSWORD_CHANGED,
    REGISTRY_PROBED,
    SESSIONS_ENDED,
    USER_PASSWORD_RESET,
)
from office.throttling.doors import ADDRESS_ATTEMPTS, REGISTRY_ATTEMPTS
from office.tokens import CASHIER_HOURS, HOLDER
from tests.office import PASSWORD, Member, Office
from tests.records import facts_of, let_pass, set_to

NEW = "another horse entirely"
WRONG = (401, "wrong_login_or_password")
THROTTLED = (429, "too_many_attempts")


def sign_in(office: Office, login: str, password: str = PASSWORD, path: str = "/sessions", **more: Any) -> TestResponse:
    """An attempt to sign in, from 127.0.0.1 or wherever ``address`` says."""
    address = more.pop("address", "127.0.0.1")
    headers = more.pop("headers", {})
    body = {"login": login, "password": password, **more}
    return office.client.post("/api/v1" + path, json=body, headers=headers, environ_base={"REMOTE_ADDR": address})


def said(answer: TestResponse) -> tuple[int, str]:
    """The status and the problem's code."""
    return answer.status_code, answer.json.get("code", "")


def member(office: Office, answer: TestResponse) -> Member:
    """Whoever was let in."""
    assert answer.status_code == 201, answer.json
    return Member(office.client, answer.json["token"])


def change_password(office: Office, who: Member, old: str, new: str = NEW) -> TestResponse:
    """Change one's own password."""
    body = {"old_password": old, "password": new}
    return office.client.put("/api/v1/own-password", json=body, headers=who.headers)


def sign_out(office: Office, who: Member) -> TestResponse:
    """End one's own session."""
    return office.client.delete("/api/v1/sessions/current", headers=who.headers)


class TestEnding:
    def test_signing_out_ends_this_session_and_no_other(self, office: Office) -> None:
        player = office.player("ivan")
        for who, other in (
            (office.sign_in("administrator"), office.sign_in("administrator")),
            (player, member(office, sign_in(office, "ivan", path="/player-sessions"))),
        ):
            assert sign_out(office, who).json == {"sessions_ended": 1}
            assert (who.get("/pools").status_code, other.get("/pools").status_code) == (401, 200)

    def test_ones_own_change_of_password_ends_the_other_sessions(self, office: Office) -> None:
        organizer, elsewhere = office.organizer, office.sign_in("organizer")
        assert change_password(office, organizer, PASSWORD).json == {"sessions_ended": 1}
        assert (organizer.get("/pools").status_code, elsewhere.get("/pools").status_code) == (200, 401)
        assert said(sign_in(office, "organizer")) == WRONG
        assert sign_in(office, "organizer", NEW).status_code == 201
        ((_, facts),) = facts_of(office, PASSWORD_CHANGED)
        assert facts == {"sessions_ended": 1}

    def test_a_player_changes_the_password_alike(self, office: Office) -> None:
        player = office.player("ivan")
        assert said(change_password(office, player, PASSWORD, "Пробный123456"))[1] == "password_refused", "the name"
        assert change_password(office, player, PASSWORD).status_code == 200
        assert sign_in(office, "ivan", NEW, "/player-sessions").status_code == 201

    def test_without_the_old_password_nothing_is_changed_and_guesses_are_counted(self, office: Office) -> None:
        """A stolen session does not let anybody in for good."""
        answers = [said(change_password(office, office.organizer, "a guess", NEW)) for _ in range(7)]
        assert answers == [(403, "wrong_password")] * 5 + [THROTTLED] * 2
        assert sign_in(office, "organizer").status_code == 201, "signing in is another door"

    def test_an_administrator_ends_sessions_with_a_reason(self, office: Office) -> None:
        organizer = office.organizer
        path = f"/users/{id_of(office, 'organizer')}"
        (shown,) = office.administrator.get(path + "/sessions").json["items"]
        assert (shown["role"], shown["terminal_id"]) == ("organizer", None)
        assert said(office.administrator.post(path + "/sessions-ending", {}))[1] == "validation_failed"
        answer = office.administrator.post(path + "/sessions-ending", {"reason": "потерян телефон"})
        assert (answer.status_code, answer.json) == (201, {"sessions_ended": 1})
        assert organizer.get("/pools").status_code == 401
        assert office.administrator.get(path + "/sessions").json["items"] == []
        ((_, facts),) = facts_of(office, SESSIONS_ENDED)
        assert facts == {"reason": "потерян телефон", "sessions_ended": 1}

    def test_a_session_lives_by_the_setting_of_its_role(self, office: Office) -> None:
        """Hours by default: a cashier twelve, a player twenty-four, anybody else eight."""
        assert office.cashier and office.player("ivan")
        set_to(office, CASHIER_HOURS, 3)
        answers = {
            3: sign_in(office, "cashier", terminal=office.terminal),
            24: sign_in(office, "ivan", path="/player-sessions"),
            8: sign_in(office, "administrator"),
        }
        for hours, answer in answers.items():
            left = datetime.fromisoformat(answer.json["expires_at"]) - now()
            assert timedelta(hours=hours, minutes=-5) < left <= timedelta(hours=hours)

    def test_who_calls_is_found_by_one_key(self, office: Office) -> None:
        with office.owner() as session:
            session.execute(text("SET LOCAL enable_seqscan = off"))
            query = str(HOLDER.compile(compile_kwargs={"literal_binds": False}))
            plan = session.execute(text("EXPLAIN " + query), {"digest": b""}).scalars().all()
        assert "uq_access_tokens_digest" in "".join(plan)


class TestOneTimePassword:
    def test_it_opens_the_change_of_it_and_nothing_else(self, office: Office) -> None:
        assert office.organizer
        given = office.administrator.post(f"/users/{id_of(office, 'organizer')}/password-reset")
        assert given.status_code == 201
        assert office.organizer.get("/pools").status_code == 401, "every session has ended"
        assert said(sign_in(office, "organizer")) == WRONG
        answer = sign_in(office, "organizer", given.json["password"])
        assert answer.json["password_change_needed"] is True
        organizer = member(office, answer)
        assert said(organizer.get("/pools")) == (403, "password_change_needed")
        assert said(organizer.post("/pools", {})) == (403, "password_change_needed")
        assert change_password(office, organizer, given.json["password"]).status_code == 200
        assert organizer.get("/pools").status_code == 200
        assert sign_in(office, "organizer", NEW).json["password_change_needed"] is False
        ((_, facts),) = facts_of(office, USER_PASSWORD_RESET)
        assert facts == {"sessions_ended": 1}

    def test_it_is_kept_nowhere(self, office: Office) -> None:
        assert office.organizer
        given = office.administrator.post(f"/users/{id_of(office, 'organizer')}/password-reset").json["password"]
        with office.owner() as session:
            kept = session.scalars(
                text("SELECT users::text FROM users UNION ALL SELECT facts::text FROM significant_events")
            ).all()
        assert kept and not any(given in row for row in kept)

    def test_it_does_not_become_ones_own(self, office: Office) -> None:
        assert office.organizer
        given = office.administrator.post(f"/users/{id_of(office, 'organizer')}/password-reset").json["password"]
        organizer = member(office, sign_in(office, "organizer", given))
        assert said(change_password(office, organizer, given, given)) == (422, "password_refused")
        assert sign_out(office, organizer).status_code == 200, "leaving is always allowed"

    def test_it_lapses(self, office: Office) -> None:
        assert office.organizer
        answer = office.administrator.post(f"/users/{id_of(office, 'organizer')}/password-reset").json
        left = datetime.fromisoformat(answer["until"]) - now()
        assert timedelta(hours=23, minutes=55) < left <= timedelta(hours=24)
        with transaction(office.owner) as session:
            session.execute(text("UPDATE users SET password_until = now() WHERE login = 'organizer'"))
        assert said(sign_in(office, "organizer", answer["password"])) == WRONG

    def test_nobody_resets_their_own(self, office: Office) -> None:
        """Who holds a stolen session would get in for good."""
        assert said(office.administrator.post("/users/1/password-reset")) == (409, "own_login")


class TestThrottling:
    def test_after_five_failures_the_right_password_is_refused_as_well(self, office: Office) -> None:
        answers = [said(sign_in(office, "administrator", "a guess")) for _ in range(5)]
        sixth = sign_in(office, "Administrator")
        assert answers == [WRONG] * 5
        assert said(sixth) == THROTTLED
        assert 58 <= int(sixth.headers["Retry-After"]) == sixth.json["retry_after"] <= 60
        let_pass(office, 61)
        assert sign_in(office, "administrator").status_code == 201
        assert facts_of(office, LOGIN_THROTTLED) == [("user:1", {"door": "user_login", "failures": 5})]

    def test_an_unknown_login_is_throttled_alike(self, office: Office) -> None:
        for path in ("/sessions", "/player-sessions"):
            answers = [sign_in(office, "nobody", "a guess", path) for _ in range(7)]
            assert [said(answer) for answer in answers] == [WRONG] * 5 + [THROTTLED] * 2

    def test_a_success_clears_the_login_and_not_the_address(self, office: Office) -> None:
        set_to(office, ADDRESS_ATTEMPTS, 9)
        for _ in range(2):
            assert [said(sign_in(office, "administrator", "a guess"))[0] for _ in range(4)] == [401] * 4
            assert sign_in(office, "administrator").status_code == 201
        # Eight of the nine failures an address has are used up; the successes cost none.
        assert said(sign_in(office, "nobody", "a guess")) == WRONG
        assert said(sign_in(office, "administrator")) == THROTTLED
        ((subject, facts),) = facts_of(office, ADDRESS_THROTTLED)
        assert subject.startswith("address:") and "127.0.0.1" not in subject
        assert facts == {"door": "address", "failures": 9}

    def test_successes_are_never_throttled(self, office: Office) -> None:
        set_to(office, ADDRESS_ATTEMPTS, 3)
        assert {sign_in(office, "administrator").status_code for _ in range(12)} == {201}

    def test_logins_of_the_office_and_of_players_are_counted_apart(self, office: Office) -> None:
        office.player("administrator")
        assert [said(sign_in(office, "administrator", "a guess"))[0] for _ in range(6)][-1] == 429
        assert sign_in(office, "administrator", path="/player-sessions").status_code == 201

    def test_only_the_offices_door_speaks_of_terminals(self, office: Office) -> None:
        at_the_office = sign_in(office, "nobody").json["detail"]
        assert at_the_office == "Неверный логин или пароль. Кассир входит со своего терминала."
        assert sign_in(office, "nobody", path="/player-sessions").json["detail"] == "Неверный логин или пароль."

    def test_the_cashier_at_the_own_desk_gets_in_whatever_others_do(self, office: Office) -> None:
        """The address is throttled, and so is the cashier's login from outside."""
        assert office.cashier
        set_to(office, ADDRESS_ATTEMPTS, 8)
        for _ in range(6):
            sign_in(office, "cashier", "a guess")
        for number in range(8):
            sign_in(office, f"nobody-{number}", "a guess")
        assert said(sign_in(office, "administrator")) == THROTTLED
        assert sign_in(office, "cashier", terminal=office.terminal).status_code == 201
        assert sign_in(office, "administrator", terminal=office.terminal).status_code == 201, "anybody at a terminal"

    def test_at_a_terminal_a_login_is_counted_as_well(self, office: Office) -> None:
        assert office.cashier
        answers = [said(sign_in(office, "cashier", "a guess", terminal=office.terminal)) for _ in range(6)]
        assert answers == [WRONG] * 5 + [THROTTLED]

    def test_a_wrong_terminal_counts_against_the_address(self, office: Office) -> None:
        assert office.cashier
        set_to(office, ADDRESS_ATTEMPTS, 4)
        guessed = {**office.terminal, "secret": "guessed"}
        answers = [said(sign_in(office, "cashier", terminal=guessed)) for _ in range(6)]
        assert answers == [(401, "unknown_terminal")] * 4 + [THROTTLED] * 2
        assert said(sign_in(office, "administrator")) == THROTTLED
        assert sign_in(office, "administrator", address="192.0.2.1").status_code == 201

    def test_addresses_come_from_a_trusted_proxy_only(self, office: Office) -> None:
        set_to(office, ADDRESS_ATTEMPTS, 3)
        proxied = {"address": "10.0.0.1", "headers": {"X-Forwarded-For": "192.0.2.9"}}
        for number in range(3):
            sign_in(office, f"nobody-{number}", "a guess", **proxied)
        assert said(sign_in(office, "administrator", address="10.0.0.1")) == THROTTLED, "the header was not believed"
        office.house.trusted_proxies = (ip_network("10.0.0.0/8"),)
        assert sign_in(office, "administrator", **proxied).status_code == 201
        for number in range(3):
            sign_in(office, f"nobody-{number}", "a guess", **proxied)
        assert said(sign_in(office, "administrator", **proxied)) == THROTTLED
        other = {**proxied, "headers": {"X-Forwarded-For": "192.0.2.10"}}
        assert sign_in(office, "administrator", **other).status_code == 201

    def test_codes_guessed_at_payout_are_throttled_and_alarmed(self, office: Office) -> None:
        """FIELD-FAULTS 114: ten unknown codes a minute at one terminal; a code that exists costs nothing."""
        pool = office.pool()
        codes = [office.bet(office.cashier, outcome, "10.00").json["code"] for outcome in ("1", "2", "1")]
        office.decide(pool, "1")
        assert [said(office.pay("A" * 16)) for _ in range(9)] == [(404, "ticket_not_found")] * 9
        assert said(office.pay(codes[0])) == (409, "not_payable_yet")
        assert said(office.pay("B" * 16)) == (404, "ticket_not_found")
        assert said(office.pay(codes[1])) == THROTTLED
        elsewhere = office.another_cashier(2)
        assert said(office.pay(codes[1], elsewhere)) == (409, "ticket_lost"), "another terminal is another count"
        ((subject, facts),) = facts_of(office, CODES_GUESSED)
        assert (subject, facts) == ("terminal:1", {"door": "ticket_codes", "failures": 10})

    def test_who_asks_for_taken_logins_again_and_again_is_throttled(self, office: Office) -> None:
        set_to(office, REGISTRY_ATTEMPTS, 3)
        office.player("ivan")
        body = {"login": "ivan", "password": PASSWORD, "surname": "А", "name": "Б", "birth_date": "1990-05-17"}
        answers = [said(office.cashier.post("/players", body)) for _ in range(4)]
        assert answers == [(409, "login_taken")] * 3 + [THROTTLED]
        assert len(facts_of(office, REGISTRY_PROBED)) == 1


def id_of(office: Office, login: str) -> int:
    """The number of a login of the office."""
    with office.owner() as session:
        return session.scalar(text("SELECT id FROM users WHERE login = :login"), {"login": login})
