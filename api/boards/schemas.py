"""What the board of a pool shows."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from marshmallow import fields, validate

from api.fields import Instant, Money, Schema, word
from api.tote.schemas import LevelDivided
from api.tote.sheets import level_shown
from ledger.money import CURRENCIES, display_fraction, format_fraction
from tote.boards import Board, Line
from tote.statuses import PoolStatus

EXACT = {"pattern": "^[0-9]+/[0-9]+$", "description": "exact, n/d (T-Rules 36.1); the announced minimum included (D-6)"}
ONE_PRICE = {"description": "instead of a coefficient where every bet has one price: what one is paid, BYN"}
FOR_THE_EYE = {"pattern": r"^[0-9]+\.[0-9]{4}$", "description": "4 places, rounded down"}


class OutcomeOnBoard(Schema):
    """An outcome: what is staked on it, and what a rouble on it would bring, or brought."""

    code = fields.String(required=True)
    name = fields.String(required=True)
    stakes = Money(required=True)
    coefficient = fields.String(required=True, allow_none=True, metadata={"example": "27/40", **EXACT})
    coefficient_display = fields.String(required=True, allow_none=True, metadata={"example": "0.6750", **FOR_THE_EYE})
    win_per_bet = Money(required=True, allow_none=True, metadata=ONE_PRICE)
    raised = fields.Boolean(required=True, metadata={"description": "the pool's own is lower than what was announced"})
    minus_pool = fields.Boolean(
        required=True, metadata={"description": "all stakes are on it: stake and a tenth, no coefficient (T-Prov 16)"}
    )
    true = fields.Boolean(required=True, allow_none=True, metadata={"description": "null until the pool is settled"})


class SettledOnBoard(Schema):
    """How the pool ended."""

    coefficient = fields.String(required=True, allow_none=True, metadata={"example": "27/40", **EXACT})
    coefficient_display = fields.String(required=True, allow_none=True, metadata={"example": "0.6750", **FOR_THE_EYE})
    win_per_bet = Money(required=True, allow_none=True, metadata=ONE_PRICE)
    minus_pool = fields.Boolean(required=True)
    returned = fields.Boolean(required=True, metadata={"description": "the event was not held: stakes go back"})
    settled_at = Instant(required=True)


class PoolBoard(Schema):
    """A pool as it stands; while it is ``provisional``, coefficients are those of what is staked up to now."""

    code = fields.String(required=True)
    name = fields.String(required=True)
    status = word(PoolStatus, required=True)
    currency = word(CURRENCIES, required=True)
    pool = Money(required=True, metadata={"description": "all stakes of the pool, BYN"})
    provisional = fields.Boolean(
        required=True, metadata={"description": "the coefficient is determined when the game is summed up"}
    )
    outcomes = fields.List(fields.Nested(OutcomeOnBoard), required=True)
    levels = fields.List(
        fields.Nested(LevelDivided),
        required=True,
        metadata={"description": "пул позиций: фонд каждого уровня, после расчёта и кто его достиг"},
    )
    settled = fields.Nested(SettledOnBoard, required=True, allow_none=True)


def shown(board: Board) -> dict[str, Any]:
    """A board as the schema takes it."""
    pool, settled = board.pool, board.settled
    return {
        "code": pool.code,
        "name": pool.name,
        "status": board.status.value,
        "currency": pool.currency,
        "pool": board.stakes,
        "provisional": board.provisional,
        "outcomes": [_outcome(line) for line in board.lines],
        "levels": [level_shown(level, pool) for level in board.levels],
        "settled": settled and {**vars(settled), **_paid(settled.coefficient, settled.win)},
    }


def _outcome(line: Line) -> dict[str, Any]:
    prospect = line.prospect
    told = {"code": line.code, "name": line.name, "stakes": line.stakes, "true": line.true}
    marks = {"raised": prospect.raised, "minus_pool": prospect.minus_pool}
    return {**told, **marks, **_paid(prospect.coefficient, prospect.win)}


def _paid(coefficient: Fraction | None, win: int | None) -> dict[str, Any]:
    return {
        "coefficient": None if coefficient is None else format_fraction(coefficient),
        "coefficient_display": None if coefficient is None else display_fraction(coefficient),
        "win_per_bet": win,
    }


class SupposedQuery(Schema):
    """A result to be supposed."""

    result = fields.String(
        required=True,
        validate=validate.Length(1, 4_200),
        metadata={
            "example": "1,X,2",
            "description": "шифры исходов позиций по порядку через запятую; пусто: позиция не состоялась",
        },
    )


class SupposedShown(Schema):
    """How a pool of positions would be divided if this came true and nobody bet any more."""

    code = fields.String(required=True)
    result = fields.List(fields.String(allow_none=True), required=True)
    pool = Money(required=True)
    minus_pool = fields.Boolean(required=True)
    returned = fields.Boolean(required=True)
    levels = fields.List(fields.Nested(LevelDivided), required=True)
    to_jackpot = Money(required=True)
    from_organizer = Money(required=True)
