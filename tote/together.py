"""Selling many bets of one bettor in one transaction: what placing each by itself would write, in a few statements.

Who may bet, terms, gates and money are judged as :mod:`tote.sales` judges them. A bet that something stands against,
or that wants a word of its own (a large one is noted), is left out: whoever calls places it by itself, and by that one
path it is refused with its reason, or accepted after all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlalchemy import Row, text
from sqlalchemy.orm import Session

from desk.shifts import open_shift_of
from ledger.balances import taking
from ledger.refusals import Refusal
from ledger.tickets import Status
from office.callers import Caller
from office.gate import enter_house
from office.significant.thresholds import LARGE_BET_FROM
from office.stops.standing import refuse_if_stopped
from players.permission import ACCOUNT_TO_BET_FROM
from tote.orders import Order, checked
from tote.pools import PoolTerms
from tote.sales import STAKE, Counter, check_window

MOST_POOLS = 50
"""Different pools of a batch that are entered at once. The gates stay entered until the commit: more of them would
leave the server's table of locks less than others need, and keep more closings waiting."""
# The order of gates is house, pools, shift (DESIGN 3.4): all pools come before the first call of `enter_sale`, which
# then finds them entered and goes on to the shift.
ENTER_POOLS = text("""
    SELECT count(pg_advisory_xact_lock_shared(1, pool::integer))
    FROM (SELECT pool FROM unnest(CAST(:pools AS bigint[])) AS pool ORDER BY pool) AS ascending
""")
# Each call is of a volatile function, whose statements each see what was committed before them.
ENTER = text("""
    SELECT sold.pool, sold.outcome, gate.*
    FROM unnest(CAST(:pools AS bigint[]), CAST(:outcomes AS text[])) AS sold (pool, outcome)
    CROSS JOIN LATERAL enter_sale(sold.pool, sold.outcome, :terminal) AS gate
""")
TAKE = text(f"WITH {taking(ACCOUNT_TO_BET_FROM)} SELECT account_id FROM taken")
# Bytes come as hexadecimal text: the driver takes thirty times as long to write out an array of bytes.
REGISTER = text(f"""
    WITH wanted AS (
        SELECT place, game, stake, currency, decode(digest, 'hex') AS code_digest, decode(sealed, 'hex') AS code_sealed,
            placed_at, pool_id, outcome, stakes_account_id, booked_on
        FROM unnest(CAST(:places AS integer[]), CAST(:games AS text[]), CAST(:stakes AS bigint[]),
            CAST(:currencies AS text[]), CAST(:digests AS text[]), CAST(:sealed AS text[]),
            CAST(:instants AS timestamptz[]), CAST(:pools AS bigint[]), CAST(:outcomes AS text[]),
            CAST(:stakes_accounts AS bigint[]), CAST(:days AS date[]))
            AS one (place, game, stake, currency, digest, sealed, placed_at, pool_id, outcome, stakes_account_id,
                booked_on)
    ), issued AS (
        INSERT INTO tickets (game, stake, currency, code_digest, code_sealed,
            player_id, shift_id, terminal_id, cashier_id, placed_at)
        SELECT game, stake, currency, code_digest, code_sealed,
            :player_id, :shift_id, :terminal_id, :cashier_id, placed_at FROM wanted ORDER BY place
        RETURNING id, code_digest
    ), sold AS (
        SELECT issued.id, wanted.* FROM issued JOIN wanted ON wanted.code_digest = issued.code_digest
    ), standing AS (
        INSERT INTO ticket_states (ticket_id, status) SELECT id, '{Status.ACCEPTED.value}' FROM sold ORDER BY id
    ), bet AS (
        INSERT INTO pool_bets (ticket_id, pool_id, outcome, stake)
        SELECT id, pool_id, outcome, stake FROM sold ORDER BY id
    ), paid AS (
        INSERT INTO transfers (debit_account_id, credit_account_id, amount, currency, kind, ticket_id, shift_id,
            occurred_at, booked_on)
        SELECT :payer, stakes_account_id, stake, currency, '{STAKE}', id, :shift_id, placed_at, booked_on
        FROM sold ORDER BY id
    )
    SELECT place, id FROM sold
""")


@dataclass(frozen=True)
class Offer:
    """An outcome of a pool as its gates show it: what all bets on it have in common.

    The instant at which its gate was entered is the bets'; stakes from ``large_from`` on want a note.
    """

    terms: PoolTerms
    gate: Row[Any]
    day: date
    large_from: int


@dataclass(frozen=True)
class Sale:
    """A bet that may be sold: its place among those asked for, its stake in minor units, what it is on."""

    place: int
    stake: int
    on: Offer


def sell_together(session: Session, counter: Counter, orders: Sequence[Order], caller: Caller) -> dict[int, int]:
    """Register the bets that nothing stands against and take their stakes; the tickets' numbers by place in ``orders``.

    Numbers go up in the order of the bets. A game account pays for all of them or for none: with too little money for
    the whole each bet is asked for by itself, in its turn. So is whatever comes behind a bet from it that is left to
    its own way though it may be accepted there, a large one, one on positions or on a pool too many: it must not find
    the money gone. A till sells what is left. The gates stay entered until this transaction ends.
    """
    offered = _offered(session, counter, orders, caller)
    sales = _sales(offered, _entered(session, counter, offered.values(), caller), caller)
    seller = _who_sells(session, sales, caller) if sales else None
    if seller is None:
        return {}
    numbers = session.execute(REGISTER, {**seller, **_columns(counter, sales)})
    return {place: number for place, number in numbers}


def _offered(
    session: Session, counter: Counter, orders: Sequence[Order], caller: Caller
) -> dict[int, tuple[Order, PoolTerms]]:
    """The orders that a pool's terms allow, by their place, on as many pools as are entered at once.

    Bets on positions go by themselves. From a game account none behind the first of these, or the first on a pool too
    many: the order tells whose money is short.
    """
    found: dict[int, tuple[Order, PoolTerms]] = {}
    pools: set[int] = set()
    for place, order in enumerate(orders):
        try:
            terms = counter.catalogue.terms(session, order.pool)
            alone = bool(terms.positions)
            if not alone:
                checked(terms, order)
        except Refusal:
            continue
        if alone or (len(pools) == MOST_POOLS and terms.pool.id not in pools):
            if caller.player_id is not None:
                break
            continue
        pools.add(terms.pool.id)
        found[place] = order, terms
    return found


def _entered(
    session: Session, counter: Counter, offered: Iterable[tuple[Order, PoolTerms]], caller: Caller
) -> dict[tuple[int, str], Offer]:
    """What may be sold behind its gates, by pool and outcome; all gates stay entered."""
    wanted = {(terms.pool.id, str(order.outcome)): terms for order, terms in offered}
    pools, outcomes = zip(*sorted(wanted), strict=True) if wanted else ((), ())
    enter_house(session)
    session.execute(ENTER_POOLS, {"pools": sorted(set(pools))})
    asked = {"pools": list(pools), "outcomes": list(outcomes), "terminal": caller.terminal_id}
    entered = {}
    for gate in session.execute(ENTER, asked).all():
        offer = _open(session, counter, wanted[gate.pool, gate.outcome], gate)
        if offer is not None:
            entered[gate.pool, gate.outcome] = offer
    return entered if caller.player_id is not None else _of_one_shift(entered)


def _of_one_shift(entered: Mapping[tuple[int, str], Offer]) -> dict[tuple[int, str], Offer]:
    """What the desk may sell by what each gate itself told of the shift: that it is open, and the same for all.

    The gates are entered one after the other: between two of them an agent's contract comes to its end, or a shift is
    opened at another terminal of the desk. No sale goes into a shift that its own gate did not show open.
    """
    shift = next((offer.gate.shift_id for offer in entered.values() if offer.gate.shift_open), None)
    return {on: offer for on, offer in entered.items() if offer.gate.shift_open and offer.gate.shift_id == shift}


def _sales(
    offered: Mapping[int, tuple[Order, PoolTerms]], open_now: Mapping[tuple[int, str], Offer], caller: Caller
) -> list[Sale]:
    """The bets to be sold together, in their order; from a game account none behind a large one."""
    sales = []
    for place, (order, terms) in offered.items():
        offer = open_now.get((terms.pool.id, str(order.outcome)))
        if offer is None:
            continue
        if order.stake < offer.large_from:
            sales.append(Sale(place, order.stake, offer))
        elif caller.player_id is not None:
            break
    return sales


def _open(session: Session, counter: Counter, terms: PoolTerms, gate: Row[Any]) -> Offer | None:
    """What is sold behind a gate, if anything is."""
    try:
        refuse_if_stopped(session, gate.stop_id)
        check_window(terms.pool, gate.entered_at, gate.pool_closed)
    except Refusal:
        return None
    operator = counter.operator_of(session, gate.settings_epoch)
    large_from = operator.settings.value(LARGE_BET_FROM, gate.entered_at)
    day = operator.day_of(gate.entered_at)
    return Offer(terms, gate, day, large_from)


def _who_sells(session: Session, sales: Sequence[Sale], caller: Caller) -> dict[str, Any] | None:
    """Who sells and who pays, the stakes taken from a game account; None where its money does not suffice."""
    if caller.player_id is None:
        # Any gate tells of the shift: sales whose gates told of no open one, or of another, were left out.
        shift = open_shift_of(session, caller.terminal_id, sales[0].on.gate)
        at_desk = {"shift_id": shift.id, "terminal_id": caller.terminal_id, "cashier_id": caller.user_id}
        return {"player_id": None, **at_desk, "payer": shift.cash_account_id}
    # An exclusion that is over at the first of the instants is over at the others.
    first = min(sale.on.gate.entered_at for sale in sales)
    taken = {"stake": sum(sale.stake for sale in sales), "player_id": caller.player_id, "placed_at": first}
    account = session.scalar(TAKE, taken)
    nowhere = {"shift_id": None, "terminal_id": None, "cashier_id": None}
    return None if account is None else {"player_id": caller.player_id, **nowhere, "payer": account}


def _columns(counter: Counter, sales: Sequence[Sale]) -> dict[str, list[Any]]:
    """What differs from ticket to ticket, column by column, as the database unnests them."""
    pools = [sale.on.terms.pool for sale in sales]
    codes = [counter.codes.new() for _ in sales]
    return {
        "places": [sale.place for sale in sales],
        "games": [pool.game for pool in pools],
        "stakes": [sale.stake for sale in sales],
        "currencies": [pool.currency for pool in pools],
        "digests": [code.digest.hex() for code in codes],
        "sealed": [code.sealed.hex() for code in codes],
        "instants": [sale.on.gate.entered_at for sale in sales],
        "pools": [pool.id for pool in pools],
        "outcomes": [sale.on.gate.outcome for sale in sales],
        "stakes_accounts": [pool.stakes_account_id for pool in pools],
        "days": [sale.on.day for sale in sales],
    }
