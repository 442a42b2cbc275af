"""A house at work, as tests use it: people sign in by HTTP, the trade's clock goes where a test wants it."""

from __future__ import annotations

import itertools
from datetime import datetime
from functools import cache, cached_property
from typing import Any
from zoneinfo import ZoneInfo

from cryptography.fernet import Fernet
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import Engine
from werkzeug.test import TestResponse

from api.application import create_app
from api.house import House
from api.watch.figures import count_connections
from db.clock import set_clock, trade_time
from db.engines import engine_for
from db.keys import Keys
from db.session import sessions_on, transaction
from db.urls import DatabaseUrls
from office.callers import Caller, Role
from office.operator import Operator
from office.tokens import issue_token
from office.users import create_user
from reports.audit import audit
from reports.trial_balance import trial_balance
from tests import opening
from tests.contract import Contract
from tests.opening import PASSWORD

MINSK = ZoneInfo("Europe/Minsk")
KEYS = Keys(code_hmac=bytes(range(32)), data_keys=(Fernet.generate_key(),))
OPERATOR = Operator("ООО «Проба»", MINSK)
MATCH_DAY = "2022-11-22T08:00:00+03:00"


EVENT = {
    "name": "Аргентина — Саудовская Аравия",
    "sport": "football",
    "home": "Аргентина",
    "away": "Саудовская Аравия",
    "venue_zone": "Asia/Qatar",
    "starts_at": "2022-11-22T13:00:00+03:00",
}
POOL = {
    "code": "P1",
    "name": "Исход матча",
    "game": "totolot_variant",
    "opens_at": "2022-11-22T08:00:00+03:00",
    "closes_at": "2022-11-22T12:55:00+03:00",
    "minimum_stake": "1.00",
    "maximum_stake": "10000.00",
    "outcomes": [{"code": "1", "name": "П1"}, {"code": "X", "name": "Ничья"}, {"code": "2", "name": "П2"}],
}
SPORTLOTO = {
    "game": "sportloto_variant",
    "minimum_stake": None,
    "maximum_stake": None,
    "price": "2.50",
    "fund_percent": "70",
}
"""What of these terms another pool has: one price of a bet, and a part for prizes that the organizer says."""


# The example account of the standard's register: its check digits are right.
BANK_ACCOUNT = {"account": "BY13NBRB3600900000002Z00AB00", "bank": "ОАО «Банк»", "bank_code": "NBRBBY2X"}


def identity(login: str) -> dict[str, Any]:
    """What a player of :meth:`Office.player` shows at a desk."""
    passport = {"kind": "паспорт", "number": f"MP-{login}-1", "issued_on": "2015-03-01", "issued_by": "РУВД"}
    person = {"surname": f"Игрок-{login}", "name": "Пробный", "birth_date": "1990-05-17"}
    return {"player": login, **person, "document": passport}


class Member:
    """Somebody signed in: requests carry the token, and every POST a fresh idempotency key unless one is given.

    Whoever was hired without a request is known by name to acts as well.
    """

    _numbers = itertools.count(1)

    def __init__(self, client: FlaskClient, token: str, caller: Caller | None = None) -> None:
        self.client = client
        self.token = token
        self._caller = caller

    @property
    def caller(self) -> Caller:
        """Who this is to an act."""
        assert self._caller is not None, "signed in by a request"
        return self._caller

    def get(self, path: str, **query: Any) -> TestResponse:
        """GET /api/v1 + path."""
        return self.client.get("/api/v1" + path, query_string=query, headers=self.headers)

    def post(self, path: str, body: dict[str, Any] | None = None, key: str | None = None) -> TestResponse:
        """POST /api/v1 + path with an idempotency key."""
        headers = {**self.headers, "Idempotency-Key": key or f"test-key-{next(self._numbers):08}"}
        return self.client.post("/api/v1" + path, json=body, headers=headers)

    def put(self, path: str, body: dict[str, Any]) -> TestResponse:
        """PUT /api/v1 + path."""
        return self.client.put("/api/v1" + path, json=body, headers=self.headers)

    @property
    def headers(self) -> dict[str, str]:
        """What says who asks."""
        return {"Authorization": f"Bearer {self.token}"}


@cache
def _engine(url: str) -> Engine:
    """The one engine of an address: it keeps no connection between tests, but each statement once written out."""
    return engine_for(url)


@cache
def _counted_engine(url: str) -> Engine:
    return count_connections(engine_for(url))


_IDLE: list[tuple[Flask, Contract]] = []
"""Applications that no office uses now: to put one together takes longer than most tests."""


def _application(house: House) -> tuple[Flask, Contract]:
    """An application for a house, and the watch over its answers, both as good as new."""
    if not _IDLE:
        app = create_app(house)
        return app, Contract(app)
    app, contract = _IDLE.pop()
    app.extensions["house"] = house
    contract.begin_anew()
    return app, contract


class Office:
    """The house on a test's database, at eight in the morning of a match day in Minsk."""

    def __init__(self, urls: DatabaseUrls) -> None:
        self.urls = urls
        self.house = House(OPERATOR, lambda: urls, lambda: KEYS)
        self.house.engine = _counted_engine(urls.app)
        self.app, self.contract = _application(self.house)
        self._gives_back = True
        self.client = self.app.test_client()
        self._owner = _engine(urls.owner)
        self.owner = sessions_on(self._owner)
        self.clock(MATCH_DAY)
        with transaction(self.house.sessions) as session:
            first = create_user(session, "administrator", "Администратор", Role.ADMINISTRATOR, PASSWORD)
        self._hirer = Caller(Role.ADMINISTRATOR, user_id=first.id)

    def close(self) -> None:
        """Let the database go, and the application for whoever comes next."""
        for engine in (self.house.engine, _counted_engine(self.urls.app), self._owner):
            engine.dispose()
        if self._gives_back:
            _IDLE.append((self.app, self.contract))
        self._gives_back = False

    def keep_application(self) -> None:
        """Let nobody use this application later: a test changes it."""
        self._gives_back = False

    def wrongs(self) -> list[str]:
        """What the audit finds wrong, and a trial balance that is not zero; nothing while the books are right."""
        with self.house.sessions() as session:
            found = [f"{finding.promise}: {finding.subject}: {finding.detail}" for finding in audit(session, "BYN")]
            difference = trial_balance(session, "BYN", OPERATOR.day_of(trade_time(session))).difference
        return found if difference == 0 else [*found, f"trial balance: {difference}"]

    def balance(self, kind: str, subject: str = "operator") -> str:
        """What an account holds (debit) or owes (credit), as money; nothing was moved on it: 0.00."""
        lines = self.accountant.get("/reports/trial-balance").json["lines"]
        found = [line for line in lines if (line["kind"], line["subject"]) == (kind, subject)]
        held = [line["debit_balance"] if line["credit_balance"] == "0.00" else line["credit_balance"] for line in found]
        return str(held[0]) if held else "0.00"

    def clock(self, instant: str) -> None:
        """From now on the trade's clock shows this instant."""
        with transaction(self.owner) as session:
            set_clock(session, datetime.fromisoformat(instant), "test")

    def sign_in(self, login: str, **terminal: Any) -> Member:
        """A member of the office with this login."""
        answer = self.client.post("/api/v1/sessions", json={"login": login, "password": PASSWORD, **terminal})
        assert answer.status_code == 201, answer.json
        return Member(self.client, answer.json["token"])

    def hire(self, login: str, role: Role) -> None:
        """Make a login of this role."""
        body = {"login": login, "name": login.title(), "role": role.value, "password": PASSWORD}
        answer = self.administrator.post("/users", body)
        assert answer.status_code == 201, answer.json

    def _at_work(self, login: str, role: Role) -> Member:
        """Somebody hired and signed in, by the acts alone: nearly every test has four of them, and asks for none."""
        with transaction(self.house.sessions) as session:
            hired = opening.hire(session, login, role, self._hirer)
            token, _ = issue_token(session, hired)
        return Member(self.client, token, hired)

    @cached_property
    def administrator(self) -> Member:
        """Users, desks, terminals."""
        return self.sign_in("administrator")

    @cached_property
    def organizer(self) -> Member:
        """Announces, enters results, closes and settles."""
        return self._at_work("organizer", Role.ORGANIZER)

    @cached_property
    def second_organizer(self) -> Member:
        """Confirms what the first one entered."""
        return self._at_work("second-organizer", Role.ORGANIZER)

    @cached_property
    def accountant(self) -> Member:
        """Moves the operator's money and reads the books."""
        return self._at_work("accountant", Role.ACCOUNTANT)

    @cached_property
    def supervisor(self) -> Member:
        """The second person at the desk."""
        return self._at_work("supervisor", Role.SUPERVISOR)

    @cached_property
    def auditor(self) -> Member:
        """Reads everything and changes nothing."""
        return self._at_work("auditor", Role.AUDITOR)

    @cached_property
    def trader(self) -> Member:
        """Announces events and reads what is staked on them."""
        return self._at_work("trader", Role.TRADER)

    @cached_property
    def certificate(self) -> bool:
        """A certificate for more desks than any test registers."""
        with transaction(self.house.sessions) as session:
            opening.certify(session, self.house.operator, self._hirer)
        return True

    def register_desk(self, code: str) -> dict[str, Any]:
        """Another desk."""
        assert self.certificate
        body = {"code": code, "place": f"Минск, {code}", "certificate": code, "cash_register": code}
        answer = self.administrator.post("/desks", body)
        assert answer.status_code == 201, answer.json
        return dict(answer.json)

    def cashier_at(self, desk: dict[str, Any], terminal: str, login: str, cash: str | None = "0.00") -> Member:
        """A new cashier at a new terminal of a desk, with a shift opened on this cash, or none."""
        installed = self.administrator.post(f"/desks/{desk['id']}/terminals", {"code": terminal}).json
        self.hire(login, Role.CASHIER)
        cashier = self.sign_in(login, terminal={"code": terminal, "secret": installed["secret"]})
        if cash is not None:
            assert cashier.post("/shifts", {"counted": cash}).status_code == 201
        return cashier

    @cached_property
    def desk(self) -> dict[str, Any]:
        """A registered desk."""
        assert self.certificate
        body = {"code": "K-1", "place": "Минск, пр. Победителей, 1", "certificate": "100-1", "cash_register": "SN-1"}
        answer = self.administrator.post("/desks", body)
        assert answer.status_code == 201, answer.json
        return dict(answer.json)

    @cached_property
    def treasury(self) -> bool:
        """1000.00 of the organizer's money in the bank, 500.00 of it on the special account."""
        with transaction(self.house.sessions) as session:
            opening.fund(session, self.house.operator)
        return True

    def move(self, act: str, amount: str, **named: Any) -> None:
        """The accountant moves the operator's money; cash of a desk is sent by one and received by another."""
        if act == "desk_float":
            self._carry("/desk-floats", self.accountant, self.supervisor, amount, named)
        elif act == "collection":
            self._carry("/collections", self.supervisor, self.accountant, amount, named)
        else:
            answer = self.accountant.post("/treasury-movements", {"act": act, "amount": amount})
            assert answer.status_code == 201, answer.json

    def _carry(self, path: str, sender: Member, receiver: Member, amount: str, named: dict[str, Any]) -> None:
        sent = sender.post(path, {"amount": amount, **named})
        assert sent.status_code == 201, sent.json
        received = receiver.post(f"{path}/{sent.json['number']}/reception", {"counted": amount})
        assert received.status_code == 201, received.json

    @cached_property
    def cashier(self) -> Member:
        """A cashier at a terminal of the desk, with an open shift on 100.00 of cash."""
        assert self.treasury
        sender, receiver = self.accountant.caller, self.supervisor.caller
        with transaction(self.house.sessions) as session:
            opening.give_change(session, self.house.operator, self.desk["id"], 100_00, sender, receiver)
        return self._at_the_terminal()

    def _at_the_terminal(self) -> Member:
        self.terminal = {"code": "T-1", "secret": "of the terminal of the desk of all tests"}
        told = (self.house.operator, self.desk["id"], self.terminal, 100_00, self._hirer)
        with transaction(self.house.sessions) as session:
            token, self.shift_id = opening.begin_shift(session, *told)
        return Member(self.client, token)

    def another_cashier(self, number: int) -> Member:
        """A cashier at a desk of the cashier's own, with an open shift on an empty till."""
        return self.cashier_at(self.register_desk(f"K-{number}"), f"T-{number}", f"cashier-{number}")

    def player(self, login: str, balance: str = "0.00") -> Member:
        """A registered player signed in, with this money on the game account."""
        # One registration a person: every login is somebody else's.
        person = {"surname": f"Игрок-{login}", "name": "Пробный", "birth_date": "1990-05-17"}
        body = {"login": login, "password": PASSWORD, **person}
        assert self.cashier.post("/players", body).status_code == 201
        if balance != "0.00":
            assert self.cashier.post("/deposits", {"player": login, "amount": balance}).status_code == 201
        answer = self.client.post("/api/v1/player-sessions", json={"login": login, "password": PASSWORD})
        return Member(self.client, answer.json["token"])

    def pool(self, code: str = "P1", **terms: Any) -> dict[str, Any]:
        """An open pool on a match of this day at 13:00, selling till 12:55; a term that is None is not told."""
        assert self.treasury
        event = {**EVENT, "code": f"E-{code}"}
        announced = self.organizer.post("/events", event)
        assert announced.status_code == 201, announced.json
        body = {**POOL, "code": code, "event_id": announced.json["id"], **terms}
        answer = self.organizer.post("/pools", {name: told for name, told in body.items() if told is not None})
        assert answer.status_code == 201, answer.json
        return dict(answer.json)

    def bet(self, member: Member, outcome: str, stake: str, pool: str = "P1", key: str | None = None) -> TestResponse:
        """Place a bet."""
        return member.post("/pool-bets", {"pool": pool, "outcome": outcome, "stake": stake}, key)

    def pay(self, code: str, member: Member | None = None, key: str | None = None, **told: Any) -> TestResponse:
        """Present a ticket's code for cash, scanned unless told otherwise, with a passport."""
        return (member or self.cashier).post("/payouts", self.presented(code, **told), key)

    def withdraw(self, login: str, amount: str, member: Member | None = None, **told: Any) -> TestResponse:
        """Have money of a game account paid in cash to the player, who shows a passport."""
        return (member or self.cashier).post("/account-payouts", {**identity(login), "amount": amount, **told})

    def propose_payout(self, code: str, member: Member | None = None, **told: Any) -> TestResponse:
        """Put the payout of a ticket before a second person."""
        body = {**self.presented(code, **told), "reason": "QR-код не читается"}
        return (member or self.cashier).post("/payout-proposals", body)

    def presented(self, code: str, **told: Any) -> dict[str, Any]:
        """A ticket's code with Pyotr Petrov's passport."""
        passport = {
            "kind": "паспорт",
            "number": "MP1234567",
            "issued_on": "2015-03-01",
            "issued_by": "РУВД",
        }
        person = {"surname": "Петров", "name": "Пётр", "document": passport}
        return {"code": code, "code_entry": "scanned", **person, **told}

    def determine(self, pool: dict[str, Any], *outcomes: str, at: str = "2022-11-22T16:00:00+03:00") -> None:
        """Close the pool and fix the result by two persons: at the given instant, after the match."""
        self.clock(at)
        assert self.organizer.post(f"/pools/{pool['code']}/closing").status_code == 201
        drawn_up = self.confirm(pool, self.enter(pool, *outcomes))
        assert drawn_up.status_code == 201, drawn_up.json

    def enter(self, pool: dict[str, Any], *outcomes: str, **told: Any) -> int:
        """The first organizer enters a result of the pool's event: the number of it. No outcomes: it was not held."""
        body = {"standing": "held" if outcomes else "not_held", "outcomes": list(outcomes), "source": "протокол матча"}
        entered = self.organizer.post(f"/events/{pool['event_id']}/results", {**body, **told})
        assert entered.status_code == 201, entered.json
        return int(entered.json["id"])

    def confirm(self, pool: dict[str, Any], result: int) -> TestResponse:
        """The second organizer confirms a result by a protocol."""
        protocol = {"result_id": result, "signatories": ["Первый член", "Второй член"]}
        return self.second_organizer.post(f"/events/{pool['event_id']}/protocols", protocol)

    def correct(self, pool: dict[str, Any], *outcomes: str, **told: Any) -> TestResponse:
        """Correct the protocol in force by two persons. No outcomes: the event was not held."""
        latest = self.organizer.get(f"/events/{pool['event_id']}/protocols").json["items"][0]["number"]
        return self.confirm(pool, self.enter(pool, *outcomes, corrects=latest, reason="clerical_error", **told))

    def settle_again(self, pool: dict[str, Any], *outcomes: str) -> dict[str, Any]:
        """Correct the protocol and settle by the new one: the pool's sheet."""
        corrected = self.correct(pool, *outcomes)
        assert corrected.status_code == 201, corrected.json
        settled = self.organizer.post(f"/pools/{pool['code']}/settlement")
        assert settled.status_code == 201, settled.json
        return dict(settled.json)

    def decide(self, pool: dict[str, Any], *outcomes: str, at: str = "2022-11-22T16:00:00+03:00") -> TestResponse:
        """Close the pool, fix the result and settle, all at the given instant."""
        self.determine(pool, *outcomes, at=at)
        return self.organizer.post(f"/pools/{pool['code']}/settlement")
