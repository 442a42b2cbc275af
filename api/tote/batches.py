"""A batch of bets: a terminal's queue or a day's coupons, each line a bet under a key of its own (DESIGN 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import structlog
from flask import current_app
from marshmallow import ValidationError

from api.answers import refuses
from api.auth import allowed, once_let_in
from api.errors import UNAVAILABLE, invalid
from api.house import caller, house, session
from api.idempotency import REPLAYED, find, once
from api.keys_together import another_was_first, known, store
from api.requests import Blueprint, meant
from api.tote.bet_schemas import BatchShown, NewBatch, order_of
from api.tote.routes import BET_REFUSALS, shown_as_issued
from api.watch.figures import count_bet
from office.callers import Role
from tote.receipts import Receipt, issued
from tote.repeats import note_repeat
from tote.sales import place
from tote.together import sell_together

log = structlog.get_logger()
batches = Blueprint("batches", __name__, url_prefix="/api/v1", description="Пакеты ставок")
BET = "POST /api/v1/pool-bets"
"""A line's key means a bet at this route: sent alone under the same key it would be the same bet."""

Line = Mapping[str, Any] | ValidationError
"""A line of a batch as it was read, or why it could not be."""


@dataclass(frozen=True)
class Answered:
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
@once_let_in
def place_batch(told: dict[str, Any]) -> dict[str, Any]:
    """Place up to 500 bets, each decided by itself under its own key.

    A line that is refused undoes no other. Whoever lost the answer, whole or in part, sends the batch again: lines
    that were decided are answered as before, the rest is carried out. Lines that nothing stands against are committed
    together, ahead of the others; those go one by one, in their order. As with a single bet whoever was let in finishes
    it: a session that ends beneath the batch refuses none of its lines.
    """
    together = _sold_together(told["lines"])
    answered = [together.get(at) or _decide(line) for at, line in enumerate(told["lines"])]
    tickets = issued(session(), [line.ticket for line in answered if line.ticket is not None])
    return {"lines": [_shown(line, tickets) for line in answered]}


def _sold_together(lines: Sequence[Line]) -> dict[int, Answered]:
    """Sell what can be sold in one transaction; the tickets by the lines' places. Lines that are left go their own way.

    Where the whole does not come about, a race for a key among the reasons, no line is decided by that.
    """
    fresh = _fresh(lines)
    if len(fresh) < 2:
        return {}
    try:
        sold = sell_together(session(), house().counter, [order_of(_bet(line)) for line in fresh.values()], caller())
        made = {at: sold[number] for number, at in enumerate(fresh) if number in sold}
        store(session(), [(meant(BET, fresh[at]["key"], _bet(fresh[at])), ticket) for at, ticket in made.items()])
        session().commit()
    except UNAVAILABLE:
        raise
    except Exception as error:
        session().rollback()
        if not another_was_first(error):
            # No bet is lost by it, but each costs many times as much: somebody should know why.
            log.error("batch_not_sold_together", exc_info=error)
        return {}
    return {at: _counted(fresh[at], ticket) for at, ticket in made.items()}


def _fresh(lines: Sequence[Line]) -> dict[int, Mapping[str, Any]]:
    """The lines that can be read, under keys that are not on record, by their places; of one key the first."""
    first: dict[str, tuple[int, Mapping[str, Any]]] = {}
    for at, line in enumerate(lines):
        if not isinstance(line, ValidationError):
            first.setdefault(line["key"], (at, line))
    decided = known(session(), caller().key_scope, first) if len(first) > 1 else set(first)
    return {at: line for key, (at, line) in first.items() if key not in decided}


def _counted(line: Mapping[str, Any], ticket: int) -> Answered:
    count_bet(lambda: house().catalogue.game_of(line["pool"]), lambda: (ticket, False))
    return Answered(line["key"], ticket=ticket)


def _bet(line: Mapping[str, Any]) -> dict[str, Any]:
    """What a single bet's body would be: an outcome, marks, or rows one by one."""
    return {name: told for name, told in line.items() if name != "key"}


def _decide(line: Line) -> Answered:
    """Place one line's bet; whatever a single bet would be answered with is what the line is answered.

    Only when the database is away nobody knows how it stands with the lines to come, so the whole batch is told so.
    """
    if isinstance(line, ValidationError):
        read = line.valid_data if isinstance(line.valid_data, dict) else {}
        return _refused(read.get("key"), invalid("json", line.messages))
    bet = _bet(line)
    wanted = meant(BET, line["key"], bet)
    try:
        number, replayed = count_bet(
            lambda: house().catalogue.game_of(bet["pool"]),
            lambda: once(
                session(),
                wanted,
                lambda: place(session(), house().counter, order_of(bet), caller()),
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
    return Answered(line["key"], ticket=number, replayed=replayed)


def _refused(key: str | None, error: Exception) -> Answered:
    answer: Any = current_app.handle_user_exception(error)
    replayed = REPLAYED.items() <= dict(answer.headers).items()
    return Answered(key, problem=answer.get_json(force=True), replayed=replayed)


def _shown(line: Answered, tickets: Mapping[int, Receipt]) -> dict[str, Any]:
    ticket = None if line.ticket is None else shown_as_issued(tickets[line.ticket])
    return {"key": line.key, "replayed": line.replayed, "ticket": ticket, "problem": line.problem}
