"""Lines of the log as whoever collects them reads them."""

from __future__ import annotations

import json
from typing import Any


def lines_of(written: str) -> list[dict[str, Any]]:
    """Every line; each must be JSON with its time, its level and what happened."""
    lines = [json.loads(line) for line in written.splitlines()]
    assert all({"time", "level", "event"} <= line.keys() for line in lines), written
    return lines


def requests_in(written: str) -> list[dict[str, Any]]:
    """The lines that tell of a request."""
    return [line for line in lines_of(written) if line["event"] == "request"]
