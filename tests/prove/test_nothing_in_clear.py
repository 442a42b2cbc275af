"""A day of known names, documents, passwords, tokens and codes; then the dump and all logs are searched for each.

None stands there in clear (D-16, FIELD-FAULTS 117). What is meant to be read is on a written list, and is found: the
names of those who work in the office, and of the commission that signs a protocol (docs/decisions/0020).
"""

from __future__ import annotations

import base64
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from sqlalchemy import text

from db.binaries import run_tool
from db.embedded import EmbeddedServer
from db.session import transaction
from tests.databases import create_database, drop_database
from tests.office import KEYS, PASSWORD, Office
from tests.prove.clear_text import found_in, writings
from tests.prove.served import NEXT_DAY, Served
from tests.prove.workers import ROOT, Line, Workers, clients_of

pytestmark = pytest.mark.prove

NAMES = ["Звездочётова", "Аполлинария", "Вольфганговна", "Переплётчиков", "Добрыня", "Крыжановский", "Модест"]
DOCUMENTS = ["MP7391846", "HB5028173", "KB6640925"]
CONTACTS = ["+375297418365", "375297418365", "apollinaria@zvezda.example", "1987-03-29", "29.03.1987"]
ISSUED_BY = ["Кобринский РОВД"]
PLAYER_PASSWORD = "лунная соната 14 до-диез"
WRONG_PASSWORD = "неверный, но чужой пароль"
ENTITY = ["Мыловаренный завод", "190847362"]
PUBLIC = ["Второй член", "Administrator"]
"""What may be read by everybody who reads the books: who works here, who signed."""

ANNA = {
    "surname": NAMES[0],
    "name": NAMES[1],
    "patronymic": NAMES[2],
    "birth_date": "1987-03-29",
    "phone": "+375 29 741-83-65",
    "email": "Apollinaria@zvezda.example",
}


def document(number: str) -> dict[str, str]:
    """An identity document."""
    return {"kind": "паспорт", "number": number, "issued_on": "2015-03-01", "issued_by": ISSUED_BY[0]}


class Day:
    """What was lived through, and every secret that was used in it."""

    def __init__(self, served: Served, log: Path) -> None:
        self.served, self.log = served, log
        keys = [*KEYS.data_keys, base64.b64encode(KEYS.code_hmac)]
        self.secrets = [*NAMES, *DOCUMENTS, *CONTACTS, *ISSUED_BY, *ENTITY, PASSWORD, PLAYER_PASSWORD, WRONG_PASSWORD]
        self.secrets += [key.decode() for key in keys]

    def keep(self, answer: Any, status: int, *secret: str) -> Any:
        """An answer of this status; what it holds under these names is secret."""
        assert answer.status_code == status, answer.text
        self.secrets += [answer.json()[name] for name in secret]
        return answer.json()

    def dump(self) -> bytes:
        """The whole database as plain SQL."""
        return bytes(run_tool("pg_dump", "--format=plain", url=self.served.office.urls.owner).stdout)

    def logs(self) -> bytes:
        """What workers, gunicorn, the task worker and the commands wrote."""
        return self.log.read_bytes()

    def command(self, *words: str, seconds: float | None = None) -> int:
        """A command of the operator's; one that does not end by itself is ended after so many seconds."""
        environment = {**os.environ, **self.served.office.urls.environment(), **KEYS.environment()}
        with self.log.open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "flask", "--app", "wsgi", *words],
                cwd=ROOT,
                env=environment,
                stdout=log,
                stderr=log,
            )
            if seconds is not None:
                time.sleep(seconds)
                process.send_signal(signal.SIGTERM)
            return process.wait(timeout=60)


@pytest.fixture(scope="module")
def day(server: EmbeddedServer, migrated_template: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Day]:
    """The day, on real workers with their access log on."""
    log = tmp_path_factory.mktemp("clear") / "log"
    urls = create_database(server, template=migrated_template)
    office = Office(urls)
    options = ("--log-level", "debug")
    try:
        with Workers(urls, log, processes=2, options=options) as workers, clients_of(workers) as clients:
            lived = Day(Served(office, workers, clients), log)
            live(lived)
            yield lived
    finally:
        office.close()
        drop_database(urls)


def live(day: Day) -> None:
    """Everything in which a person, a secret or a code is told."""
    served, office = day.served, day.served.office
    cashier = served.cashier
    day.secrets.append(office.terminal["secret"])
    _register(day, cashier)
    won = _sell_and_settle(day, cashier)
    _pay(day, cashier, won)
    _look(day)
    _go_wrong(day, cashier)
    for member in (office.administrator, office.organizer, office.cashier, office.accountant, office.supervisor):
        day.secrets.append(member.token)
    assert day.command("rotate-keys") == day.command("retention") == day.command("audit") == 0
    assert day.command("seal") == 0
    day.command("worker", seconds=8)


def _register(day: Day, cashier: Line) -> None:
    player = {"login": "anna", "password": PLAYER_PASSWORD, **ANNA, "document": document(DOCUMENTS[0])}
    day.keep(cashier.post("/players", player), 201)
    representative = {"surname": NAMES[3], "name": NAMES[4], "document": document(DOCUMENTS[1])}
    entity = {"title": ENTITY[0], "registration_number": ENTITY[1], "representative": representative}
    day.keep(cashier.post("/players", {"login": "zavod", "password": PLAYER_PASSWORD, "legal_entity": entity}), 201)
    day.keep(cashier.post("/deposits", {"player": "anna", "amount": "20.00"}), 201)
    day.keep(cashier.post("/player-sessions", {"login": "anna", "password": PLAYER_PASSWORD}), 201, "token")


def _sell_and_settle(day: Day, cashier: Line) -> str:
    served = day.served
    pool = served.pool()
    player = Line(served._clients, day.secrets[-1])
    day.keep(player.bet("1", "5.00", pool["code"]), 201, "code")
    day.keep(cashier.bet("2", "5.00", pool["code"]), 201, "code")
    won = day.keep(cashier.bet("1", "5.00", pool["code"], key="the-same-key"), 201, "code")["code"]
    assert day.keep(cashier.bet("1", "5.00", pool["code"], key="the-same-key"), 201)["code"] == won
    day.keep(served.organizer.post(f"/pools/{pool['code']}/closing"), 201)
    served.protocol(pool, "1")
    day.keep(served.organizer.post(f"/pools/{pool['code']}/settlement"), 201)
    return str(won)


def _pay(day: Day, cashier: Line, code: str) -> None:
    told = {
        "code": code,
        "code_entry": "scanned",
        "surname": NAMES[5],
        "name": NAMES[6],
        "document": document(DOCUMENTS[2]),
    }
    day.keep(cashier.post("/payouts", told, key="too-early-a-payout"), 409)
    day.served.office.clock(NEXT_DAY)
    day.keep(cashier.post("/payouts", told), 201)
    day.keep(cashier.post("/payouts", told), 409)


def _look(day: Day) -> None:
    line, office = day.served.line, day.served.office
    supervisor = line(office.supervisor)
    hits = day.keep(supervisor.post("/persons/searches", {"words": f"{NAMES[1]} {NAMES[0]}"}), 200)["items"]
    seen = day.keep(supervisor.post(f"/persons/{hits[0]['person_id']}/views", {"reason": "заявление"}), 201)
    assert seen["details"]["surname"] == NAMES[0]
    printed = day.keep(line(office.accountant).post("/payouts/views", {"reason": "журнал"}), 201)["items"]
    assert printed[0]["person"] == f"{NAMES[5]} {NAMES[6]}"
    day.keep(supervisor.get("/payouts"), 200)


def _go_wrong(day: Day, cashier: Line) -> None:
    """FIELD-FAULTS 117: a failed validation, a query in an address, a wrong password, a fault of the program."""
    wrong = {"code": "x", "surname": NAMES[5], "name": "", "document": document(DOCUMENTS[2])}
    day.keep(cashier.post("/payouts", wrong), 422)
    day.keep(cashier.get("/tickets/2", document=DOCUMENTS[0], surname=NAMES[0]), 422)
    day.keep(cashier.get(f"/{quote('persons')}", document=DOCUMENTS[0]), 404)
    day.keep(cashier.post("/sessions", {"login": "cashier", "password": WRONG_PASSWORD}), 401)
    supervisor, owner = day.served.line(day.served.office.supervisor), day.served.office.owner
    cut = text("UPDATE person_versions SET ciphertext = set_byte(ciphertext, 20, get_byte(ciphertext, 20) # 1)")
    for status in (500, 200):
        with transaction(owner) as session:
            session.execute(cut)
        day.keep(supervisor.get("/persons/1"), status)


def test_no_secret_stands_in_the_dump(day: Day) -> None:
    dump = day.dump()
    assert b"person_versions" in dump and len(day.secrets) >= 30
    assert found_in(dump, day.secrets) == []


def test_no_secret_stands_in_any_log(day: Day) -> None:
    logs = day.logs()
    assert logs.count(b"/api/v1/") > 20, "the access log is on"
    assert b"unexpected_error" in logs and b"Traceback" in logs, "a fault of the program was logged"
    assert found_in(logs, day.secrets) == []


def test_what_may_be_read_is_read(day: Day) -> None:
    """Else the list of what is public would say more than the program does."""
    assert {name for name, _ in found_in(day.dump(), PUBLIC)} == set(PUBLIC)


PLANTED: dict[str, Callable[[str], str]] = {
    "Засеянное-ё-в-открытую": str,
    "Засеянное-ё-прописными": str.upper,
    "Засеянное-ё-через-е": lambda secret: secret.replace("ё", "е"),
    "Засеянное-ё-в-джейсоне": json.dumps,
    "Засеянное-ё-цифрами": lambda secret: f"x{secret.encode().hex()}",
    "Засеянное-ё-первым": lambda secret: base64.b64encode(secret.encode()).decode(),
    "Засеянное-ё-вторым": lambda secret: base64.b64encode(b"." + secret.encode()).decode(),
    "Засеянное-ё-третьим": lambda secret: base64.b64encode(b".." + secret.encode()).decode(),
    "Засеянное-ё-в-адресе": lambda secret: f"/persons?surname={quote(secret)}",
}
"""Secrets, and how each is put into the database."""


def test_planted_secrets_are_found_in_a_dump(day: Day) -> None:
    """The searcher is worth something: what stands there in any writing, it finds; and nothing that does not."""
    assert found_in(day.dump(), PLANTED) == []
    with transaction(day.served.office.owner) as session:
        for secret, written in PLANTED.items():
            row = {"said": written(secret)}
            session.execute(text("INSERT INTO clock_shifts (shift, reason) VALUES ('0', :said)"), row)
    assert {secret for secret, _ in found_in(day.dump(), PLANTED)} == PLANTED.keys()


def test_a_planted_secret_is_found_in_bytes() -> None:
    """A bytea stands in a dump as hexadecimal digits of its octets."""
    for _, form in writings("Контрольнозасеянная-ё"):
        assert found_in(b"before" + form + b"behind", ["Контрольнозасеянная-ё"]) != []
    assert found_in("Контрольная, засеянная".encode(), ["Контрольнозасеянная-ё"]) == []
