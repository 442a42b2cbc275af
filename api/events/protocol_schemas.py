"""How a whole protocol, the public's results and later annulments are taken and shown."""

from __future__ import annotations

from marshmallow import fields

from api.events.schemas import ScoreShown, positions_shown
from api.fields import Day, Instant, Schema, line, word
from events.models import CorrectionReason, Standing


class NewAnnulment(Schema):
    """That a sports body annulled a result later; it changes nothing (T-Rules 32)."""

    annulled_by = line(required=True)
    document = line(required=True, metadata={"example": "решение № 17"})
    document_date = Day(required=True)
    remarks = line(1000, load_default=None, allow_none=True)


class AnnulmentShown(Schema):
    """A later annulment, beside the protocol that stays in force."""

    id = fields.Integer(required=True)
    event_id = fields.Integer(required=True)
    protocol_number = fields.Integer(required=True)
    annulled_by = fields.String(required=True)
    document = fields.String(required=True)
    document_date = fields.Date(required=True)
    remarks = fields.String(required=True, allow_none=True)
    entered_by = fields.Integer(required=True)
    entered_at = Instant(required=True)


class AnnulmentPage(Schema):
    """A page of annulments, the latest put on record first."""

    items = fields.List(fields.Nested(AnnulmentShown), required=True)
    next_cursor = fields.Integer(allow_none=True)


class StartShown(Schema):
    """A start as announced, as scheduled after corrections and moves, and as it really was."""

    announced = Instant(required=True)
    scheduled = Instant(required=True)
    actual = Instant(required=True, allow_none=True)
    ended = Instant(required=True, allow_none=True)
    in_force = Instant(required=True)


class SignerShown(Schema):
    """Who did one of the two acts behind a protocol, and when."""

    user_id = fields.Integer(required=True)
    name = fields.String(required=True, metadata={"example": "Иванова А. А."})
    at = Instant(required=True)


class NamedOutcome(Schema):
    """An outcome that came true, by the name its pool has for it."""

    code = fields.String(required=True)
    name = fields.String(required=True)


class PositionCome(Schema):
    """A position of a pool and what came true in it."""

    code = fields.String(required=True)
    name = fields.String(required=True)
    told = fields.Boolean(required=True, metadata={"description": "сказано ли о позиции в протоколе"})
    outcome = fields.Nested(
        NamedOutcome, required=True, allow_none=True, metadata={"description": "null: позиция не состоялась"}
    )


class PoolCome(Schema):
    """A pool of the event and what of it came true: outcomes, or in a pool of positions one in each."""

    code = fields.String(required=True)
    name = fields.String(required=True)
    outcomes = fields.List(fields.Nested(NamedOutcome), required=True)
    positions = fields.List(fields.Nested(PositionCome), required=True)


class ProtocolWhole(Schema):
    """All that a printed protocol needs (T-Rules 10, 30)."""

    number = fields.Integer(required=True)
    version = fields.Integer(required=True)
    event_id = fields.Integer(required=True)
    event_code = fields.String(required=True)
    event = fields.String(required=True)
    sport = fields.String(required=True)
    sport_title = fields.String(required=True, metadata={"example": "Футбол"})
    home = fields.String(required=True)
    away = fields.String(required=True)
    venue = fields.String(required=True, allow_none=True)
    venue_zone = fields.String(required=True)
    start = fields.Nested(StartShown, required=True)
    standing = word(Standing, required=True)
    outcomes = fields.List(fields.String(), required=True)
    positions = positions_shown(required=True)
    score = fields.String(required=True, allow_none=True)
    scores = fields.List(fields.Nested(ScoreShown), required=True)
    source = fields.String(required=True)
    signatories = fields.List(fields.String(), required=True)
    entered = fields.Nested(SignerShown, required=True)
    confirmed = fields.Nested(SignerShown, required=True)
    drawn_up_at = Instant(required=True)
    place = fields.String(required=True, allow_none=True)
    remarks = fields.String(required=True, allow_none=True)
    corrects = fields.Integer(required=True, allow_none=True)
    reason = fields.String(
        required=True, allow_none=True, metadata={"enum": [*CorrectionReason, None], "example": "clerical_error"}
    )
    explanation = fields.String(required=True, allow_none=True)
    corrected_by = fields.Integer(required=True, allow_none=True)
    pools = fields.List(fields.Nested(PoolCome), required=True)
    annulments = fields.List(fields.Nested(AnnulmentShown), required=True)


class AnnouncedResultShown(Schema):
    """The result of an event by the protocol in force, as the organizer announces it (T-Rules 10, 31)."""

    protocol = fields.Integer(required=True)
    event_id = fields.Integer(required=True)
    event_code = fields.String(required=True)
    event = fields.String(required=True)
    standing = word(Standing, required=True)
    outcomes = fields.List(fields.String(), required=True)
    positions = positions_shown(required=True)
    score = fields.String(required=True, allow_none=True)
    scores = fields.List(fields.Nested(ScoreShown), required=True)
    source = fields.String(required=True)
    drawn_up_at = Instant(required=True)
    corrects = fields.Integer(required=True, allow_none=True)


class AnnouncedResultPage(Schema):
    """A page of results, the latest protocol first."""

    items = fields.List(fields.Nested(AnnouncedResultShown), required=True)
    next_cursor = fields.Integer(allow_none=True)
