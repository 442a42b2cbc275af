"""What pools, bets and tickets take and show."""

from __future__ import annotations

from marshmallow import fields, validate

from api.fields import (
    COEFFICIENT,
    PERCENT,
    Coefficient,
    Day,
    EachByItself,
    Instant,
    Money,
    Number,
    PageQuery,
    Schema,
    code,
    idempotency_key,
    line,
    word,
)
from api.problem import Problem, ProblemShown
from api.stops.schemas import HoldingStop
from events.models import Standing
from ledger.money import CURRENCIES
from ledger.settlements import Decision
from ledger.tickets import Status
from tote.games.register import GAMES
from tote.models import CancellationReason
from tote.statuses import PoolStatus

LONGEST_BATCH = 500
"""Lines a batch may have: some seconds of work, so that its answer comes before anybody gives up waiting."""


class Outcome(Schema):
    """One of a pool's outcomes with its code (T-Rules 24)."""

    code = code("1", required=True)
    name = line(required=True, metadata={"example": "Победа хозяев"})


class NewPool(Schema):
    """A pool to be announced; its terms are frozen by it (T-Rules 24)."""

    code = code(required=True)
    name = line(required=True)
    game = fields.String(required=True, metadata={"enum": list(GAMES)})
    event_id = fields.Integer(required=True, strict=True, validate=validate.Range(1, 2**63 - 1))
    opens_at = Instant(required=True, metadata={"example": "2022-11-22T08:00:00+03:00"})
    closes_at = Instant(required=True, metadata={"example": "2022-11-22T12:55:00+03:00"})
    minimum_stake = Money(required=True, metadata={"example": "1.00"})
    maximum_stake = Money(required=True, metadata={"example": "10000.00"})
    outcomes = fields.List(
        fields.Nested(Outcome),
        required=True,
        validate=validate.Length(2, 1000),
        metadata={"example": [{"code": "1", "name": "Победа хозяев"}, {"code": "2", "name": "Победа гостей"}]},
    )
    minimum_coefficient = Coefficient(load_default=None, allow_none=True)


class PoolShown(Schema):
    """A pool's terms and where it stands."""

    id = fields.Integer(required=True)
    code = fields.String(required=True)
    name = fields.String(required=True)
    game = word(GAMES, required=True)
    event_id = fields.Integer(required=True)
    currency = word(CURRENCIES, required=True)
    opens_at = Instant(required=True)
    closes_at = Instant(required=True)
    minimum_stake = Money(required=True)
    maximum_stake = Money(required=True)
    fund_percent = fields.String(required=True, metadata={"example": "60", "pattern": PERCENT})
    minimum_coefficient = fields.String(allow_none=True, metadata={"example": "1.05", "pattern": COEFFICIENT})
    outcomes = fields.List(fields.Nested(Outcome), required=True)
    status = word(PoolStatus, required=True)
    stop = fields.Nested(
        HoldingStop, allow_none=True, metadata={"description": "the stop of sales that holds the whole pool now"}
    )


class PoolPage(Schema):
    """A page of pools, the latest announced first."""

    items = fields.List(fields.Nested(PoolShown), required=True)
    next_cursor = fields.Integer(allow_none=True)


class OutcomeStaked(Schema):
    """The bets on one outcome; ``true`` once the pool is settled."""

    code = fields.String(required=True)
    name = fields.String(required=True)
    bets = fields.Integer(required=True)
    stakes = Money(required=True)
    true = fields.Boolean(allow_none=True)


class Divided(Schema):
    """How a pool was divided; a figure is null until the pool's life has come to it."""

    minus_pool = fields.Boolean(allow_none=True)
    returned = fields.Boolean(
        allow_none=True, metadata={"description": "ставки возвращены: событие не состоялось (T-Rules 32)"}
    )
    winning_bets = fields.Integer(allow_none=True)
    winning_stake = Money(allow_none=True)
    coefficient = fields.String(
        allow_none=True,
        metadata={"example": "27/40", "pattern": "^[0-9]+/[0-9]+$", "description": "exact, n/d (T-Rules 36.1)"},
    )
    coefficient_display = fields.String(
        allow_none=True,
        metadata={"example": "0.6750", "pattern": r"^[0-9]+\.[0-9]{4}$", "description": "4 places, rounded down"},
    )
    wins = Money(allow_none=True)
    to_jackpot = Money(allow_none=True)
    from_organizer = Money(allow_none=True)
    jackpot_shortfall = Money(
        allow_none=True,
        metadata={"description": "what the organizer bore because the jackpot no longer had what it was given (D-14)"},
    )
    settled_at = Instant(allow_none=True)


class SheetVersion(Divided):
    """One settlement of a pool; ``reversed_at`` is when a later one undid all its bookings (D-14)."""

    version = fields.Integer(required=True)
    protocol = fields.Integer(required=True, metadata={"description": "номер протокола, по которому рассчитано"})
    standing = word(Standing, required=True)
    true_outcomes = fields.List(fields.String(), required=True)
    reversed_at = Instant(allow_none=True)


class Sheet(Divided):
    """The sheet of a pool: the division in force, and every one there was."""

    code = fields.String(required=True)
    name = fields.String(required=True)
    status = word(PoolStatus, required=True)
    outcomes = fields.List(fields.Nested(OutcomeStaked), required=True)
    bets = fields.Integer(required=True)
    pool = Money(required=True)
    cancelled_bets = fields.Integer(required=True, metadata={"description": "cancelled by the organizer, all in all"})
    cancelled_stakes = Money(required=True)
    withdrawal = Money(allow_none=True)
    fund = Money(allow_none=True)
    closed_at = Instant(allow_none=True)
    payable_from = Instant(allow_none=True)
    payable_until = Instant(allow_none=True, metadata={"description": "the end of the wins' term, exclusive (D-1)"})
    claims_until = Instant(allow_none=True)
    disputes_until = Instant(allow_none=True)
    versions = fields.List(
        fields.Nested(SheetVersion), required=True, metadata={"description": "the settlements, the first one first"}
    )


class Closed(Schema):
    """What the close counted, and how it parted the pool; the same at every repeat of the request."""

    code = fields.String(required=True)
    bets = fields.Integer(required=True)
    pool = Money(required=True)
    withdrawal = Money(required=True)
    fund = Money(required=True)
    closed_at = Instant(required=True)


class NewBet(Schema):
    """A bet: pool and outcome by their codes, and the stake (T-Rules 25)."""

    pool = code(required=True)
    outcome = code("1", required=True)
    stake = Money(required=True)


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
    stake = Money(required=True)
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

    key = idempotency_key(required=True)


class NewBatch(Schema):
    """A batch of bets; a line that cannot be read is refused by itself and leaves its key free."""

    lines = EachByItself(fields.Nested(BatchLine), required=True, validate=validate.Length(1, LONGEST_BATCH))


class LineShown(Schema):
    """What became of a line: its ticket with its payable code, or the problem a single bet would be answered with."""

    key = fields.String(required=True, allow_none=True, metadata={"description": "null where it could not be read"})
    replayed = fields.Boolean(required=True, metadata={"description": "this is what an earlier request was answered"})
    ticket = fields.Nested(TicketShown, required=True, allow_none=True)
    problem = ProblemShown(Problem, required=True, allow_none=True, metadata={"example": None})


class BatchShown(Schema):
    """The outcomes of a batch, in the order of its lines."""

    lines = fields.List(fields.Nested(LineShown), required=True)


class TicketPage(Schema):
    """A page of tickets, the newest first."""

    items = fields.List(fields.Nested(TicketShown), required=True)
    next_cursor = fields.Integer(allow_none=True)
