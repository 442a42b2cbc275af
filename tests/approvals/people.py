"""Tickets ready to be paid, and second persons to decide on them."""

from __future__ import annotations

from typing import Any

from sqlalchemy import text
from werkzeug.test import TestResponse

from db.session import transaction
from tests.office import MATCH_DAY, Member, Office

NEXT_DAY = "2022-11-23T10:00:00+03:00"


def winner(office: Office, stake: str, beside: str, pool: str = "P1", **terms: Any) -> dict[str, Any]:
    """A cash ticket with this stake on the true outcome and another stake beside it; payable from the next day on.

    The fund is 60 % of both stakes, rounded up to the kopeck (D-3), and all of it this ticket's.
    """
    office.clock(MATCH_DAY)
    announced = office.pool(pool, **terms)
    ticket = office.bet(office.cashier, "1", stake, pool).json
    assert office.bet(office.cashier, "2", beside, pool).status_code == 201
    assert office.decide(announced, "1").status_code == 201
    office.clock(NEXT_DAY)
    return dict(ticket)


def proposed(office: Office, ticket: dict[str, Any], **told: Any) -> int:
    """The cashier proposes the payout of a ticket; the proposal's number."""
    answer = office.propose_payout(ticket["code"], **told)
    assert answer.status_code == 201, answer.json
    return int(answer.json["id"])


def decided(member: Member, approval: int, decision: str = "approved", **told: Any) -> TestResponse:
    """Somebody's word on a proposal."""
    return member.post(f"/approvals/{approval}/decision", {"decision": decision, **told})


def code_of(answer: TestResponse) -> tuple[int, str | None]:
    """The status of an answer and the code of its refusal."""
    return answer.status_code, answer.json.get("code") if answer.status_code >= 400 else None


def change_user(office: Office, login: str, change: str) -> None:
    """Block a login, or give it another role, behind its session's back."""
    with transaction(office.owner) as session:
        session.execute(text(f"UPDATE users SET {change} WHERE login = :login"), {"login": login})
