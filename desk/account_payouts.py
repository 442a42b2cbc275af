"""Paying a player's money from the game account in cash: the document, one line in the journal (T-Prov 22-24)."""

from __future__ import annotations

from sqlalchemy.orm import Session

from desk.models import NO_CODE, Payout
from desk.payouts import PAYOUTS
from desk.places import hold_enough
from desk.second_person import FromAccount, approval_from_account, put_account_payout
from desk.shifts import enter_shift
from office.approvals.models import Proposal
from office.callers import Caller
from office.gate import enter_house
from office.numbers import next_number
from office.operator import Operator
from players.means import Means
from players.models import Player
from players.permission import permit_withdrawal
from players.withdrawing import IN_CASH, Out, take_out


def pay_from_account(session: Session, operator: Operator, asked: FromAccount, caller: Caller) -> Payout:
    """Pay money of a player, who has shown a document, out of the till, and write the journal's line.

    The gates are those of every cash payout. The till is asked before the game account, and the number is taken last.

    Raises:
        Refusal: every reason of :func:`desk.shifts.open_shift_of`, of :func:`players.permission.permit_withdrawal` and
            of :func:`players.withdrawing.take_out`; ``second_person_needed`` and what may be wrong with an approval;
            ``not_enough_money`` in the till.
    """
    assert caller.terminal_id is not None and caller.user_id is not None, "only a cashier at a terminal pays"
    enter_house(session)
    shift = enter_shift(session, caller.terminal_id)
    player = session.get_one(Player, asked.player_id)
    permit_withdrawal(session, player)
    approval = approval_from_account(session, asked, operator.currency, caller, shift.entered_at)
    hold_enough(session, shift.cash_account_id, asked.amount, operator.currency)
    out = Out(
        Means.CASH_DESK,
        onto=shift.cash_account_id,
        kind=IN_CASH,
        person_version_id=asked.person_version_id,
        at=shift.entered_at,
        shift_id=shift.id,
    )
    withdrawal = take_out(session, operator, player, asked.amount, out, caller)
    payout = Payout(
        withdrawal_id=withdrawal.id,
        amount=asked.amount,
        person_version_id=asked.person_version_id,
        shift_id=shift.id,
        cashier_id=caller.user_id,
        paid_at=shift.entered_at,
        code_entry=NO_CODE,
        approval_id=approval.id if approval else None,
        approved_by=approval.by if approval else None,
        number=next_number(session, PAYOUTS),
    )
    session.add(payout)
    session.flush()
    return payout


def propose_from_account(
    session: Session, operator: Operator, asked: FromAccount, caller: Caller, reason: str
) -> Proposal:
    """Put a payout from a game account before a second person; nothing is paid or held for it.

    Raises:
        Refusal: every reason of :func:`desk.shifts.open_shift_of` and of
            :func:`players.permission.permit_withdrawal`.
    """
    enter_shift(session, caller.terminal_id)
    permit_withdrawal(session, session.get_one(Player, asked.player_id))
    return put_account_payout(session, asked, operator.currency, caller, reason)
