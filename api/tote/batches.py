"""A batch of bets: a terminal's queue or a day's coupons, each line a bet under a key of its own (DESIGN 4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flask import current_app
from marshmallow import ValidationError

from api.answers import refuses
from api.auth import allowed
from api.errors import UNAVAILABLE, invalid
from api.house import caller, house, session
from api.idempotency import REPLAYED, find, once
from api.requests import Blueprint, meant
from api.tote.bet_schemas import BatchShown, NewBatch
from api.tote.routes import BET_REFUSALS, shown_as_issued
from api.watch.figures import count_bet
from office.callers import Role
from tote.receipts import Receipt, issued
from tote.repeats import note_repeat
from tote.sales import Order, place

batches = Blueprint("batches", __name__, url_prefix="/api/v1", description="Пакеты ставок")
BET = "POST /api/v1/pool-bets"
"""A line's key means a bet at this route: sent alone under the same key it would be the same bet."""


@dataclass(frozen=True)
class Outcome:
    """What became of a line: the number of its ticket, or the problem a single bet would have been answered with."""

    key: str | None
    ticket: int | None = None
    problem: dict[str, Any] | None = None
    replayed: bool = False


@batches.post("/pool-bet-batches")
@batches.arguments(NewBatch)
@batches.response(200, BatchShown)
@allowed(Role.CASHIER, Role.PLAYER)
@refuses(*BET_REFUSALS)
def place_batch(told: dict[str, Any]) -> dict[str, Any]:
    """Place up to 500 bets, each decided and committed by itself under its own key, in their order.

    A line that is refused undoes no other. Whoever lost the answer, whole or in part, sends the batch again: lines
    that were decided are answered as before, the rest is carried out.
    """
    outcomes = [_decide(line) for line in told["lines"]]
    tickets = issued(session(), [outcome.ticket for outcome in outcomes if outcome.ticket is not None])
    return {"lines": [_shown(outcome, tickets) for outcome in outcomes]}


def _decide(line: Mapping[str, Any] | ValidationError) -> Outcome:
    """Place one line's bet; whatever a single bet would be answered with is the line's outcome.

    Only when the database is away nobody knows how it stands with the lines to come, so the whole batch is told so.
    """
    if isinstance(line, ValidationError):
        read = line.valid_data if isinstance(line.valid_data, dict) else {}
        return _refused(read.get("key"), invalid("json", line.messages))
    bet = {name: line[name] for name in ("pool", "outcome", "stake")}
    wanted = meant(BET, line["key"], bet)
    try:
        number, replayed = count_bet(
            lambda: house().catalogue.game_of(bet["pool"]),
            lambda: once(
                session(),
                wanted,
                lambda: place(session(), house().counter, Order(**bet), caller()),
                known=find(session(), wanted.scope, wanted.key),
            ),
        )
    except UNAVAILABLE:
        raise
    except Exception as error:
        session().rollback()
        return _refused(line["key"], error)
    if replayed:
        note_repeat(session(), number, caller())
    return Outcome(line["key"], ticket=number, replayed=replayed)


def _refused(key: str | None, error: Exception) -> Outcome:
    answer: Any = current_app.handle_user_exception(error)
    replayed = REPLAYED.items() <= dict(answer.headers).items()
    return Outcome(key, problem=answer.get_json(force=True), replayed=replayed)


def _shown(outcome: Outcome, tickets: Mapping[int, Receipt]) -> dict[str, Any]:
    ticket = None if outcome.ticket is None else shown_as_issued(tickets[outcome.ticket])
    return {"key": outcome.key, "replayed": outcome.replayed, "ticket": ticket, "problem": outcome.problem}
