"""Money out of game accounts: in cash at a desk, or to the player's bank account (T-Rules 41-43)."""

from __future__ import annotations

from functools import partial
from operator import attrgetter
from typing import Any

from api.answers import refuses
from api.approvals.schemas import ApprovalShown
from api.auth import allowed
from api.desk.payouts import APPROVAL_REFUSALS
from api.desk.schemas import PayoutShown
from api.fields import IdempotencyKey, PageQuery
from api.guessing import guarded, registry_for
from api.house import caller, house, session
from api.pages import page_of
from api.persons.telling import details_of
from api.players.blueprint import OFFICE, own_id, players
from api.players.money_schemas import (
    NewAccountPayout,
    NewAccountPayoutProposal,
    NewBankWithdrawal,
    NewTransferEnd,
    WithdrawalPage,
    WithdrawalQuery,
    WithdrawalView,
)
from api.requests import keyed
from desk.account_payouts import pay_from_account, propose_from_account
from desk.bank_transfers import Word, end_transfer
from desk.second_person import FromAccount, recipient
from office.callers import Role
from office.persons.details import NaturalPerson
from players.identity import proven_player
from players.models import Player
from players.registration import player_by_id
from players.withdrawing import ask_bank_transfer
from reports.approvals import approval
from reports.payouts import line
from reports.withdrawals import WithdrawalShown, withdrawal, withdrawals

PERMISSION_REFUSALS = ("identity_not_proven", "too_many_attempts", "registration_ended", "player_blocked")
SHIFT_REFUSALS = ("no_open_shift", "terminal_withdrawn", "desk_withdrawn")


@players.post("/account-payouts")
@players.arguments(IdempotencyKey, location="headers")
@players.arguments(NewAccountPayout)
@players.response(201, PayoutShown)
@allowed(Role.CASHIER)
@refuses(
    *PERMISSION_REFUSALS,
    *SHIFT_REFUSALS,
    *APPROVAL_REFUSALS,
    "card_first",
    "insufficient_funds",
    "not_enough_money",
)
def pay_out_account(headers: dict[str, Any], told: dict[str, Any]) -> Any:
    """Pay a player's money in cash against the document of whoever registered, and write the journal's line.

    A large payout is refused with `second_person_needed`: propose it, and present the document again with `approval`.
    """
    with guarded("identity_not_proven", registry_for(caller())):
        payout_id, replay = keyed(
            headers["key"],
            told,
            lambda: pay_from_account(session(), house().operator, _asked(told), caller()).id,
        )
    return line(session(), house().persons, payout_id), replay


@players.post("/account-payout-proposals")
@players.doc(operationId="propose_account_payout")
@players.arguments(IdempotencyKey, location="headers")
@players.arguments(NewAccountPayoutProposal)
@players.response(201, ApprovalShown)
@allowed(Role.CASHIER)
@refuses(*PERMISSION_REFUSALS, *SHIFT_REFUSALS)
def propose_to_pay_account(headers: dict[str, Any], told: dict[str, Any]) -> Any:
    """Propose a payout from a game account that takes two persons."""
    with guarded("identity_not_proven", registry_for(caller())):
        proposal_id, replay = keyed(
            headers["key"],
            told,
            lambda: propose_from_account(session(), house().operator, _asked(told), caller(), told["reason"]).id,
        )
    return approval(session(), house().persons, proposal_id, caller()), replay


@players.post("/players/me/withdrawals")
@players.doc(operationId="ask_bank_withdrawal")
@players.arguments(IdempotencyKey, location="headers")
@players.arguments(NewBankWithdrawal)
@players.response(201, WithdrawalView)
@allowed(Role.PLAYER)
@refuses("bank_details_needed", "card_first", "insufficient_funds", "registration_ended", "player_blocked")
def ask_for_transfer(headers: dict[str, Any], told: dict[str, Any]) -> Any:
    """Have money sent to the calling player's bank account: it leaves the balance now, the accountant sends it."""
    number, replay = keyed(headers["key"], told, lambda: _ask(told["amount"]))
    return withdrawal(session(), house().persons, number), replay


@players.get("/players/me/withdrawals")
@players.doc(operationId="list_own_withdrawals")
@players.arguments(PageQuery, location="query")
@players.response(200, WithdrawalPage)
@allowed(Role.PLAYER)
def my_withdrawals(page: dict[str, Any]) -> dict[str, Any]:
    """What the calling player has taken out and how it stands, the latest first."""
    return _page(page, player_id=own_id())


@players.get("/account-withdrawals")
@players.doc(operationId="list_withdrawals")
@players.arguments(WithdrawalQuery, location="query")
@players.response(200, WithdrawalPage)
@allowed(*OFFICE)
def all_withdrawals(asked: dict[str, Any]) -> dict[str, Any]:
    """What left game accounts; `stage=under_way` is what the accountant has to send."""
    return _page(asked, player_id=asked.get("player_id"), stage=asked.get("stage"))


@players.get("/account-withdrawals/<int:withdrawal_id>")
@players.response(200, WithdrawalView)
@allowed(*OFFICE)
def show_withdrawal(withdrawal_id: int) -> WithdrawalShown:
    """A withdrawal; the bank account in full is the named version of the person, a view that is put on record."""
    return withdrawal(session(), house().persons, withdrawal_id)


@players.post("/account-withdrawals/<int:withdrawal_id>/ending")
@players.doc(operationId="end_withdrawal")
@players.arguments(IdempotencyKey, location="headers")
@players.arguments(NewTransferEnd)
@players.response(201, WithdrawalView)
@allowed(Role.ACCOUNTANT)
@refuses("withdrawal_ended", "not_enough_money")
def end_bank_transfer(headers: dict[str, Any], told: dict[str, Any], withdrawal_id: int) -> Any:
    """Record that a transfer was sent, by its payment order, or return the money to the game account with a reason."""
    _, replay = keyed(
        headers["key"],
        told,
        lambda: end_transfer(session(), house().operator, withdrawal_id, Word(**told), caller()).id,
    )
    return withdrawal(session(), house().persons, withdrawal_id), replay


def _asked(told: dict[str, Any]) -> FromAccount:
    """What is asked for, by somebody who has shown to be the player or to act for one."""
    shown = details_of(told)
    assert isinstance(shown, NaturalPerson), "a document at a desk is a human being's"
    player = proven_player(session(), house().persons, told["player"], shown)
    approval_id = told.get("approval")
    return FromAccount(player.id, told["amount"], _paid_as(player, shown, approval_id), approval_id)


def _paid_as(player: Player, shown: NaturalPerson, approval_id: int | None) -> int:
    """The version the journal points to: what was shown, or the entity with who acts for it."""
    if not isinstance(house().persons.read(session(), player.person_version_id), NaturalPerson):
        return player.person_version_id
    return recipient(session(), house().persons, shown, approval_id)


def _ask(amount: int) -> int:
    player = player_by_id(session(), own_id())
    return ask_bank_transfer(session(), house().operator, player, amount, caller()).id


def _page(page: dict[str, Any], **wanted: Any) -> dict[str, Any]:
    found, following = page_of(page, partial(withdrawals, session(), house().persons, **wanted), attrgetter("id"))
    return {"items": found, "next_cursor": following}
