"""Schemas of what a pool is bet on, as it is announced: outcomes, or positions and levels of match (T-Rules 3, 24)."""

from __future__ import annotations

from typing import Any

from marshmallow import fields, post_load, validate

from api.fields import ExactPercent, Schema, code, line
from tote.positions import Position
from tote.rules.levels import MOST_LEVELS, Level
from tote.rules.positions import MOST_POSITIONS

MOST_OUTCOMES = 100
"""Outcomes of a position."""
MATCHES = [{"code": "1", "name": "П1"}, {"code": "X", "name": "Ничья"}, {"code": "2", "name": "П2"}]
PERCENT = {"pattern": "^[0-9]+(/[0-9]+)?$", "example": "200/3", "description": "точный процент, дробью"}


class Outcome(Schema):
    """One of a pool's outcomes with its code (T-Rules 24)."""

    code = code("1", required=True)
    name = line(required=True, metadata={"example": "Победа хозяев"})


class PositionShown(Schema):
    """A position: one of the equal parts an outcome is broken into, and what may come true in it (T-Rules 3, 22.2)."""

    code = code("1", required=True)
    name = line(required=True, metadata={"example": "Динамо — Спартак"})
    outcomes = fields.List(
        fields.Nested(Outcome), required=True, validate=validate.Length(2, MOST_OUTCOMES), metadata={"example": MATCHES}
    )


class NewPosition(PositionShown):
    """A position to be announced."""

    @post_load
    def make(self, told: dict[str, Any], **_kwargs: Any) -> Position:
        """The position as the pool keeps it."""
        outcomes = tuple((outcome["code"], outcome["name"]) for outcome in told["outcomes"])
        return Position(told["code"], told["name"], outcomes)


class NewLevel(Schema):
    """A level to be announced: bets that match from–to percent, both included, share a part of the fund (T-Rules 36.2).

    Percents are decimals of at most four places, or exact fractions: 2 matches of 3 are ``200/3``.
    """

    lowest = ExactPercent(required=True, data_key="from", metadata={"example": "200/3"})
    highest = ExactPercent(required=True, data_key="to", metadata={"example": "100"})
    share = ExactPercent(required=True, metadata={"example": "100"})

    @post_load
    def make(self, told: dict[str, Any], **_kwargs: Any) -> Level:
        """The level as the rules know it."""
        return Level(told["share"] / 100, lowest=told["lowest"], highest=told["highest"])


class LevelShown(Schema):
    """A level as announced; percents are exact."""

    lowest = fields.String(required=True, data_key="from", attribute="from", metadata=PERCENT)
    highest = fields.String(required=True, data_key="to", attribute="to", metadata=PERCENT)
    share = fields.String(required=True, metadata=PERCENT)


class MatchesShown(Schema):
    """A line of the table announced with the pool: so many matches, their percent, the level they reach, from 1."""

    matches = fields.Integer(required=True)
    percent = fields.String(required=True, metadata=PERCENT)
    level = fields.Integer(required=True, allow_none=True)


def positions_field() -> fields.List[Any]:
    """Positions of a pool that is announced."""
    return fields.List(fields.Nested(NewPosition), allow_none=True, validate=validate.Length(1, MOST_POSITIONS))


def levels_field() -> fields.List[Any]:
    """Levels of a pool that is announced."""
    return fields.List(fields.Nested(NewLevel), allow_none=True, validate=validate.Length(1, MOST_LEVELS))
