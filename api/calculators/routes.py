"""POST /api/v1/calculators/{name}: the same answer as the command gives."""

from __future__ import annotations

from typing import Any

from flask import Response, jsonify, request
from marshmallow import INCLUDE, fields

from api.auth import anybody
from api.calculators.register import CALCULATORS, answer
from api.errors import CONTENT_TYPE, PROBLEMS, problem
from api.fields import Schema
from api.requests import Blueprint, taking
from ledger.refusals import Refusal

calculators = Blueprint(
    "calculators", __name__, url_prefix="/api/v1/calculators", description="Калькуляторы: сколько это даёт"
)


class CalculatorProblem(Schema):
    """A problem whose ``code`` is the broken rule's, of the calculator's own table (CALCULATORS)."""

    class Meta:
        """Any problem of the web layer may stand here as well, with its members."""

        unknown = INCLUDE

    type = fields.String(required=True, metadata={"example": "about:blank"})
    title = fields.String(required=True, metadata={"example": PROBLEMS["rule_broken"][1]})
    status = fields.Integer(required=True, metadata={"example": 422})
    code = fields.String(required=True, metadata={"example": "not_plain_decimal"})
    detail = fields.String(required=True, metadata={"example": "Expected plain digits such as 12.50, not '-1.00'."})
    message = fields.String(metadata={"example": "Expected plain digits such as 12.50, not '-1.00'."})
    field = fields.String(allow_none=True, metadata={"example": "bets[0].stake"})


NAMES = {"type": "string", "enum": sorted(CALCULATORS)}
CASE_FORM = {
    "type": "object",
    "description": "Further fields by the calculator's table.",
    "properties": {"calculator": NAMES},
    "required": ["calculator"],
}
CASE = {
    "calculator": "tote",
    "id": "three-share-a-fund",
    "currency": "BYN",
    "game": "totolot_variant",
    "bets": [{"outcome": "1", "stake": "10.00"}, {"outcome": "2", "stake": "20.00"}],
    "result": "1",
}


@calculators.post("/<name>", parameters=[{"in": "path", "name": "name", "schema": NAMES}])
@calculators.doc(
    requestBody={"required": True, "content": {"application/json": {"schema": CASE_FORM, "example": CASE}}}
)
@calculators.response(
    200, {"type": "object"}, description="The answer, its fields by the calculator's table", example=answer(CASE)
)
@calculators.alt_response(422, schema=CalculatorProblem, content_type=CONTENT_TYPE)
@taking("json")
@anybody
def calculate(name: str) -> Response:
    """Answer one case; the body's ``calculator`` must equal the path's. A broken rule is a 422."""
    if name not in CALCULATORS:
        raise Refusal("not_found", "Такого калькулятора нет.")
    case: Any = calculators.ARGUMENTS_PARSER.load_json(request, Schema())
    if isinstance(case, dict) and case.get("calculator") != name:
        return _broken("wrong_calculator", "calculator", f"The path says {name}.", case.get("id"))
    given = answer(case)
    error = given.get("error")
    return _broken(error["code"], error["field"], error["message"], given.get("id")) if error else jsonify(given)


def _broken(code: str, field: str | None, message: str, case_id: object) -> Response:
    return problem("rule_broken", message, code=code, field=field, message=message, id=case_id)
