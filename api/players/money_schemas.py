"""What money in and out of game accounts takes and shows."""

from __future__ import annotations

from typing import Any

from marshmallow import ValidationError, fields, validate, validates_schema

from api.fields import Instant, Money, Number, PageQuery, Schema, Whole, line, word
from api.persons.schemas import NewDocument
from api.reasons import SAID
from players.game_accounts import Cause
from players.ibans import is_iban
from players.means import Means
from reports.withdrawals import Stage


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
