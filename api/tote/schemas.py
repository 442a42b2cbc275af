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
from api.tote.announced_schemas import (
    LevelShown,
    MatchesShown,
    Outcome,
    PositionShown,
    levels_field,
    positions_field,
)
from events.models import Standing
from ledger.money import CURRENCIES
from tote.games.register import GAMES
from tote.models import NotHeld
from tote.rules.levels import EmptyLevel
from tote.statuses import PoolStatus

EXACT = {"example": "27/40", "pattern": "^[0-9]+/[0-9]+$", "description": "exact, n/d (T-Rules 36.1)"}
FOR_THE_EYE = {"example": "0.6750", "pattern": r"^[0-9]+\.[0-9]{4}$", "description": "4 places, rounded down"}
EMPTY_LEVEL = "Тотолот-Позиция: куда идёт фонд уровня, которого никто не достиг (T-Rules 36.2, D-7)"
NOT_HELD = "пул позиций: что с ним, если одна из них не состоялась (D-22); если не сказано, return_pool"


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
        allow_none=True,
        validate=validate.Length(2, 1000),
        metadata={"example": [{"code": "1", "name": "Победа хозяев"}, {"code": "2", "name": "Победа гостей"}]},
    )
    positions = positions_field()
    levels = levels_field()
    empty_level = fields.Enum(EmptyLevel, by_value=True, allow_none=True, metadata={"description": EMPTY_LEVEL})
    not_held = fields.Enum(NotHeld, by_value=True, allow_none=True, metadata={"description": NOT_HELD})
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

    @validates_schema
    def check_what_is_bet_on(self, told: dict[str, Any], **_kwargs: Any) -> None:
        """A pool has outcomes, or positions with levels; which of them, its game says."""
        if not told.get("outcomes") and not told.get("positions"):
            raise ValidationError(words.REQUIRED, "outcomes")


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
    outcomes = fields.List(
        fields.Nested(Outcome),
        required=True,
        metadata={"description": "в пуле позиций пусто: исходы у каждой позиции свои"},
    )
    positions = fields.List(fields.Nested(PositionShown), allow_none=True)
    levels = fields.List(fields.Nested(LevelShown), allow_none=True)
    matches = fields.List(
        fields.Nested(MatchesShown),
        required=True,
        metadata={"description": "совпадения → процент → уровень; пусто, где нет позиций"},
    )
    empty_level = word(EmptyLevel, allow_none=True)
    not_held = word(NotHeld, allow_none=True)
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


class LevelDivided(Schema):
    """A level: its exact part of the fund, who reached it, and what that makes a rouble or a bet; null until known."""

    level = fields.Integer(required=True)
    winning_bets = fields.Integer(required=True, allow_none=True)
    winning_stake = Money(required=True, allow_none=True)
    fund = fields.String(required=True, metadata={**EXACT, "description": "exact, n/d, BYN (T-Rules 36.2)"})
    fund_display = fields.String(required=True, metadata=FOR_THE_EYE)
    coefficient = fields.String(allow_none=True, metadata=EXACT)
    coefficient_display = fields.String(allow_none=True, metadata=FOR_THE_EYE)
    win_per_bet = fields.String(allow_none=True, metadata={**EXACT, "description": "exact, n/d (T-Rules 11.3)"})
    win_per_bet_display = fields.String(allow_none=True, metadata=FOR_THE_EYE)


class Divided(Schema):
    """How a pool was divided; a figure is null until the pool's life has come to it."""

    minus_pool = fields.Boolean(allow_none=True)
    returned = fields.Boolean(
        allow_none=True, metadata={"description": "ставки возвращены: событие не состоялось (T-Rules 32)"}
    )
    winning_bets = fields.Integer(allow_none=True)
    winning_stake = Money(allow_none=True)
    coefficient = fields.String(allow_none=True, metadata=EXACT)
    coefficient_display = fields.String(allow_none=True, metadata=FOR_THE_EYE)
    win_per_bet = fields.String(
        allow_none=True, metadata={**EXACT, "example": "35/6", "description": "exact, n/d (T-Rules 11.2)"}
    )
    win_per_bet_display = fields.String(allow_none=True, metadata={**FOR_THE_EYE, "example": "5.8333"})
    levels = fields.List(
        fields.Nested(LevelDivided),
        required=True,
        metadata={"description": "пул позиций: каждый уровень со своим коэффициентом; в другом пуле пусто"},
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
    true_outcomes = fields.List(
        fields.String(allow_none=True),
        required=True,
        metadata={"description": "в пуле позиций — по позициям, null: не состоялась"},
    )
    reversed_at = Instant(allow_none=True)


class Sheet(Divided):
    """The sheet of a pool: the division in force, and every one there was."""

    code = fields.String(required=True)
    name = fields.String(required=True)
    status = word(PoolStatus, required=True)
    outcomes = fields.List(fields.Nested(OutcomeStaked), required=True)
    bets = fields.Integer(required=True, metadata={"description": "билетов с одной или многими ставками"})
    rows = fields.Integer(required=True, metadata={"description": "ставок: в билете пула позиций их может быть много"})
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
