"""Announcing a pool: what the organizer says, what its game makes of it, and the terms that are frozen (T-Rules 24)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from db.clock import trade_time
from events.models import Event
from events.protocols import hold_protocol, refuse_if_fixed
from events.starts.standing import start_of
from ledger.accounts import Account, Kind, open_account
from ledger.money import currency, format_amount
from ledger.refusals import Refusal
from office.gate import enter_house
from tote.games.register import game
from tote.models import ALL_POSITIONS, NotHeld, Pool, PoolOutcome
from tote.positions import Position, kept_levels, kept_positions
from tote.rules.levels import EmptyLevel, Level
from tote.rules.pool import AnnouncedTerms, PoolTerms
from tote.rules.refusal import RuleError

LARGEST_STAKE = 10**11
"""The largest stake a pool may allow, in minor units: millions of them are still a sum that can be kept (D-2)."""
LARGEST_MINIMUM = 100
"""The largest promise to a winner, in stakes: a coefficient, or a least win over the price of a bet."""
TERMS = frozenset(
    {"price", "fund_percent", "minimum_coefficient", "minimum_win", "maximum_win", "levels", "empty_level"}
)
"""What decides the money of a pool, and is the organizer's to say where its game allows it."""
EVERY_BET = (ALL_POSITIONS, "По позициям")
"""The one outcome of a pool of positions and what people read for it."""
LARGEST_SHOWN = format_amount(LARGEST_STAKE, currency("BYN"))


@dataclass(frozen=True)
class Announcement:
    """What the organizer announces (T-Rules 5, 6, 24): money in minor units, outcomes as code and name.

    A pool has limits of the stake or one price of a bet, and outcomes or positions, as its game wants it.
    """

    code: str
    name: str
    game: str
    event_id: int
    opens_at: datetime
    closes_at: datetime
    outcomes: tuple[tuple[str, str], ...] = ()
    positions: tuple[Position, ...] = ()
    levels: tuple[Level, ...] | None = None
    empty_level: EmptyLevel | None = None
    not_held: NotHeld | None = None
    minimum_stake: int | None = None
    maximum_stake: int | None = None
    price: int | None = None
    fund_percent: Decimal | None = None
    minimum_coefficient: Decimal | None = None
    minimum_win: int | None = None
    maximum_win: int | None = None


def announce(session: Session, announcement: Announcement, *, money: str, announced_by: int) -> Pool:
    """Announce a pool: its terms are frozen, its accounts opened.

    Its sales end before the start in force. The house's gate keeps that start from being changed meanwhile; a later
    change finds the pool.

    Raises:
        Refusal: ``special_account_not_open``, the fund's bank account comes before the first bet (T-Prov 9);
            ``code_taken``; ``not_found``, no such event; ``result_already_fixed``, a protocol says how it ended, or
            that it was not held; ``pool_terms_wrong``, with the reason.
        RuleError: the game's own, of :func:`terms_of_game` and :func:`stake_limits`; ``missing_field`` and
            ``unknown_field``, outcomes or positions that the game wants otherwise; its own of an outcome.
    """
    terms = terms_of_game(announcement)
    least, most = stake_limits(announcement, terms)
    played = game(announcement.game)
    by_positions = played.by_positions
    _check_what_is_bet_on(announcement, by_positions)
    for code, _ in announcement.outcomes:
        played.outcome(code, "outcomes")
    if session.get(Event, announcement.event_id) is None:
        raise Refusal("not_found", "Такого события нет.", field="event_id")
    enter_house(session)
    hold_protocol(session, announcement.event_id)
    refuse_if_fixed(session, announcement.event_id)
    start = start_of(session, announcement.event_id).in_force
    _check(announcement, least, most, start, trade_time(session))
    _refuse_without_special_account(session, money)
    if session.scalar(select(Pool.id).where(Pool.code == announcement.code)) is not None:
        raise Refusal("code_taken", "Пул с таким шифром уже объявлен.", field="code")
    subject = f"pool:{announcement.code}"
    pool = Pool(
        code=announcement.code,
        name=announcement.name,
        game=announcement.game,
        event_id=announcement.event_id,
        currency=money,
        opens_at=announcement.opens_at,
        closes_at=announcement.closes_at,
        minimum_stake=least,
        maximum_stake=most,
        price=terms.price,
        fund_percent=Decimal(terms.fund_percent.numerator) / terms.fund_percent.denominator,
        minimum_coefficient=announcement.minimum_coefficient,
        minimum_win=terms.minimum_win,
        maximum_win=terms.maximum_win,
        **(_terms_of_positions(announcement, terms) if by_positions else {}),
        stakes_account_id=open_account(session, Kind.POOL, subject, money),
        fund_account_id=open_account(session, Kind.PRIZE_FUND, subject, money),
        wins_account_id=open_account(session, Kind.WINS_PAYABLE, subject, money),
        announced_by=announced_by,
    )
    session.add(pool)
    session.flush()
    outcomes = (EVERY_BET,) if by_positions else announcement.outcomes
    session.add_all(PoolOutcome(pool_id=pool.id, code=code, name=name) for code, name in outcomes)
    session.flush()
    return pool


def terms_of_game(announcement: Announcement) -> PoolTerms:
    """What decides the money of the pool, as its game allows it.

    Raises:
        RuleError: ``unknown_game``; ``unknown_field``, a term that the game does not have; the game's own.
    """
    played = game(announcement.game)
    foreign = sorted(name for name in TERMS - played.terms_fields if getattr(announcement, name) is not None)
    if foreign:
        raise RuleError("unknown_field", foreign[0], f"{played.code} knows no such term.")
    return played.terms(
        AnnouncedTerms(
            fund_percent=_exact(announcement.fund_percent),
            minimum_coefficient=_exact(announcement.minimum_coefficient),
            price=announcement.price,
            minimum_win=announcement.minimum_win,
            maximum_win=announcement.maximum_win,
            levels=announcement.levels,
            empty_level=announcement.empty_level,
        )
    )


def stake_limits(announcement: Announcement, terms: PoolTerms) -> tuple[int, int]:
    """The least and the largest stake, in minor units; where every bet has one price, both are it (T-Rules 5, 24).

    Raises:
        RuleError: ``missing_field``; ``unknown_field``, limits beside a price.
    """
    told = {"minimum_stake": announcement.minimum_stake, "maximum_stake": announcement.maximum_stake}
    for name, limit in told.items():
        if terms.price is not None and limit is not None:
            raise RuleError("unknown_field", name, "Every bet of the pool has one price.")
        if terms.price is None and limit is None:
            raise RuleError("missing_field", name, "A pool of free stakes has limits.")
    least, most = (limit or terms.price or 0 for limit in told.values())
    return least, most


def _check_what_is_bet_on(announcement: Announcement, by_positions: bool) -> None:
    """A pool has outcomes, or else positions; what becomes of one that is not held is said of such alone (D-22)."""
    wanted, foreign = ("positions", "outcomes") if by_positions else ("outcomes", "positions")
    if not getattr(announcement, wanted):
        raise RuleError("missing_field", wanted, f"A pool of {announcement.game} has {wanted}.")
    if getattr(announcement, foreign):
        raise RuleError("unknown_field", foreign, f"A pool of {announcement.game} has {wanted} instead.")
    if announcement.not_held is not None and not by_positions:
        raise RuleError("unknown_field", "not_held", "Only a position can be not held alone.")


def _terms_of_positions(announcement: Announcement, terms: PoolTerms) -> dict[str, Any]:
    """What is kept of a pool of positions; where nothing else was said, one that is not held returns the pool."""
    return {
        "positions": kept_positions(announcement.positions),
        "levels": kept_levels(terms.levels),
        "empty_level": terms.empty_level.value,
        "not_held": (announcement.not_held or NotHeld.RETURN_POOL).value,
    }


def _exact(figure: Decimal | None) -> Fraction | None:
    return None if figure is None else Fraction(figure)


def _refuse_without_special_account(session: Session, money: str) -> None:
    opened = select(Account.id).where(Account.kind == Kind.SPECIAL_FUND, Account.currency == money)
    if session.scalar(opened) is None:
        raise Refusal(
            "special_account_not_open",
            "Сначала откройте специальный счёт выигрышного фонда: внесите на него деньги (special_account_in).",
        )


def _check(announcement: Announcement, least: int, most: int, start: datetime, now: datetime) -> None:
    minimum, promised = announcement.minimum_coefficient or 0, announcement.minimum_win or 0
    wrongs = {
        "Приём ставок уже должен был закончиться: назовите срок в будущем.": announcement.closes_at <= now,
        f"Максимальная ставка слишком велика: не более {LARGEST_SHOWN}.": most > LARGEST_STAKE,
        "Приём ставок должен начинаться раньше, чем заканчиваться.": announcement.opens_at >= announcement.closes_at,
        "Приём ставок должен закончиться до начала события.": announcement.closes_at > start,
        "Минимальная ставка больше максимальной.": least > most,
        f"Минимальный коэффициент слишком велик: не более {LARGEST_MINIMUM}.": minimum > LARGEST_MINIMUM,
        f"Наименьший выигрыш слишком велик: не более {LARGEST_MINIMUM} цен ставки.": promised > LARGEST_MINIMUM * least,
        **(_wrong_positions(announcement) if announcement.positions else _wrong_codes("", announcement.outcomes)),
    }
    for wrong, holds in wrongs.items():
        if holds:
            raise Refusal("pool_terms_wrong", wrong)


def _wrong_positions(announcement: Announcement) -> dict[str, bool]:
    positions = announcement.positions
    codes = [position.code for position in positions]
    wrongs = {
        "Позиций должно быть не меньше двух.": len(positions) < 2,
        "Шифры позиций повторяются.": len(set(codes)) < len(codes),
    }
    for position in positions:
        wrongs |= _wrong_codes(f" позиции {position.code}", position.outcomes)
    return wrongs


def _wrong_codes(of: str, outcomes: Sequence[tuple[str, str]]) -> dict[str, bool]:
    codes = [code for code, _ in outcomes]
    return {
        f"Исходов{of} должно быть не меньше двух.": len(codes) < 2,
        f"Шифры исходов{of} повторяются.": len(set(codes)) < len(codes),
    }
