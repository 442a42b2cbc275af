"""Schemas of pools: how they are announced, listed, closed, and what their sheets tell."""

from __future__ import annotations

from typing import Any

from marshmallow import ValidationError, fields, validate, validates_schema

from api import words
from api.fields import (
    COEFFICIENT,
    PERCENT,
    Coefficient,
    Instant,
    Money,
    Percent,
    Schema,
    code,
    line,
    word,
)
from api.stops.schemas import HoldingStop
from events.models import Standing
from ledger.money import CURRENCIES
from tote.games.register import GAMES
from tote.statuses import PoolStatus


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
    minimum_stake = Money(load_default=None, allow_none=True, metadata={"example": "1.00"})
    maximum_stake = Money(load_default=None, allow_none=True, metadata={"example": "10000.00"})
    price = Money(
        load_default=None,
        allow_none=True,
        metadata={"description": "цена ставки вместо пределов: Спортлото (T-Rules 5), BYN"},
    )
    fund_percent = Percent(
        load_default=None,
        allow_none=True,
        metadata={"description": "Спортлото: от 70 до 100 (T-Rules 4); у Тотолота всегда 60"},
    )
    outcomes = fields.List(
        fields.Nested(Outcome),
        required=True,
        validate=validate.Length(2, 1000),
        metadata={"example": [{"code": "1", "name": "Победа хозяев"}, {"code": "2", "name": "Победа гостей"}]},
    )
    minimum_coefficient = Coefficient(load_default=None, allow_none=True)
    minimum_win = Money(
        load_default=None,
        allow_none=True,
        metadata={"description": "Спортлото: на одну ставку, доплачивает организатор (D-4), BYN"},
    )
    maximum_win = Money(
        load_default=None,
        allow_none=True,
        metadata={"description": "Спортлото: на одну ставку, остальное идёт в джек-пот (D-4), BYN"},
    )

    @validates_schema
    def check_stakes(self, told: dict[str, Any], **_kwargs: Any) -> None:
        """A pool whose bets have no one price has both limits of a stake."""
        missing = [name for name in ("minimum_stake", "maximum_stake") if told[name] is None]
        if missing and told["price"] is None:
            raise ValidationError({name: [words.REQUIRED] for name in missing})


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
    price = Money(allow_none=True, metadata={"description": "цена ставки, если она одна на весь пул, BYN"})
    fund_percent = fields.String(required=True, metadata={"example": "60", "pattern": PERCENT})
    minimum_coefficient = fields.String(allow_none=True, metadata={"example": "1.05", "pattern": COEFFICIENT})
    minimum_win = Money(allow_none=True, metadata={"description": "на одну ставку, BYN"})
    maximum_win = Money(allow_none=True, metadata={"description": "на одну ставку, BYN"})
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
    win_per_bet = fields.String(
        allow_none=True,
        metadata={"example": "35/6", "pattern": "^[0-9]+/[0-9]+$", "description": "exact, n/d (T-Rules 11.2)"},
    )
    win_per_bet_display = fields.String(
        allow_none=True,
        metadata={"example": "5.8333", "pattern": r"^[0-9]+\.[0-9]{4}$", "description": "4 places, rounded down"},
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
    payable_until = Instant(
        allow_none=True,
        metadata={"description": "the end of the wins' term, exclusive (D-1); none where stakes are returned (D-21)"},
    )
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
