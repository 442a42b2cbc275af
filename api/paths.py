"""What a path may hold: numbers of rows, codes, keys. Anything else is no path of ours, so it is 404 before a query."""

from __future__ import annotations

from typing import Any

from werkzeug.routing import BaseConverter, IntegerConverter, Map

CODE = r"[\w\-+:][\w.\-+:]{0,39}"
"""A code of a pool, outcome, desk or event. No slash and no dot in front: it stands in paths, which clients resolve."""
KEY = r"[A-Za-z0-9._~:@+=\-]{8,128}"
"""An idempotency key: UUIDs, ULIDs, a terminal's own numbering; signs that stand in a path as they are."""


class RowNumber(IntegerConverter):
    """The number of a row: what a BIGINT identity can be, up to eighteen digits.

    The pattern says it all: a number that only its conversion refused would be told as another method's (405).
    """

    regex = r"[1-9][0-9]{0,17}"

    def __init__(self, url_map: Map) -> None:
        super().__init__(url_map, min=1, max=10**18 - 1)

    def described(self) -> dict[str, Any]:
        """How the API's description tells it."""
        return {"type": "integer", "minimum": self.min, "maximum": self.max}


class Pattern(BaseConverter):
    """Text that fits a pattern as a whole."""

    def described(self) -> dict[str, Any]:
        """How the API's description tells it."""
        return {"type": "string", "pattern": f"^{self.regex}$"}


class Code(Pattern):
    """A code as it was announced."""

    regex = CODE


class Key(Pattern):
    """An idempotency key as it was sent."""

    regex = KEY


CONVERTERS: dict[str, type[RowNumber | Pattern]] = {"int": RowNumber, "code": Code, "key": Key}
