"""A Python client generated from the API's description, and with it a bet on real workers: nothing else is known."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from datetime import datetime
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx
import pytest

from tests.office import EVENT, PASSWORD, POOL
from tests.prove.served import Served

pytestmark = pytest.mark.prove
NAME = "totalizator_client"
SETTINGS = """
post_hooks: []
content_type_overrides:
  application/pdf: application/octet-stream
  application/vnd.openxmlformats-officedocument.spreadsheetml.sheet: application/octet-stream
"""
"""Nothing is formatted; kinds of files the generator has not heard of are files."""


class Generated:
    """The generated package, and whoever calls through it."""

    def __init__(self, url: str, token: str | None = None) -> None:
        client = import_module(f"{NAME}.client")
        self._url = url
        self._client = client.AuthenticatedClient(url, token) if token else client.Client(url)

    def signed_in(self, token: str) -> Generated:
        """The same client with a token."""
        return Generated(self._url, token)

    def call(self, operation: str, **told: Any) -> Any:
        """What an operation, named by tag and operationId, answers: status, headers, and the parsed body."""
        called: Callable[..., Any] = import_module(f"{NAME}.api.{operation}").sync_detailed
        return called(client=self._client, **told)


def models() -> ModuleType:
    """The generated classes of what is sent and shown."""
    return import_module(f"{NAME}.models")


@pytest.fixture(scope="module")
def generation(house_of_file: Served, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder that the generated package lies in, and what the generator said."""
    folder = tmp_path_factory.mktemp("generated")
    url = house_of_file.workers.url
    (folder / "openapi.json").write_text(httpx.get(f"{url}/api/openapi.json").text, "utf-8")
    (folder / "config.yml").write_text(SETTINGS, "utf-8")
    command = [str(Path(sys.executable).with_name("openapi-python-client")), "generate", "--meta", "none"]
    command += ["--path", "openapi.json", "--config", "config.yml", "--output-path", NAME]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return folder, ran.stdout + ran.stderr


@pytest.fixture
def client(served: Served, generation: tuple[Path, str], monkeypatch: pytest.MonkeyPatch) -> Generated:
    """The generated client of the served house, without a token."""
    monkeypatch.syspath_prepend(str(generation[0]))
    return Generated(served.workers.url)


def test_the_generator_has_nothing_to_complain_of(generation: tuple[Path, str]) -> None:
    folder, said = generation
    assert "warning" not in said.lower() and "skipping" not in said.lower(), said
    described = json.loads((folder / "openapi.json").read_text("utf-8"))["paths"].values()
    operations = {operation["operationId"] for acts in described for operation in acts.values() if "tags" in operation}
    made = {file.stem for file in (folder / NAME / "api").glob("*/*.py")} - {"__init__"}
    assert made == operations


def test_a_bet_from_announcement_to_ticket_by_the_generated_client(served: Served, client: Generated) -> None:
    """Signs in, announces event and pool, bets twice with one key, reads the ticket: one bet of 10.00."""
    assert served.office.treasury and served.office.organizer
    login = served.player("25.00").get("/players/me").json()["login"]
    shown = models()

    signed = client.call("sessions.start_session", body=shown.SignIn(login="organizer", password=PASSWORD))
    organizer = client.signed_in(signed.parsed.token)
    event = organizer.call("events.announce_event", body=shown.NewEvent.from_dict({**EVENT, "code": "E-CLIENT"}))
    terms = {**POOL, "code": "P-CLIENT", "event_id": event.parsed.id}
    pool = organizer.call("tote.announce_pool", body=shown.NewPool.from_dict(terms)).parsed
    signed = client.call("sessions.start_player_session", body=shown.PlayerSignIn(login=login, password=PASSWORD))
    player = client.signed_in(signed.parsed.token)
    bet = shown.NewBet(pool=pool.code, outcome="1", stake="10.00")
    first, again = (player.call("tote.place_bet", body=bet, idempotency_key="client-key-0001") for _ in range(2))
    read = player.call("tote.show_ticket", number=first.parsed.number).parsed

    assert isinstance(pool, shown.PoolShown) and pool.status is shown.PoolShownStatus.OPEN
    assert pool.closes_at == datetime.fromisoformat(POOL["closes_at"])
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.parsed == first.parsed
    assert ("Idempotency-Replayed" in first.headers, again.headers["Idempotency-Replayed"]) == (False, "true")
    assert (read.number, read.stake, read.status) == (first.parsed.number, "10.00", shown.TicketShownStatus.ACCEPTED)
    assert first.parsed.code_masked.endswith(first.parsed.code[-4:])
    assert player.call("players.show_own_page").parsed.balance == "15.00"
    assert served.bets_of("P-CLIENT") == (1, 10_00)


def test_a_refusal_is_a_typed_problem_of_the_generated_client(served: Served, client: Generated) -> None:
    """The code is one of the enumeration, and what the refusal names beside it is at hand."""
    pool = served.pool()["code"]
    token = served.player("25.00").headers["Authorization"].partition(" ")[2]
    player, shown = client.signed_in(token), models()

    def refused(stake: str, at: str = pool) -> Any:
        bet = shown.NewBet(pool=at, outcome="1", stake=stake)
        return player.call("tote.place_bet", body=bet, idempotency_key=f"refused-{at}-{len(stake)}").parsed

    over, poor, unknown, wrong = refused("10000.01"), refused("25.01"), refused("1.00", "P-NONE"), refused("1,00")

    assert all(isinstance(problem, shown.Problem) for problem in (over, poor, unknown, wrong))
    codes = shown.ProblemCode
    assert (over.status, over.code, over["maximum"]) == (422, codes.STAKE_OVER_MAXIMUM, "10000.00")
    assert (poor.status, poor.code) == (409, codes.INSUFFICIENT_FUNDS)
    assert (unknown.status, unknown.code) == (404, codes.UNKNOWN_POOL)
    assert (wrong.code, wrong.errors["json"]) == (
        codes.VALIDATION_FAILED,
        {"stake": ["Нужны цифры с точкой, например 12.50."]},
    )
    assert Generated(served.workers.url, "no-token").call("players.show_own_page").parsed.code is codes.UNAUTHENTICATED
