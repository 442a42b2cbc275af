"""The calculators by command: one case a line in, one answer a line out, without a database (CALCULATORS)."""

from __future__ import annotations

import json
import sys
from typing import Any, BinaryIO

import click

from api import strict_json
from api.calculators.register import answer


@click.command()
@click.argument("cases", type=click.File("rb"))
@click.pass_context
def calculate(context: click.Context, cases: BinaryIO) -> None:
    """Answer the cases of a JSON-lines file, in order; - reads standard input. Exits 1 when a case broke a rule."""
    broken = False
    write = sys.stdout.buffer.write
    for line in cases:
        if line.isspace():
            continue
        given = _answer(line)
        broken = broken or "error" in given
        write(json.dumps(given, ensure_ascii=False).encode("utf-8") + b"\n")
    context.exit(1 if broken else 0)


def _answer(line: bytes) -> dict[str, Any]:
    try:
        case = strict_json.read(line)
    except ValueError as error:
        return {"error": {"code": "invalid_json", "field": None, "message": f"Строка не читается: {error}."}}
    return answer(case)
