"""What announcing events and fixing results takes and shows."""

from __future__ import annotations

from typing import Any
from zoneinfo import available_timezones

from marshmallow import ValidationError, fields, validate, validates_schema

from api.fields import Instant, PageQuery, Schema, code, line, word
from events.models import CorrectionReason, Standing
from events.sports import OTHER, SPORTS

ZONES = frozenset(available_timezones())


def _known_zone(name: str) -> None:
    # Hundreds of names, more with every edition of the database: not an enumeration for the API's description.
    if name not in ZONES:
        raise ValidationError("Неизвестная зона.")


class NewEvent(Schema):
    """An event to be announced: sides, sport, venue and its zone, start as announced."""

    code = code(required=True)
    name = line(required=True)
    sport = fields.String(
        required=True,
        validate=validate.OneOf(list(SPORTS)),
        metadata={"description": f"код вида спорта; чего нет в перечне — {OTHER}"},
    )
    home = line(required=True)
    away = line(required=True)
    venue = line(load_default=None, allow_none=True)
    venue_zone = fields.String(
        required=True,
        validate=[validate.Length(1, 60), _known_zone],
        metadata={"description": "IANA name", "example": "Asia/Qatar"},
    )
    starts_at = Instant(required=True)


class EventShown(Schema):
    """An event as announced, and how its start stands; ``starts_at`` is the announcement and never changes."""

    id = fields.Integer(required=True)
    code = fields.String(required=True)
    name = fields.String(required=True)
    sport = fields.String(required=True)
    sport_title = fields.String(required=True, metadata={"example": "Футбол"})
    home = fields.String(required=True)
    away = fields.String(required=True)
    venue = fields.String(allow_none=True)
    venue_zone = fields.String(required=True)
    starts_at = Instant(required=True, metadata={"description": "как объявлено"})
    start_in_force = Instant(
        required=True, metadata={"description": "фактическое, иначе перенесённое или исправленное"}
    )
    started_at = Instant(required=True, allow_none=True, metadata={"description": "фактическое начало"})
    ended_at = Instant(required=True, allow_none=True, metadata={"description": "фактическое окончание"})


class EventQuery(PageQuery):
    """Which events to list."""

    sport = line(60)
    upcoming = fields.Boolean(metadata={"description": "true: только ещё не начавшиеся; false: только начавшиеся"})
    overdue = fields.Boolean(
        metadata={"description": "true: с начала прошло 48 часов, а протокола нет; false: все остальные"}
    )


class EventPage(Schema):
    """A page of events, the latest announced first."""

    items = fields.List(fields.Nested(EventShown), required=True)
    next_cursor = fields.Integer(allow_none=True)


class Score(Schema):
    """The score of one period (D-24), whose code the sport's list has; with ``other`` and some sports it is free."""

    period = code("regular_time", required=True)
    home = fields.Integer(required=True, strict=True, validate=validate.Range(0, 9999))
    away = fields.Integer(required=True, strict=True, validate=validate.Range(0, 9999))


class ScoreShown(Schema):
    """The score of one period, with what people read for it."""

    period = fields.String(required=True)
    title = fields.String(required=True, metadata={"example": "1-й тайм"})
    home = fields.Integer(required=True)
    away = fields.Integer(required=True)


MOST_POSITIONS = 1_000
"""Positions of all pools on an event."""


def not_too_many_positions(told: dict[str, Any]) -> None:
    """Some positions, and no more than there can be."""
    if not 1 <= len(told) <= MOST_POSITIONS:
        raise ValidationError(f"Позиций от 1 до {MOST_POSITIONS}.")


def positions_shown(**kwargs: Any) -> fields.Dict:
    """What came true in positions, by their codes, as a result tells it."""
    told = {"example": {"1": "X", "2": None}, "description": "по шифрам позиций; null: не состоялась"}
    return fields.Dict(
        keys=fields.String(), values=fields.String(allow_none=True), allow_none=True, metadata=told, **kwargs
    )


class NewResult(Schema):
    """A result to be entered: the score in words of the protocol, the codes of the outcomes that came true (D-22).

    The score in words is that of regular time; ``scores`` tells it by period. An event that was not held or was
    interrupted has no outcomes (T-Rules 32).

    To correct a protocol with a clerical error, its number and the reason are named beside the right result (D-14).
    """

    standing = fields.Enum(Standing, by_value=True, load_default=Standing.HELD)
    score = line(40)
    outcomes = fields.List(code(), load_default=list, validate=validate.Length(0, 50), metadata={"example": ["1"]})
    positions = fields.Dict(
        keys=code(),
        values=code(allow_none=True),
        validate=not_too_many_positions,
        metadata={
            "minProperties": 1,
            "maxProperties": MOST_POSITIONS,
            "example": {"1": "X", "2": "1", "3": None},
            "description": "что наступило в позициях, по их шифрам; null: позиция не состоялась (D-22)",
        },
    )
    source = line(required=True)
    scores = fields.List(fields.Nested(Score), load_default=list, validate=validate.Length(0, 30))
    corrects = fields.Integer(
        strict=True,
        validate=validate.Range(1, 2**63 - 1),
        metadata={"description": "номер протокола, который исправляется"},
    )
    reason = fields.Enum(CorrectionReason, by_value=True)
    explanation = line()

    @validates_schema
    def check_outcomes(self, told: dict[str, Any], **_kwargs: Any) -> None:
        """What took place has true outcomes, what did not has none."""
        named = "positions" if "positions" in told else "outcomes"
        came_true = bool(told["outcomes"] or told.get("positions"))
        if told["standing"] is Standing.HELD and not came_true:
            raise ValidationError("Назовите исходы, которые наступили.", "outcomes")
        if told["standing"] is not Standing.HELD and came_true:
            raise ValidationError("У несостоявшегося события исходов нет: ставки возвращаются.", named)

    @validates_schema
    def check_correction(self, told: dict[str, Any], **_kwargs: Any) -> None:
        """A correction names the protocol and the reason, a first result neither."""
        if ("corrects" in told) != ("reason" in told):
            missing = "reason" if "corrects" in told else "corrects"
            raise ValidationError("Исправление называет и номер протокола, и причину.", missing)


class ResultShown(Schema):
    """A result somebody entered; ``approval`` is the proposal a second person decides on."""

    id = fields.Integer(required=True)
    event_id = fields.Integer(required=True)
    standing = word(Standing, required=True)
    score = fields.String(allow_none=True)
    outcomes = fields.List(fields.String(), required=True)
    positions = positions_shown()
    source = fields.String(required=True)
    scores = fields.List(fields.Nested(Score), required=True)
    entered_by = fields.Integer(required=True)
    entered_at = Instant(required=True)
    approval = fields.Integer(attribute="proposal_id", allow_none=True)
    corrects = fields.Integer(allow_none=True)
    reason = fields.String(allow_none=True)


class ResultPage(Schema):
    """A page of an event's results, the latest entered first."""

    items = fields.List(fields.Nested(ResultShown), required=True)
    next_cursor = fields.Integer(allow_none=True)


class NewProtocol(Schema):
    """The confirmation of an entered result by the commission, with its members' names (T-Rules 10)."""

    result_id = fields.Integer(required=True, strict=True, validate=validate.Range(1, 2**63 - 1))
    signatories = fields.List(line(), required=True, validate=validate.Length(1, 20))
    place = line(load_default=None, allow_none=True, metadata={"description": "где составлен"})
    remarks = line(1000, load_default=None, allow_none=True)


class ProtocolShown(Schema):
    """A protocol: what was fixed."""

    id = fields.Integer(required=True)
    number = fields.Integer(required=True)
    event_id = fields.Integer(required=True)
    version = fields.Integer(required=True)
    result_id = fields.Integer(required=True)
    entered_by = fields.Integer(required=True)
    confirmed_by = fields.Integer(required=True)
    signatories = fields.List(fields.String(), required=True)
    drawn_up_at = Instant(required=True)
    place = fields.String(allow_none=True)
    remarks = fields.String(allow_none=True)
    corrects = fields.Integer(allow_none=True, metadata={"description": "номер протокола, который этот исправил"})


class ProtocolPage(Schema):
    """A page of an event's protocols, the latest first."""

    items = fields.List(fields.Nested(ProtocolShown), required=True)
    next_cursor = fields.Integer(allow_none=True)
