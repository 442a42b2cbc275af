"""Placing a bet in a pool: terms, gates, money and ticket in one transaction (DESIGN 3.4; T-Rules 25-28)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Row, insert, text
from sqlalchemy.orm import Session

from db.session import rows
from desk.shifts import open_shift_of
from ledger.balances import taking
from ledger.codes import Codes
from ledger.journal import insufficient_funds
from ledger.money import currency, format_amount
from ledger.refusals import Refusal
from ledger.tickets import NewTicket, issuing
from office.callers import Caller
from office.operator import Operator
from office.settings.book import SettingsBook
from office.significant.kinds import LARGE_BET
from office.significant.log import note
from office.significant.thresholds import LARGE_BET_FROM
from office.stops.standing import refuse_if_stopped
from players.permission import ACCOUNT_TO_BET_FROM, why_no_bet
from tote.models import Pool, UploadedRows
from tote.orders import Bets, Order, checked
from tote.pools import Catalogue
from tote.uploads import Part

STAKE = "stake"
ENTER = text("""
    SELECT entered_at, stop_id, pool_closed, shift_id, shift_open, cash_account_id, settings_epoch
    FROM enter_sale(:pool, :outcome, :terminal)
""")


def _registering(payer: str, issued: str) -> str:
    """The parts that write the bet of an issued ticket and its transfer, and the answer: the ticket's number."""
    return f"""
        bet AS (
            INSERT INTO pool_bets (ticket_id, pool_id, outcome, stake, rows, marks)
            SELECT id, :pool, :outcome, :stake, :rows, CAST(:marks AS jsonb) FROM issued
        ), paid AS (
            INSERT INTO transfers (debit_account_id, credit_account_id, amount, currency, kind, ticket_id, shift_id,
                occurred_at, booked_on)
            SELECT {payer}, :stakes_account, :stake, :currency, '{STAKE}', issued.id, :shift_id,
                :placed_at, :booked_on FROM {issued}
        )
        SELECT id FROM issued"""


# One statement writes the ticket, its state, its bet and its transfer, or nothing when no money was taken.
AT_DESK = text(f"WITH {issuing()}, {_registering(':payer', 'issued')}")
ONLINE = text(
    f"WITH {taking(ACCOUNT_TO_BET_FROM)}, {issuing('FROM taken')}, {_registering('taken.account_id', 'issued, taken')}"
)


@dataclass(frozen=True)
class Counter:
    """What selling needs besides the session: the operator, the settings, the makers of codes, the pools' terms."""

    unset_operator: Operator
    settings: SettingsBook
    codes: Codes
    catalogue: Catalogue

    def operator_of(self, session: Session, epoch: int | None) -> Operator:
        """The operator by the settings that the gates of a sale showed."""
        return replace(self.unset_operator, settings=self.settings.read(session, epoch or 0))


@dataclass(frozen=True)
class Sold:
    """What is being sold: the bets, in which pool, for how much in minor units."""

    pool: Pool
    stake: int
    bets: Bets


def place(session: Session, counter: Counter, order: Order, caller: Caller) -> int:
    """Register a bet and take its stake; the ticket's running number.

    The gates are entered before anything is written: whoever closes the pool or the shift waits for this bet, and a
    bet that waited for the close reads it and is refused. No row that other bets of the pool, the outcome or the desk
    must update is touched; of two bets of one player the second waits for the first one's balance.

    Raises:
        Refusal: ``unknown_pool``, those of :func:`tote.orders.checked`, ``sales_stopped``, ``pool_not_open``,
            ``pool_closed``, ``no_open_shift``, ``terminal_withdrawn``, ``desk_withdrawn``, ``insufficient_funds``,
            ``player_blocked``, ``self_excluded``.
    """
    terms = counter.catalogue.terms(session, order.pool)
    bets = checked(terms, order)
    asked = {"pool": terms.pool.id, "outcome": bets.outcome, "terminal": caller.terminal_id}
    gate = rows(session, ENTER, asked).one()
    refuse_if_stopped(session, gate.stop_id)
    check_window(terms.pool, gate.entered_at, gate.pool_closed)
    if caller.player_id is not None:
        number = _sell_online(session, counter, Sold(terms.pool, order.stake, bets), caller.player_id, gate)
    else:
        number = _sell_at_desk(session, counter, Sold(terms.pool, order.stake, bets), caller, gate)
    keep_uploaded(session, number, bets.parts)
    _note_if_large(session, counter, terms.pool, order, number, caller, gate)
    return number


def keep_uploaded(session: Session, number: int, parts: Sequence[Part]) -> None:
    """Keep the rows that were uploaded for a ticket: in the transaction that sells it, or neither is."""
    if parts:
        kept = [{"ticket_id": number, "part": at, **vars(part)} for at, part in enumerate(parts)]
        session.execute(insert(UploadedRows), kept)


def check_window(pool: Pool, at: datetime, closed: bool) -> None:
    """Bets only within the announced window, by the database's clock, and before the close (T-Rules 28)."""
    if at < pool.opens_at:
        raise Refusal("pool_not_open", "Приём ставок в пул ещё не начался.", opens_at=pool.opens_at.isoformat())
    if closed or at >= pool.closes_at:
        raise Refusal("pool_closed", "Приём ставок в пул окончен.")


def _note_if_large(
    session: Session, counter: Counter, pool: Pool, order: Order, number: int, by: Caller, gate: Row[Any]
) -> None:
    """Write a large bet down (INDUSTRY); of any other nothing more is asked of the database."""
    settings = counter.settings.read(session, gate.settings_epoch or 0)
    if order.stake >= settings.value(LARGE_BET_FROM, gate.entered_at):
        stake = format_amount(order.stake, currency(pool.currency))
        note(session, LARGE_BET, f"ticket:{number}", by, pool=pool.code, stake=stake, currency=pool.currency)


def _sell_at_desk(session: Session, counter: Counter, sold: Sold, caller: Caller, gate: Row[Any]) -> int:
    shift = open_shift_of(session, caller.terminal_id, gate)
    ticket = NewTicket(
        game=sold.pool.game,
        stake=sold.stake,
        currency=sold.pool.currency,
        code=counter.codes.new(),
        placed_at=shift.entered_at,
        shift_id=shift.id,
        terminal_id=caller.terminal_id,
        cashier_id=caller.user_id,
    )
    operator = counter.operator_of(session, gate.settings_epoch)
    asked = {**_asked(operator, sold, ticket), "payer": shift.cash_account_id}
    return int(rows(session, AT_DESK, asked).scalar_one())


def _sell_online(session: Session, counter: Counter, sold: Sold, player_id: int, gate: Row[Any]) -> int:
    ticket = NewTicket(
        game=sold.pool.game,
        stake=sold.stake,
        currency=sold.pool.currency,
        code=counter.codes.new(),
        placed_at=gate.entered_at,
        player_id=player_id,
    )
    operator = counter.operator_of(session, gate.settings_epoch)
    number: int | None = rows(session, ONLINE, _asked(operator, sold, ticket)).scalar()
    if number is None:
        why_no_bet(session, player_id, ticket.placed_at)
        raise insufficient_funds("пополните счёт или уменьшите ставку")
    return number


def _asked(operator: Operator, sold: Sold, ticket: NewTicket) -> dict[str, Any]:
    bets = sold.bets
    return {
        **ticket.parameters(),
        "pool": sold.pool.id,
        "outcome": bets.outcome,
        "rows": bets.rows,
        "marks": None if bets.marks is None else json.dumps(bets.marks, ensure_ascii=False),
        "stakes_account": sold.pool.stakes_account_id,
        "booked_on": operator.day_of(ticket.placed_at),
    }
