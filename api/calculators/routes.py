"""POST /api/v1/calculators/{name}: the same answer as the command gives."""

from __future__ import annotations

from typing import Any

from flask import Response, jsonify, request
from flask_smorest import Blueprint as SmorestBlueprint

from api.auth import anybody
from api.calculators.register import CALCULATORS, answer
from api.errors import problem
from api.requests import StrictParser
from ledger.refusals import Refusal

calculators = SmorestBlueprint(
    "calculators", __name__, url_prefix="/api/v1/calculators", description="Калькуляторы: сколько это даёт"
)
_parser = StrictParser()


@calculators.post("/<name>")
@calculators.doc(requestBody={"required": True, "content": {"application/json": {"schema": {"type": "object"}}}})
@calculators.response(200, {"type": "object"}, description="The answer, its fields by the calculator's table")
@anybody
def calculate(name: str) -> Response:
    """Answer one case; the body's ``calculator`` must equal the path's. A broken rule is a 422."""
    if name not in CALCULATORS:
        raise Refusal("not_found", "Такого калькулятора нет.")
    case: Any = _parser.load_json(request, {})
    if isinstance(case, dict) and case.get("calculator") != name:
        return _broken("wrong_calculator", "calculator", f"The path says {name}.", case.get("id"))
    given = answer(case)
    error = given.get("error")
    return _broken(error["code"], error["field"], error["message"], given.get("id")) if error else jsonify(given)


def _broken(code: str, field: str | None, message: str, case_id: object) -> Response:
    return problem("rule_broken", message, code=code, field=field, message=message, id=case_id)
