"""What registering a player takes, and what a player's page shows."""

from __future__ import annotations

from typing import Any

from marshmallow import ValidationError, fields, validate, validates_schema

from api.fields import Instant, Money, Number, PageQuery, Schema, Whole, line, word
from api.persons.schemas import NewDetails, NewDocument
from api.reasons import SAID
from api.sessions.schemas import password
from ledger.tickets import Status
from players.game_accounts import Cause
from players.ibans import is_iban
from players.means import Means
from reports.players import Standing
from reports.withdrawals import Stage


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
    outcome_name = fields.String(required=True)
    status = word(Status, required=True)
    active = fields.Boolean(required=True)
    win = Money(required=True, allow_none=True)
    stake_back = Money(required=True, allow_none=True)
    standing = fields.String(
        required=True, allow_none=True, metadata={"enum": ["held", "not_held", "interrupted", None], "example": "held"}
    )
    score = fields.String(required=True, allow_none=True)
    result = fields.List(
        fields.String(), required=True, allow_none=True, metadata={"description": "шифры наступивших исходов"}
    )


class PlayersBetsQuery(PageQuery):
    """Which bets of a player: those that still run, those that have ended, or both."""

    active = fields.Boolean()


class PlayersBetsPage(Schema):
    """A page of a player's bets, the latest first."""

    items = fields.List(fields.Nested(PlayersBetShown), required=True)
    next_cursor = fields.Integer(allow_none=True)


class NewBankAccount(Schema):
    """The bank account money is sent to."""

    account = fields.String(
        required=True,
        validate=[validate.Length(15, 34), Whole(r"^[A-Z]{2}[0-9]{2}[A-Z0-9]+$")],
        metadata={"example": "BY13NBRB3600900000002Z00AB00", "description": "IBAN"},
    )
    bank = line(required=True, metadata={"example": "ОАО «Банк»"})
    bank_code = fields.String(
        required=True, validate=Whole(r"^[A-Z0-9]{8}([A-Z0-9]{3})?$"), metadata={"example": "NBRBBY2X"}
    )

    @validates_schema
    def a_real_account(self, told: dict[str, Any], **_: Any) -> None:
        """The check digits are right: a mistyped account is told at once, not by a transfer that comes back."""
        if not is_iban(told["account"]):
            raise ValidationError({"account": ["Контрольные цифры номера счёта не сходятся: проверьте номер."]})


class BankAccountTold(Schema):
    """Where the player's money is sent from now on."""

    bank_account = fields.String(required=True)
    told_at = Instant(required=True)


class NewBankWithdrawal(Schema):
    """How much is sent to the player's bank account."""

    amount = Money(required=True)


class NewAccountPayout(Schema):
    """Money from a game account in cash: whose, how much, and the document of whoever registered or acts for them."""

    player = line(60, required=True, metadata={"description": "логин игрока"})
    amount = Money(required=True)
    surname = line(60, required=True)
    name = line(60, required=True, metadata={"example": "Пётр"})
    patronymic = line(60)
    birth_date = fields.Date(required=True)
    document = fields.Nested(NewDocument, required=True)
    approval = Number(strict=True, metadata={"description": "подтверждённое предложение, если нужен второй сотрудник"})


class NewAccountPayoutProposal(NewAccountPayout):
    """A payout from a game account put before a second person, with the reason."""

    class Meta:
        exclude = ("approval",)

    reason = line(required=True)


class WithdrawalView(Schema):
    """Money that left a game account; the person and the bank account are masked (D-16)."""

    id = fields.Integer(required=True)
    player_id = fields.Integer(required=True)
    amount = Money(required=True)
    means = word(Means, required=True)
    usual_means = word(Means, required=True)
    cause = word(Cause, required=True)
    withdrawn_at = Instant(required=True)
    stage = word(Stage, required=True)
    payment_order = fields.String(required=True, allow_none=True)
    reason = fields.String(required=True, allow_none=True)
    ended_at = Instant(required=True, allow_none=True)
    payout = fields.Integer(required=True, allow_none=True, metadata={"description": "строка журнала выплат"})
    person_id = fields.Integer(required=True)
    person_version = fields.Integer(required=True)
    person = fields.String(required=True)
    account = fields.String(required=True)


class WithdrawalQuery(PageQuery):
    """Which withdrawals to list."""

    player_id = Number()
    stage = fields.Enum(Stage, by_value=True)


class WithdrawalPage(Schema):
    """A page of withdrawals, the latest first."""

    items = fields.List(fields.Nested(WithdrawalView), required=True)
    next_cursor = fields.Integer(allow_none=True)


class NewTransferEnd(Schema):
    """The accountant's word on a transfer: the payment order it was sent by, or why the money goes back."""

    payment_order = line(60)
    reason = line(metadata=SAID)

    @validates_schema
    def one_of_the_two(self, told: dict[str, Any], **_: Any) -> None:
        """A transfer was sent or is returned, never both."""
        if ("payment_order" in told) == ("reason" in told):
            wrong = ["Укажите либо номер платёжного поручения, либо причину возврата."]
            raise ValidationError({"payment_order": wrong, "reason": wrong})


class NewBankDeposit(Schema):
    """A payment as the bank tells of it: its number there, the player it is for, the amount."""

    provider = line(60, required=True, metadata={"example": "bank"})
    payment_id = line(100, required=True, metadata={"example": "2022-11-22/000123"})
    player = line(60, required=True, metadata={"description": "логин игрока"})
    amount = Money(required=True)


class DepositShown(Schema):
    """Money put onto a game account, and by which means it came."""

    id = fields.Integer(required=True)
    player_id = fields.Integer(required=True)
    means = word(Means, required=True)
    provider = fields.String(required=True, allow_none=True)
    payment_id = fields.String(required=True, allow_none=True)
    amount = Money(required=True)
    transfer_id = fields.Integer(required=True)
    deposited_at = Instant(required=True)


class DepositQuery(PageQuery):
    """Which deposits to list."""

    player_id = Number()
    means = fields.Enum(Means, by_value=True)


class DepositPage(Schema):
    """A page of deposits, the latest first."""

    items = fields.List(fields.Nested(DepositShown), required=True)
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
