"""The calculators by HTTP and by command: the answers of plain Python, and no database anywhere near (CALCULATORS)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from api.application import create_app
from api.house import House
from office.operator import Operator
from tests.office import MINSK
from tests.tote.test_tote_calculator import case_files
from tote.calculator import calculate

ROOT = Path(__file__).parents[2]
CASE: dict[str, Any] = {
    "id": "a",
    "calculator": "tote",
    "currency": "BYN",
    "game": "totolot_variant",
    "bets": [{"outcome": "1", "stake": "10.00"}, {"outcome": "2", "stake": "10.00"}],
    "result": "1",
}


def nothing() -> Any:
    raise AssertionError("a calculator asks for no database and no keys")


@pytest.fixture(scope="module")
def app() -> Flask:
    """The application of a house that has neither database nor keys."""
    return create_app(House(Operator("ООО «Проба»", MINSK), nothing, nothing))


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """Somebody without a token."""
    return app.test_client()


def lines_of_cases() -> list[str]:
    """The cases of the project's own tables, a line each."""
    own = case_files()[0].read_text("utf-8").splitlines()
    return [json.dumps(json.loads(line)["case"], ensure_ascii=False) for line in own]


def test_over_http_the_answers_are_those_of_plain_python(client: FlaskClient) -> None:
    refused = 0
    for line in lines_of_cases():
        answer = client.post("/api/v1/calculators/tote", data=line, content_type="application/json")
        expected = calculate(json.loads(line))
        if "error" in expected:
            refused += 1
            assert answer.status_code == 422
            assert {name: answer.json[name] for name in expected["error"]} == expected["error"]
        else:
            assert (answer.status_code, answer.json) == (200, expected)
    assert refused < len(lines_of_cases())


def test_a_broken_rule_is_a_problem_with_code_field_message_and_id(client: FlaskClient) -> None:
    answer = client.post("/api/v1/calculators/tote", json={**CASE, "bets": [{"outcome": "1", "stake": "-1.00"}]})
    assert (answer.status_code, answer.content_type) == (422, "application/problem+json")
    told = answer.json
    assert (told["code"], told["field"], told["id"]) == ("not_plain_decimal", "bets[0].stake", "a")
    assert (told["status"], told["message"]) == (422, told["detail"]) and told["title"]


def test_the_path_and_the_body_name_the_same_calculator(client: FlaskClient) -> None:
    for named in ("spread", None, 7):
        answer = client.post("/api/v1/calculators/tote", json={**CASE, "calculator": named})
        assert (answer.status_code, answer.json["code"]) == (422, "wrong_calculator")
        assert (answer.json["field"], answer.json["id"]) == ("calculator", "a")
    unknown = client.post("/api/v1/calculators/horoscope", json={**CASE, "calculator": "horoscope"})
    assert (unknown.status_code, unknown.json["code"]) == (404, "not_found")


def test_what_is_no_case_is_told_so(client: FlaskClient) -> None:
    listed = client.post("/api/v1/calculators/tote", json=[CASE])
    assert (listed.status_code, listed.json["code"], listed.json["field"]) == (422, "not_an_object", None)
    for body in (b"{", b'{"id": 1, "id": 2}', b'{"id": 1e999}', rb'{"id": "\ud800"}', b"[" * 99_999):
        answer = client.post("/api/v1/calculators/tote", data=body, content_type="application/json")
        assert (answer.status_code, answer.json["code"]) == (400, "invalid_json")


def test_any_id_is_echoed(client: FlaskClient) -> None:
    for name in (None, 7, "ё", ["a"], {"b": [1]}, "😀", "\u0000"):
        assert client.post("/api/v1/calculators/tote", json={**CASE, "id": name}).json["id"] == name


def test_the_command_answers_the_same_lines_in_order(app: Flask, tmp_path: Path) -> None:
    lines = [line for line in lines_of_cases() if "error" not in calculate(json.loads(line))]
    file = tmp_path / "cases.jsonl"
    file.write_text("\n".join(lines) + "\n", "utf-8")
    done = app.test_cli_runner().invoke(args=["calculate", str(file)])
    assert (done.exit_code, done.stderr) == (0, "")
    assert [json.loads(line) for line in done.stdout.splitlines()] == [calculate(json.loads(line)) for line in lines]


def test_the_command_goes_on_behind_a_broken_line_and_exits_1(app: Flask) -> None:
    good, refused = json.dumps(CASE).encode(), json.dumps({**CASE, "id": "b", "currency": "USD"}).encode()
    no_json = [b"{", b'{"id": 1, "id": 2}', b'{"id": "\xff"}', b"[" * 99_999]
    lines = [good, b"", b"  \t", *no_json, b"[]", b"7", refused, good]
    # Windows ends of lines, and none at the last one.
    done = app.test_cli_runner().invoke(args=["calculate", "-"], input=b"\r\n".join(lines))
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    codes = [answer.get("error", {}).get("code") for answer in answers]
    assert codes == [None, *["invalid_json"] * 4, *["not_an_object"] * 2, "unsupported_currency", None]
    assert [answer.get("id") for answer in answers] == ["a", *[None] * 6, "b", "a"]
    assert (done.exit_code, done.stderr) == (1, "")


def test_an_unknown_calculator_is_an_answer_and_no_file_is_a_usage_error(app: Flask) -> None:
    runner = app.test_cli_runner()
    done = runner.invoke(args=["calculate", "-"], input='{"id": 5, "calculator": "horoscope"}\n')
    answer = json.loads(done.stdout)
    assert (done.exit_code, answer["id"], answer["error"]["code"]) == (1, 5, "unknown_calculator")
    assert answer["error"]["field"] == "calculator" and answer["error"]["message"]
    assert runner.invoke(args=["calculate", "-"], input="").exit_code == 0
    assert runner.invoke(args=["calculate", "no-such-file.jsonl"]).exit_code == 2


def test_the_installed_command_needs_neither_database_nor_keys_nor_a_locale() -> None:
    """In production without addresses and keys, where nothing but ASCII is expected on the streams."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("DATABASE_", "CODE_", "DATA_"))}
    done = subprocess.run(
        [sys.executable, "-m", "flask", "--app", "wsgi", "calculate", "-"],
        input=json.dumps({**CASE, "id": "Ёлка"}, ensure_ascii=False).encode() + b"\n{\n",
        capture_output=True,
        cwd=ROOT,
        env={**plain, "APP_ENV": "production", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"},
        timeout=60,
        check=False,
    )
    answers = [json.loads(line) for line in done.stdout.decode("utf-8").splitlines()]
    assert answers[0] == calculate({**CASE, "id": "Ёлка"})
    assert answers[1]["error"]["code"] == "invalid_json"
    assert (done.returncode, done.stderr) == (1, b"")
