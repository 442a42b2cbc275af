"""A day of known names, documents, passwords, tokens and codes; then the dump and all logs are searched for each.

None stands there in clear (D-16, FIELD-FAULTS 117), nor in what goes out. What is meant to be read is on a written
list, and is found: the names of those who work in the office, and of the commission that signs a protocol
(docs/decisions/0020).
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from urllib.parse import quote

import pytest
from sqlalchemy import text

from db.embedded import EmbeddedServer
from db.session import transaction
from tests.databases import copy_database, drop_database
from tests.prove.clear_text import found_in, writings
from tests.prove.day_of_secrets import PERSONAL, live
from tests.prove.overheard import WEBHOOK_SECRET, AskedOffice, Day
from tests.prove.served import Served
from tests.prove.workers import Workers, clients_of
from tests.significant.hooked import signed_by
from tests.significant.receiver import Receiver, receiving

pytestmark = pytest.mark.prove

PUBLIC = ["Второй член", "Administrator"]
"""What may be read by everybody who reads the books: who works here, who signed."""


@pytest.fixture(scope="module")
def day(server: EmbeddedServer, migrated_template: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Day]:
    """The day, on real workers with their access log on; the receiver of alarms fails once."""
    log = tmp_path_factory.mktemp("clear") / "log"
    urls = copy_database(server, migrated_template)
    office = AskedOffice(urls)
    options = ("--log-level", "debug")
    try:
        with (
            receiving(Receiver(answers=[500])) as receiver,
            Workers(urls, log, processes=2, options=options) as workers,
            clients_of(workers) as clients,
        ):
            lived = Day(Served(office, workers, clients), clients, log, receiver)
            live(lived)
            yield lived
    finally:
        office.close()
        drop_database(urls)


def test_every_secret_that_was_given_is_searched_for(day: Day) -> None:
    """The database's own count of them: tokens and tickets, a terminal's secret and its next; passwords of the day."""
    heard, fact = day.overheard.by_name, day.served.fact
    assert len(heard["token"]) == fact("SELECT count(*) FROM access_tokens") >= 11
    assert len(heard["code"]) == fact("SELECT count(*) FROM tickets") == 7
    assert len(heard["secret"]) == 2
    # The house's own, the player's, a wrong one, two new ones, two for one time.
    assert len(heard["password"] | heard["old_password"]) == 7
    assert set(PERSONAL) < set(day.secrets)


def test_no_secret_stands_in_the_dump(day: Day) -> None:
    dump = day.dump()
    assert b"person_versions" in dump
    assert found_in(dump, day.secrets) == []


def test_no_secret_stands_in_any_log(day: Day) -> None:
    logs = day.logs()
    assert logs.count(b"/api/v1/") > 20, "the access log is on"
    assert b"unexpected_error" in logs and b"Traceback" in logs, "a fault of the program was logged"
    assert b"task_worker_ready" in logs and b"audit_books" in logs, "the task worker's log is among them"
    assert found_in(logs, day.secrets) == []


def test_no_secret_goes_out_with_alarms_exports_and_figures(day: Day) -> None:
    assert b"protocol_corrected" in day.exported and b"requests_total" in day.exported
    assert found_in(day.exported, day.secrets) == []
    assert len({headers["webhook-id"] for headers, _ in day.receiver.came}) >= 2, "a correction and a hold"
    for headers, body in day.receiver.came:
        assert signed_by(headers, body, WEBHOOK_SECRET)
        assert found_in(body + json.dumps(headers).encode(), day.secrets) == []


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
