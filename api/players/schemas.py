"""What registering a player takes, and what a player's page shows."""

from __future__ import annotations

from marshmallow import fields, validate

from api.fields import Instant, Money, PageQuery, Schema, line, word
from api.persons.schemas import NewDetails, NewDocument
from api.players.money_schemas import NewBankAccount
from api.reasons import SAID
from api.sessions.schemas import password
from ledger.tickets import Status
from players.means import Means
from reports.players import Standing
from tote.models import CancellationReason


class NewPlayer(NewDetails):
    """A registration (T-Rules 35.3): who the person is stays encrypted. A document is asked for on doubt."""

    login = line(60, required=True)
    password = password()


class PlayerShown(Schema):
    """A registration: who it is of, masked, how it stands, the money on the game account.

    `pay_out_by` is the means its money goes back by as a rule (T-Rules 41).
    """

    id = fields.Integer(required=True)
    login = fields.String(required=True)
    person = fields.String(required=True)
    balance = Money(required=True)
    under_way = Money(required=True, metadata={"description": "списано и ещё не переведено на банковский счёт"})
    standing = word(Standing, required=True)
    excluded_until = Instant(
        required=True, allow_none=True, metadata={"description": "до какого момента лицо само ограничило себя"}
    )
    ended_at = Instant(required=True, allow_none=True)
    bank_account = fields.String(
        required=True, metadata={"description": "куда переводятся деньги, номер скрыт; пусто, если не указано"}
    )
    pay_out_by = word(Means, required=True)
    registered_at = Instant(required=True)


class PlayerQuery(PageQuery):
    """Which registrations to list."""

    login = line(60, metadata={"description": "начало логина"})


class PlayerListed(Schema):
    """A registration in a list: the login alone, and whether it was blocked."""

    id = fields.Integer(required=True)
    login = fields.String(required=True)
    registered_at = Instant(required=True)
    blocked_at = Instant(required=True, allow_none=True)


class PlayerPage(Schema):
    """A page of registrations, the newest first."""

    items = fields.List(fields.Nested(PlayerListed), required=True)
    next_cursor = fields.Integer(allow_none=True)


class IdentityShown(Schema):
    """A player who forgot the password shows the document of whoever registered (T-Rules 35.3)."""

    login = line(60, required=True)
    surname = line(60, required=True)
    name = line(60, required=True)
    patronymic = line(60)
    birth_date = fields.Date(required=True)
    document = fields.Nested(NewDocument, required=True)


class PlayerLocked(Schema):
    """A registration; ``blocked_at`` stands while it is locked."""

    id = fields.Integer(required=True)
    login = fields.String(required=True)
    blocked_at = Instant(required=True, allow_none=True)


class StatementLineShown(Schema):
    """A movement of the game account: signed, with what was left after it."""

    id = fields.Integer(required=True)
    player_id = fields.Integer(required=True)
    kind = fields.String(required=True)
    title = fields.String(required=True, metadata={"example": "Ставка"})
    amount = Money(required=True, signed=True)
    balance_after = Money(required=True)
    ticket_id = fields.Integer(required=True, allow_none=True)
    occurred_at = Instant(required=True)


class StatementPage(Schema):
    """A page of the statement, the latest movement first."""

    items = fields.List(fields.Nested(StatementLineShown), required=True)
    next_cursor = fields.Integer(allow_none=True)


class PlayersBetShown(Schema):
    """A bet of a player, with the result of the event once it is official (T-Rules 35.3)."""

    number = fields.Integer(required=True)
    placed_at = Instant(required=True)
    stake = Money(required=True)
    event = fields.String(required=True)
    event_starts_at = Instant(required=True)
    pool = fields.String(required=True)
    outcome = fields.String(required=True)
    outcome_name = fields.String(required=True, metadata={"description": "в пуле позиций: сколько их и ставок"})
    rows = fields.Integer(required=True, metadata={"description": "ставок в билете"})
    marks = fields.List(
        fields.List(fields.String()),
        required=True,
        allow_none=True,
        metadata={"description": "отмеченное в позициях; null, если позиций нет или ставки загружены по одной"},
    )
    status = word(Status, required=True)
    active = fields.Boolean(required=True)
    win = Money(required=True, allow_none=True)
    stake_back = Money(required=True, allow_none=True)
    standing = fields.String(
        required=True, allow_none=True, metadata={"enum": ["held", "not_held", "interrupted", None], "example": "held"}
    )
    score = fields.String(required=True, allow_none=True)
    result = fields.List(
        fields.String(allow_none=True),
        required=True,
        allow_none=True,
        metadata={"description": "шифры наступивших исходов; в пуле позиций — по позициям, null: не состоялась"},
    )
    cancelled_at = Instant(required=True, allow_none=True)
    cancellation_reason = word(CancellationReason, required=True, allow_none=True)


class PlayersBetsQuery(PageQuery):
    """Which bets of a player: those that still run, those that have ended, or both."""

    active = fields.Boolean()


class PlayersBetsPage(Schema):
    """A page of a player's bets, the latest first."""

    items = fields.List(fields.Nested(PlayersBetShown), required=True)
    next_cursor = fields.Integer(allow_none=True)


class NewEnding(Schema):
    """The end of a registration: a reason need not be given; the player's bank account, if it is known."""

    reason = line(metadata=SAID)
    bank_account = fields.Nested(NewBankAccount)


class NewExclusion(Schema):
    """For how many days somebody keeps themselves from betting; at least `self_exclusion_minimum_days`."""

    days = fields.Integer(required=True, strict=True, validate=validate.Range(1, 36600), metadata={"example": 365})


class NewExclusionShown(NewExclusion):
    """Who excludes themselves at a desk, player or not, by the document shown."""

    surname = line(60, required=True)
    name = line(60, required=True)
    patronymic = line(60)
    birth_date = fields.Date(required=True)
    document = fields.Nested(NewDocument, required=True)


class ExclusionShown(Schema):
    """A person's exclusion: from when, and until before which instant."""

    id = fields.Integer(required=True)
    person_id = fields.Integer(required=True)
    begins_at = Instant(required=True)
    ends_at = Instant(required=True)


class ExclusionPage(Schema):
    """A page of exclusions, the latest first."""

    items = fields.List(fields.Nested(ExclusionShown), required=True)
    next_cursor = fields.Integer(allow_none=True)
