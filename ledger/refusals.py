"""A refusal: the trade says no, and says why in a way a cashier can act on."""

from __future__ import annotations


class Refusal(Exception):  # noqa: N818 - a refusal is an answer, not an error of the program
    """An expected no. ``code`` is stable and stands in the one table of ``api/errors.py``.

    ``facts`` go to the answer beside the code (``stake_over_maximum`` names the maximum). They hold money as strings
    and never a ticket's code or personal data.
    """

    def __init__(self, code: str, detail: str, **facts: object) -> None:
        super().__init__(code, detail, facts)
        self.code = code
        self.detail = detail
        self.facts = facts

    def __str__(self) -> str:
        return f"{self.code}: {self.detail}"
