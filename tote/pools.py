"""Announcing pools, and the catalogue from which placing reads their terms."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from fractions import Fraction

from sqlalchemy import select
from sqlalchemy.orm import Session

from db.clock import trade_time
from events.models import Event
from events.protocols import hold_protocol, refuse_if_fixed
from events.starts.standing import start_of
from ledger.accounts import Account, Kind, open_account
from ledger.holds import ticket_trade
from ledger.money import currency, format_amount
from ledger.refusals import Refusal
from ledger.settlements import SettlementCompletion, SettlementRun
from office.gate import enter_house
from tote.games.register import game
from tote.models import Pool, PoolClosing, PoolOutcome
from tote.rules.pool import AnnouncedTerms
from tote.rules.pool import PoolTerms as GameTerms

TRADE = "tote"
TICKET_TRADE = ticket_trade(TRADE)
"""What the runs and holds of a single ticket are of: a cancellation, a claim that names one bet."""
LARGEST_STAKE = 10**11
"""The largest stake a pool may allow, in minor units: millions of them are still a sum that can be kept (D-2)."""
LARGEST_MINIMUM = 100
LARGEST_SHOWN = format_amount(LARGEST_STAKE, currency("BYN"))


@dataclass(frozen=True)
class Announcement:
    """What the organizer announces (T-Rules 24): stakes in minor units, outcomes as code and name."""

    code: str
    name: str
    game: str
    event_id: int
    opens_at: datetime
    closes_at: datetime
    minimum_stake: int
    maximum_stake: int
    outcomes: tuple[tuple[str, str], ...]
    minimum_coefficient: Decimal | None = None


@dataclass(frozen=True)
class PoolTerms:
    """A pool's frozen terms as placing needs them."""

    pool: Pool
    outcomes: frozenset[str]


class Catalogue:
    """The terms of announced pools, kept by the process: they are facts and never change (T-Rules 24)."""

    def __init__(self) -> None:
        self._terms: dict[str, PoolTerms] = {}

    def terms(self, session: Session, code: str) -> PoolTerms:
        """The terms of the pool with this code.

        Raises:
            Refusal: ``unknown_pool``.
        """
        known = self._terms.get(code)
        if known is None:
            pool = pool_by_code(session, code)
            known = PoolTerms(pool, frozenset(outcome.code for outcome in outcomes_of(session, pool.id)))
            # The terms outlive this request: a rollback of its session must not expire them.
            session.expunge(pool)
            self._terms[code] = known
        return known

    def game_of(self, code: str) -> str | None:
        """The game of a pool whose terms were asked for before, without asking the database."""
        known = self._terms.get(code)
        return None if known is None else known.pool.game


def announce(session: Session, announcement: Announcement, *, money: str, announced_by: int) -> Pool:
    """Announce a pool: its terms are frozen, its accounts opened.

    Its sales end before the start in force. The house's gate keeps that start from being changed meanwhile; a later
    change finds the pool.

    Raises:
        Refusal: ``special_account_not_open``, the fund's bank account comes before the first bet (T-Prov 9);
            ``code_taken``; ``not_found``, no such event; ``result_already_fixed``, a protocol says how it ended, or
            that it was not held; ``pool_terms_wrong``, with the reason.
        RuleError: the game's own, of :func:`terms_of_game`.
    """
    terms = terms_of_game(announcement.game, announcement.minimum_coefficient)
    if session.get(Event, announcement.event_id) is None:
        raise Refusal("not_found", "Такого события нет.", field="event_id")
    enter_house(session)
    hold_protocol(session, announcement.event_id)
    refuse_if_fixed(session, announcement.event_id)
    start = start_of(session, announcement.event_id).in_force
    _check(announcement, start, trade_time(session))
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
        minimum_stake=announcement.minimum_stake,
        maximum_stake=announcement.maximum_stake,
        fund_percent=Decimal(terms.fund_percent.numerator) / terms.fund_percent.denominator,
        minimum_coefficient=announcement.minimum_coefficient,
        stakes_account_id=open_account(session, Kind.POOL, subject, money),
        fund_account_id=open_account(session, Kind.PRIZE_FUND, subject, money),
        wins_account_id=open_account(session, Kind.WINS_PAYABLE, subject, money),
        announced_by=announced_by,
    )
    session.add(pool)
    session.flush()
    session.add_all(PoolOutcome(pool_id=pool.id, code=code, name=name) for code, name in announcement.outcomes)
    session.flush()
    return pool


def terms_of_game(code: str, minimum_coefficient: Decimal | None) -> GameTerms:
    """What decides the money of a pool of this game, when it is announced.

    Raises:
        RuleError: ``unknown_game``; ``minimum_coefficient_under_one``.
    """
    minimum = None if minimum_coefficient is None else Fraction(minimum_coefficient)
    return game(code).terms(AnnouncedTerms(minimum_coefficient=minimum))


def frozen_terms(pool: Pool) -> GameTerms:
    """What decides the money of an announced pool: as it was announced, whatever the game's terms are today."""
    minimum = None if pool.minimum_coefficient is None else Fraction(pool.minimum_coefficient)
    return GameTerms(Fraction(pool.fund_percent), minimum_coefficient=minimum)


def pool_by_code(session: Session, code: str) -> Pool:
    """The pool with this code.

    Raises:
        Refusal: ``unknown_pool``.
    """
    pool = session.scalar(select(Pool).where(Pool.code == code))
    if pool is None:
        raise Refusal("unknown_pool", "Пула с таким шифром нет.", field="pool")
    return pool


def outcomes_of(session: Session, pool_id: int) -> list[PoolOutcome]:
    """The outcomes of a pool in the order of their announcement."""
    return outcomes_by_pool(session, [pool_id])[pool_id]


def outcomes_by_pool(session: Session, pool_ids: Collection[int]) -> dict[int, list[PoolOutcome]]:
    """The outcomes of pools in the order of their announcement."""
    found: dict[int, list[PoolOutcome]] = {pool_id: [] for pool_id in pool_ids}
    for outcome in session.scalars(select(PoolOutcome).where(PoolOutcome.pool_id.in_(found)).order_by(PoolOutcome.id)):
        found[outcome.pool_id].append(outcome)
    return found


def closing_of(session: Session, pool_id: int) -> PoolClosing | None:
    """How a pool's sales ended, if they did."""
    return session.scalar(select(PoolClosing).where(PoolClosing.pool_id == pool_id))


def completion_of(session: Session, pool_id: int) -> SettlementCompletion | None:
    """The completion of a pool's latest complete settlement run."""
    return session.scalar(
        select(SettlementCompletion)
        .join(SettlementRun, SettlementRun.id == SettlementCompletion.run_id)
        .where(SettlementRun.trade == TRADE, SettlementRun.subject_id == pool_id)
        .order_by(SettlementRun.version.desc())
        .limit(1)
    )


def _refuse_without_special_account(session: Session, money: str) -> None:
    opened = select(Account.id).where(Account.kind == Kind.SPECIAL_FUND, Account.currency == money)
    if session.scalar(opened) is None:
        raise Refusal(
            "special_account_not_open",
            "Сначала откройте специальный счёт выигрышного фонда: внесите на него деньги (special_account_in).",
        )


def _check(announcement: Announcement, start: datetime, now: datetime) -> None:
    codes = [code for code, _ in announcement.outcomes]
    minimum = announcement.minimum_coefficient or 0
    wrongs = {
        "Приём ставок уже должен был закончиться: назовите срок в будущем.": announcement.closes_at <= now,
        f"Максимальная ставка слишком велика: не более {LARGEST_SHOWN}.": announcement.maximum_stake > LARGEST_STAKE,
        "Приём ставок должен начинаться раньше, чем заканчиваться.": announcement.opens_at >= announcement.closes_at,
        "Приём ставок должен закончиться до начала события.": announcement.closes_at > start,
        "Минимальная ставка больше максимальной.": announcement.minimum_stake > announcement.maximum_stake,
        f"Минимальный коэффициент слишком велик: не более {LARGEST_MINIMUM}.": minimum > LARGEST_MINIMUM,
        "Исходов должно быть не меньше двух.": len(codes) < 2,
        "Шифры исходов повторяются.": len(set(codes)) < len(codes),
    }
    for wrong, holds in wrongs.items():
        if holds:
            raise Refusal("pool_terms_wrong", wrong)
