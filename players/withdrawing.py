"""Taking money off a game account, and what becomes of a bank transfer (T-Rules 35.3, 41, 42).

Cash leaves at once, by a line of the journal (`desk/account_payouts.py`). For a bank transfer the money is reserved:
it leaves the game account and waits among the transfers under way, until the accountant says that it was sent
(`desk/bank_transfers.py`) or gives it back.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.orm import Session

from db.clock import trade_time
from ledger.accounts import OPERATOR, Kind, open_account
from ledger.journal import Movement, post
from ledger.money import currency, format_amount
from ledger.refusals import Refusal
from office.callers import Caller
from office.operator import Operator
from office.significant.kinds import WITHDRAWN_OTHERWISE
from office.significant.log import note
from players.bank_details import details_in_force, no_bank_details
from players.flows import flows_of
from players.game_accounts import AccountWithdrawal, Cause
from players.means import Means, owed_to_card, usual_means
from players.models import Player
from players.permission import permit_withdrawal

IN_CASH = "account_withdrawal"
RESERVED = "account_withdrawal_reserved"


@dataclass(frozen=True)
class Out:
    """How money leaves a game account: by which means, onto which account of ours, to whom, and when."""

    means: Means
    onto: int
    kind: str
    person_version_id: int
    at: datetime
    cause: Cause = Cause.ASKED
    bank_details_id: int | None = None
    shift_id: int | None = None


def ask_bank_transfer(
    session: Session, operator: Operator, player: Player, amount: int, by: Caller
) -> AccountWithdrawal:
    """Reserve an amount (minor units) of a player's money for a transfer to the bank account on record.

    Raises:
        Refusal: ``bank_details_needed``; every reason of :func:`players.permission.permit_withdrawal` and of
            :func:`take_out`.
    """
    permit_withdrawal(session, player)
    return reserve(session, operator, player, amount, Cause.ASKED, by)


def reserve(
    session: Session, operator: Operator, player: Player, amount: int, cause: Cause, by: Caller | None = None
) -> AccountWithdrawal:
    """Reserve money for a transfer, whoever wants it; permission is the caller's to ask.

    Raises:
        Refusal: ``bank_details_needed``; every reason of :func:`take_out`.
    """
    details = details_in_force(session, player.id)
    if details is None:
        raise no_bank_details()
    out = Out(
        Means.BANK_TRANSFER,
        onto=under_way(session, operator),
        kind=RESERVED,
        person_version_id=details.person_version_id,
        at=trade_time(session),
        cause=cause,
        bank_details_id=details.id,
    )
    return take_out(session, operator, player, amount, out, by)


def take_out(
    session: Session, operator: Operator, player: Player, amount: int, out: Out, by: Caller | None = None
) -> AccountWithdrawal:
    """Move money off a game account and record by which means it goes, and by which it would go as a rule.

    Raises:
        Refusal: ``card_first`` with the amount, what came from a card goes back to it before anything else (T-Rules
            41); ``insufficient_funds``.
    """
    usual = means_to_use(session, operator, player.id, out.means)
    movement = Movement(player.account_id, out.onto, amount, out.kind, shift_id=out.shift_id)
    moved = post(session, [movement], currency=operator.currency, occurred_at=out.at, booked_on=operator.day_of(out.at))
    withdrawal = AccountWithdrawal(
        player_id=player.id,
        means=out.means,
        usual_means=usual,
        cause=out.cause,
        amount=amount,
        person_version_id=out.person_version_id,
        bank_details_id=out.bank_details_id,
        transfer_id=moved[0],
        withdrawn_at=out.at,
    )
    session.add(withdrawal)
    session.flush()
    if out.means != usual and out.cause is Cause.ASKED:
        shown = {"amount": format_amount(amount, currency(operator.currency)), "means": out.means, "usual": usual}
        note(session, WITHDRAWN_OTHERWISE, f"withdrawal:{withdrawal.id}", by, player=player.id, **shown)
    return withdrawal


def means_to_use(session: Session, operator: Operator, player_id: int, chosen: Means) -> Means:
    """The means a player is paid by as a rule, if the chosen one is open at all.

    Raises:
        Refusal: ``card_first`` with the amount.
    """
    flows = flows_of(session, player_id)
    owed = owed_to_card(flows)
    if owed and chosen is not Means.CARD:
        shown = format_amount(owed, currency(operator.currency))
        said = f"Сначала на карту игрока возвращается внесённое с неё: {shown}."
        raise Refusal("card_first", said, amount=shown)
    return usual_means(flows)


def under_way(session: Session, operator: Operator) -> int:
    """The account of transfers that are ordered and not sent yet."""
    return open_account(session, Kind.UNDER_WAY, OPERATOR, operator.currency)
