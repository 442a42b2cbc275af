"""Schemas of bets and tickets: one bet, a batch of them, a ticket as it is shown and looked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marshmallow import fields, validate

from api.fields import (
    Day,
    EachByItself,
    Instant,
    Money,
    Number,
    PageQuery,
    Schema,
    code,
    idempotency_key,
    word,
)
from api.problem import Problem, ProblemShown
from api.tote.announced_schemas import MOST_OUTCOMES
from ledger.settlements import Decision
from ledger.tickets import Status
from tote.games.register import GAMES
from tote.models import CancellationReason
from tote.orders import Order
from tote.rules.positions import MOST_POSITIONS

LONGEST_BATCH = 500
"""Lines a batch may have: some seconds of work, so that its answer comes before anybody gives up waiting."""


LONGEST_UPLOAD = 60_000_000
"""Characters of bets that are uploaded one by one: two million of fifteen marks, with a comma between them."""
LARGEST_UPLOAD = 64 * 1024 * 1024
"""Bytes of the body that brings them: in JSON the end of a line is two, or four where a system ends it by two."""


class NewBet(Schema):
    """A bet: pool and outcome by their codes, and the stake (T-Rules 25).

    In a pool of positions a ticket tells marks instead: one or several outcomes in each position, and every way of
    taking one of each is a bet. Or it tells its bets one by one, as a reduced system has them. The stake is what is
    paid for the whole ticket.
    """

    one_of = ("outcome", "marks", "uploaded")

    pool = code(required=True)
    outcome = code("1")
    marks = fields.List(
        fields.List(code("1"), validate=validate.Length(1, MOST_OUTCOMES)),
        validate=validate.Length(1, MOST_POSITIONS),
        metadata={"example": [["1"], ["1", "X"]], "description": "шифры исходов, отмеченных в каждой позиции"},
    )
    uploaded = fields.String(
        validate=validate.Length(1, LONGEST_UPLOAD),
        metadata={
            "example": "1,X\n2,X",
            "description": "ставки по одной: строка на каждую, шифры через запятую; односимвольные можно слитно",
        },
    )
    stake = Money(required=True, metadata={"description": "за весь билет, BYN"})


def order_of(told: Mapping[str, Any]) -> Order:
    """What a bettor asks for, as it was read by ``NewBet``."""
    return Order(**{"outcome": None, **told})


class TicketShown(Schema):
    """A ticket. The payable code stands only in the answer that issued it and in its repeats."""

    number = fields.Integer(required=True)
    code = fields.String(metadata={"example": "ZJLHYSWR2SD2CCSJ", "description": "the payable code; never in lists"})
    code_masked = fields.String(required=True, metadata={"example": "…CCSJ"})
    operator = fields.String(required=True)
    game = word(GAMES, required=True)
    pool = fields.String(required=True)
    pool_name = fields.String(required=True)
    event = fields.String(required=True)
    event_starts_at = Instant(required=True)
    outcome = fields.String(required=True)
    outcome_name = fields.String(required=True)
    rows = fields.Integer(required=True, metadata={"description": "ставок в билете"})
    marks = fields.List(
        fields.List(fields.String()),
        allow_none=True,
        metadata={"description": "отмеченное в позициях; null, если позиций нет или ставки загружены по одной"},
    )
    stake = Money(required=True, metadata={"description": "за весь билет, BYN"})
    placed_at = Instant(required=True)
    desk = fields.String(allow_none=True)
    place = fields.String(allow_none=True)
    desk_id = fields.Integer(allow_none=True)
    player_id = fields.Integer(allow_none=True)
    status = word(Status, required=True)
    win = Money(allow_none=True, metadata={"description": "the win without the stake given back beside it"})
    stake_back = Money(
        allow_none=True, metadata={"description": "the stake given back (minus pool); the two together are due"}
    )
    decision = fields.String(
        allow_none=True,
        metadata={
            "enum": [*(str(one) for one in Decision), None],
            "example": "returned",
            "description": "what the settlement decided; returned: ставка возвращена (T-Rules 32)",
        },
    )
    received = Money(allow_none=True, metadata={"description": "of it paid or credited by earlier settlements (D-14)"})
    payable_from = Instant(allow_none=True)
    payable_until = Instant(allow_none=True)
    under_review = fields.Boolean(
        required=True,
        metadata={"description": "the payouts of the pool, or of this ticket, are held, or the pool is settled anew"},
    )
    cancelled_at = Instant(allow_none=True)
    cancellation_reason = word(CancellationReason, allow_none=True)


class TicketQuery(PageQuery):
    """Which tickets to list; a status is best asked for together with a pool, a desk, a player or a day."""

    pool = code(metadata={"description": "шифр пула"})
    desk_id = Number()
    player_id = Number()
    status = fields.Enum(Status, by_value=True)
    day = Day(metadata={"description": "день приёма ставки по часам организатора"})


class BatchLine(NewBet):
    """A line of a batch: a bet under a key of its own."""

    key = idempotency_key(required=True, metadata={"example": "terminal-7-2022-11-22-000043"})


class NewBatch(Schema):
    """A batch of bets; a line that says no bet is refused by itself and leaves its key free.

    The body as a whole must be readable JSON: a terminal that is answered `invalid_json` sends its lines one by one.
    """

    lines = EachByItself(fields.Nested(BatchLine), required=True, validate=validate.Length(1, LONGEST_BATCH))


class LineShown(Schema):
    """What became of a line: its ticket with its payable code, or the problem a single bet would be answered with."""

    key = fields.String(required=True, allow_none=True, metadata={"description": "null where it could not be read"})
    replayed = fields.Boolean(required=True, metadata={"description": "this is what an earlier request was answered"})
    ticket = fields.Nested(TicketShown, required=True, allow_none=True)
    problem = ProblemShown(Problem, required=True, allow_none=True, metadata={"example": None})


class BatchShown(Schema):
    """What became of the lines of a batch, in their order."""

    lines = fields.List(fields.Nested(LineShown), required=True)


class TicketPage(Schema):
    """A page of tickets, the newest first."""

    items = fields.List(fields.Nested(TicketShown), required=True)
    next_cursor = fields.Integer(allow_none=True)
