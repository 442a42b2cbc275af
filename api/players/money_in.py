"""Money players sent by bank, and the deposits of all means."""

from __future__ import annotations

from functools import partial
from operator import attrgetter
from typing import Any

from api.answers import refuses
from api.auth import allowed
from api.fields import IdempotencyKey
from api.house import caller, house, session
from api.idempotency import REPLAYED, RepeatedRefusal
from api.pages import page_of
from api.players.blueprint import OFFICE, players
from api.players.money_schemas import DepositPage, DepositQuery, DepositShown, NewBankDeposit
from api.requests import keyed
from ledger.refusals import Refusal
from office.callers import Role
from players.bank_deposits import Notice, credit, deposits, note_difference
from players.game_accounts import Deposit


@players.post("/bank-deposits")
@players.doc(operationId="credit_bank_deposit")
@players.arguments(IdempotencyKey, location="headers")
@players.arguments(NewBankDeposit)
@players.response(201, DepositShown)
@allowed(Role.ACCOUNTANT)
@refuses("not_found", "player_blocked", "self_excluded", "payment_differs")
def take_notice(headers: dict[str, Any], told: dict[str, Any]) -> Any:
    """Put a payment the bank tells of onto a game account: once, however often and under whatever key it is told.

    The same payment for another player or of another amount is refused and raises an alarm.
    """
    notice = Notice(told["provider"], told["payment_id"], told["player"], told["amount"])
    made: list[int] = []

    def act() -> int:
        deposit, new = credit(session(), house().operator, notice, caller())
        made.extend([deposit.id] if new else [])
        return deposit.id

    try:
        number, replay = keyed(headers["key"], told, act)
    except Refusal as refusal:
        if refusal.code == "payment_differs" and not isinstance(refusal, RepeatedRefusal):
            note_difference(session(), notice, caller())
            session().commit()
        raise
    return session().get_one(Deposit, number), replay if number in made else REPLAYED


@players.get("/deposits")
@players.arguments(DepositQuery, location="query")
@players.response(200, DepositPage)
@allowed(*OFFICE)
def list_deposits(asked: dict[str, Any]) -> dict[str, Any]:
    """What was put onto game accounts and by which means it came, the latest first."""
    read = partial(deposits, session(), player_id=asked.get("player_id"), means=asked.get("means"))
    found, following = page_of(asked, read, attrgetter("id"))
    return {"items": found, "next_cursor": following}
