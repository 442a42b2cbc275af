"""Pools, bets, tickets."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from functools import partial
from operator import attrgetter
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from api.answers import refuses
from api.auth import allowed, once_let_in
from api.fields import IdempotencyKey, PageQuery
from api.house import caller, house, session
from api.idempotency import storing_key
from api.ownership import own_desk, own_only, own_player
from api.pages import page_of
from api.requests import Blueprint, keyed, of_at_most
from api.tote.bet_schemas import LARGEST_UPLOAD, NewBet, TicketPage, TicketQuery, TicketShown, order_of
from api.tote.schemas import Closed, NewPool, PoolPage, PoolShown, Sheet
from api.tote.sheets import sheet_shown
from api.watch.figures import count_bet
from db.pages import newest_first
from db.session import rows
from desk.gates import no_such_desk
from ledger.codes import masked
from office.callers import Role
from office.operator import Operator
from office.stops.standing import stops_of_pools
from players.registration import no_such_player
from tote.announcing import Announcement, announce
from tote.closing import close
from tote.models import Pool, PoolClosing
from tote.pools import outcomes_by_pool, pool_by_code
from tote.positions import table_of_matches
from tote.receipts import ISSUED_ALONE, Asked, Receipt, issued, no_such_ticket, receipt, receipts
from tote.repeats import note_repeat
from tote.rules.payment_term import DAY, start_of_day
from tote.sales import place
from tote.settling import settle_pool
from tote.statuses import statuses_of

tote = Blueprint("tote", __name__, url_prefix="/api/v1", description="Тотализатор: пулы, ставки, билеты")
CLOSING = ("bets", "withdrawal", "fund", "closed_at")
BET_REFUSALS = (
    "unknown_pool",
    "unknown_outcome",
    "marks_wrong",
    "rows_unreadable",
    "ticket_too_large",
    "stake_is_not_divisible",
    "stake_under_minimum",
    "stake_over_maximum",
    "stake_is_not_the_price",
    "sales_stopped",
    "pool_not_open",
    "pool_closed",
    "no_open_shift",
    "terminal_withdrawn",
    "desk_withdrawn",
    "insufficient_funds",
    "player_blocked",
    "self_excluded",
)
STORED_AND_TOLD = storing_key(ISSUED_ALONE)
OFFICE = (Role.ORGANIZER, Role.ACCOUNTANT, Role.AUDITOR, Role.SUPERVISOR, Role.TRADER)


@tote.post("/pools")
@tote.arguments(NewPool)
@tote.response(201, PoolShown)
@allowed(Role.ORGANIZER)
@refuses(
    "special_account_not_open", "code_taken", "not_found", "result_already_fixed", "pool_terms_wrong", "rule_broken"
)
def announce_pool(told: dict[str, Any]) -> dict[str, Any]:
    """Announce a pool; its terms are frozen."""
    organizer = caller().user_id
    assert organizer is not None, "an organizer is a user of the office"
    outcomes = tuple((outcome["code"], outcome["name"]) for outcome in told.pop("outcomes", None) or ())
    positions, levels = (told.pop(name, None) for name in ("positions", "levels"))
    announcement = Announcement(
        **told,
        outcomes=outcomes,
        positions=tuple(positions or ()),
        levels=None if levels is None else tuple(levels),
    )
    pool = announce(session(), announcement, money=house().operator.currency, announced_by=organizer)
    session().commit()
    (shown,) = _shown_pools([pool])
    return shown


@tote.get("/pools")
@tote.arguments(PageQuery, location="query")
@tote.response(200, PoolPage)
@allowed(*Role)
def list_pools(page: dict[str, Any]) -> dict[str, Any]:
    """The pools, the latest announced first."""
    pools, following = page_of(page, _announced, attrgetter("id"))
    return {"items": _shown_pools(pools), "next_cursor": following}


@tote.get("/pools/<code:code>")
@tote.response(200, PoolShown)
@allowed(*Role)
@refuses("unknown_pool")
def show_pool(code: str) -> dict[str, Any]:
    """A pool's terms and where it stands."""
    (shown,) = _shown_pools([pool_by_code(session(), code)])
    return shown


@tote.get("/pools/<code:code>/sheet")
@tote.response(200, Sheet)
@allowed(*OFFICE)
@refuses("unknown_pool")
def show_sheet(code: str) -> dict[str, Any]:
    """The sheet of a pool."""
    return sheet_shown(pool_by_code(session(), code))


@tote.post("/pools/<code:code>/closing")
@tote.arguments(IdempotencyKey, location="headers")
@tote.response(201, Closed)
@allowed(Role.ORGANIZER)
@refuses("unknown_pool", "pool_already_closed", "pool_not_open")
def close_pool(headers: dict[str, Any], code: str) -> Any:
    """End a pool's sales and take the withdrawal (T-Prov 12).

    Before they have begun only where the event is known not to be held.
    """
    pool = pool_by_code(session(), code)
    closing_id, replay = keyed(
        headers["key"], {}, lambda: close(session(), house().operator, pool, caller().user_id).id
    )
    closing = session().get_one(PoolClosing, closing_id)
    return {"code": code, **{name: getattr(closing, name) for name in CLOSING}, "pool": closing.stakes}, replay


@tote.post("/pools/<code:code>/settlement")
@tote.doc(operationId="settle_pool")
@tote.arguments(IdempotencyKey, location="headers")
@tote.response(201, Sheet)
@allowed(Role.ORGANIZER)
@refuses("unknown_pool", "pool_not_closed", "result_not_confirmed", "result_names_no_outcome")
def settle(headers: dict[str, Any], code: str) -> Any:
    """Settle a pool by the protocol of its event: divide the fund, credit game accounts (T-Rules 36.1).

    Where the event was not held, every stake is returned (T-Rules 32). Where the protocol was corrected, the pool is
    settled again by the new one (D-14).
    """
    _, replay = keyed(headers["key"], {}, lambda: _settle(code))
    return sheet_shown(pool_by_code(session(), code)), replay


@tote.post("/pool-bets")
@tote.arguments(IdempotencyKey, location="headers")
@tote.arguments(NewBet)
@tote.response(201, TicketShown)
@allowed(Role.CASHIER, Role.PLAYER)
@refuses(*BET_REFUSALS)
@once_let_in
@of_at_most(LARGEST_UPLOAD)
def place_bet(headers: dict[str, Any], told: dict[str, Any]) -> Any:
    """Place a bet in a pool: for cash at a desk, or from the calling player's game account."""
    sold: list[Receipt] = []

    def sell() -> int:
        return place(session(), house().counter, order_of(told), caller())

    def store(asking: Session, key: dict[str, Any]) -> None:
        # The receipt is read by the way: afterwards it would take a statement and a transaction of its own.
        sold.append(Receipt(*rows(asking, STORED_AND_TOLD, key).one()))

    number, replay = count_bet(
        lambda: house().catalogue.game_of(told["pool"]), lambda: keyed(headers["key"], told, sell, store)
    )
    if replay:
        note_repeat(session(), number, caller())
        return shown_as_issued(issued(session(), [number])[number]), replay
    return shown_as_issued(sold[0]), replay


@tote.get("/tickets")
@tote.arguments(TicketQuery, location="query")
@tote.response(200, TicketPage)
@allowed(Role.CASHIER, Role.PLAYER, *OFFICE)
@refuses("not_found", "unknown_pool")
def list_tickets(asked: dict[str, Any]) -> dict[str, Any]:
    """Tickets, the newest first, their codes masked; players see their own, cashiers those of their own desk."""
    tickets, following = page_of(asked, partial(receipts, session(), _asked(asked)), attrgetter("number"))
    return {"items": [_ticket(ticket, _code(ticket)) for ticket in tickets], "next_cursor": following}


@tote.get("/tickets/<int:number>")
@tote.response(200, TicketShown)
@allowed(Role.CASHIER, Role.PLAYER, *OFFICE)
def show_ticket(number: int) -> dict[str, Any]:
    """A ticket without its payable code; players see their own, cashiers those of their own desk."""
    found = receipt(session(), number)
    own_only(no_such_ticket(), desk_id=found.desk_id, player_id=found.player_id)
    return _ticket(found, _code(found))


def _asked(told: dict[str, Any]) -> Asked:
    """The tickets a query names, within what the caller sees."""
    pool, day, operator = told.get("pool"), told.get("day"), house().operator
    return Asked(
        pool_id=None if pool is None else pool_by_code(session(), pool).id,
        desk_id=own_desk(told.get("desk_id"), no_such_desk()),
        player_id=own_player(told.get("player_id"), no_such_player()),
        status=told.get("status"),
        placed=None if day is None else (_beginning(operator, day), _beginning(operator, day + DAY)),
    )


def _beginning(operator: Operator, day: date) -> datetime:
    return start_of_day(day, operator.zone_on(day))


def shown_as_issued(found: Receipt) -> dict[str, Any]:
    """A ticket as its bet was answered, its payable code included; the same at every repeat."""
    code = _code(found)
    return {**_ticket(found, code), "code": code}


def _announced(before: int, limit: int) -> Sequence[Pool]:
    """The pools announced before the one with this id (0: from the latest), the latest first."""
    return session().scalars(newest_first(select(Pool), Pool.id, before, limit)).all()


def _settle(code: str) -> int:
    operator = house().operator
    # The settlement has transactions of its own; the request's must not stay open beside them.
    session().rollback()
    return settle_pool(house().sessions, operator, code).id


def _shown_pools(pools: Sequence[Pool]) -> list[dict[str, Any]]:
    """Pools as they are shown; the database is asked as often for a page of them as for one."""
    ids = [pool.id for pool in pools]
    outcomes, statuses = outcomes_by_pool(session(), ids), statuses_of(session(), ids)
    stops = stops_of_pools(session(), ids)
    named = PoolShown().fields
    return [
        {
            **{name: getattr(pool, name) for name in named if hasattr(pool, name)},
            "outcomes": outcomes[pool.id] if pool.positions is None else [],
            "matches": table_of_matches(pool),
            "status": statuses[pool.id].value,
            "stop": stops.get(pool.id),
        }
        for pool in pools
    ]


def _ticket(found: Receipt, code: str) -> dict[str, Any]:
    return {**vars(found), "code_masked": masked(code), "operator": found.operator or house().unset_operator.unset_name}


def _code(found: Receipt) -> str:
    return house().codes.open(found.code_sealed, found.code_digest)
