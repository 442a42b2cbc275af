"""A ticket on paper: the requisites of the bet with their codes, its terms, and what is to be known of payment.

Made from the stored record after the commit, so that paper and record cannot differ (INDUSTRY; T-Rules 9.11, 13, 25;
T-Prov 8). Only what held when the ticket was issued is on it, so that the same print has the same bytes whenever it is
asked for again.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal

from sqlalchemy.orm import Session

from desk.ticket_prints import ORIGINAL, TicketPrint
from documents.roll import Banner, Block, Code, Note, Pair, Roll, Rule, Title
from documents.table import figure_text, instant_text
from ledger.tickets import Ticket
from office.operator import Operator
from players.models import Player
from reports.papers.marked_ticket import marked_bets
from reports.papers.positions import level_terms
from reports.papers.words import amount_text, named
from tote.games.register import game
from tote.models import Pool
from tote.pools import pool_by_code
from tote.receipts import Receipt

AT_A_DESK = "Предъявите этот билет и документ, удостоверяющий личность. Невостребованный выигрыш переходит в джек-пот."
ONLINE = "Выигрыш зачисляется на игровой счёт при расчёте пула; по этой бумаге ничего не выплачивается."
CLAIMS = "Претензии к объявленному результату: 10 дней со дня исхода события, с приложением официальных документов."
BINDING = "Проверьте билет, не отходя от кассы: принятая ставка не меняется и не отменяется."
DUPLICATE = "Дубликат не даёт права на вторую выплату."
NOT_HELD = "Если событие не состоится или будет прервано, ставка возвращается."
CANCELLED = "Ставку, сделанную с нарушением правил, организатор вправе отменить; она возвращается без выигрыша."
NEVER_LAPSES = "Возврат ставки сроком не ограничен."
"""A stake given back stays a debt (D-21); online it is on the game account at once (D-17)."""


def ticket_roll(session: Session, operator: Operator, found: Receipt, code: str, made: TicketPrint) -> Roll:
    """The paper of a print: the original, or the duplicate with its number.

    The money of the pool, its terms and the login of a player are asked for here; ``code`` is opened by the caller.
    """
    pool, money = pool_by_code(session, found.pool), session.get_one(Ticket, found.number).currency
    said = [
        *_whose(operator, found),
        Rule(),
        Title(f"БИЛЕТ № {found.number}", loud=True),
        *_mark(made, zone_time(made.printed_at, operator)),
        Pair("Принят", zone_time(found.placed_at, operator)),
        *_owner(session, found),
        Rule(),
        *_terms(found, pool, operator),
        *_bet(session, found, pool),
        Pair("Ставка" if pool.positions is None else "Сумма ставок", amount_text(found.stake, money), loud=True),
        Rule(),
        Code(code),
        Rule(),
        *(Note(text) for text in _notes(found, made)),
    ]
    return Roll(f"Билет № {found.number}", made.printed_at, said)


def zone_time(instant: datetime, operator: Operator) -> str:
    """An instant as the operator's clocks showed it."""
    return instant_text(operator.local(instant))


def _whose(operator: Operator, found: Receipt) -> Iterator[Block]:
    yield Title(found.operator or operator.unset_name)
    yield Title("Тотализатор")
    yield Title("Ставка с игрового счёта" if found.desk is None else f"Касса {found.desk}, {found.place}")


def _mark(made: TicketPrint, printed: str) -> Iterator[Block]:
    if made.copy != ORIGINAL:
        yield Banner(f"ДУБЛИКАТ № {made.copy}")
        yield Pair("Напечатан", printed)


def _owner(session: Session, found: Receipt) -> Iterator[Block]:
    """Anonymous at a desk, named online (INDUSTRY)."""
    if found.player_id is not None:
        yield Pair("Игрок", session.get_one(Player, found.player_id).login)


def _terms(found: Receipt, pool: Pool, operator: Operator) -> Iterator[Block]:
    yield Pair("Игра", game(found.game).title)
    yield Pair("Пул", named(found.pool_name, found.pool))
    yield Pair("Событие", found.event)
    yield Pair("Начало", zone_time(found.event_starts_at, operator))
    yield Pair("Приём до", zone_time(pool.closes_at, operator))
    yield Pair("Фонд", f"{_plain(pool.fund_percent)} % суммы ставок пула")
    if pool.minimum_coefficient is not None:
        yield Pair("Коэффициент", f"не меньше {_plain(pool.minimum_coefficient)}")
    if pool.minimum_win is not None:
        yield Pair("Выигрыш", f"не меньше {amount_text(pool.minimum_win, pool.currency)}")
    if pool.maximum_win is not None:
        yield Pair("Выигрыш", f"не больше {amount_text(pool.maximum_win, pool.currency)}")
    yield from (Pair(name, told) for name, told in level_terms(pool))


def _bet(session: Session, found: Receipt, pool: Pool) -> Iterator[Block]:
    """What the bet was made on, or all of them where there are many."""
    if pool.positions is None:
        yield Pair("Исход", named(found.outcome_name, found.outcome), loud=True)
    else:
        yield from marked_bets(session, found, pool)


def _notes(found: Receipt, made: TicketPrint) -> Iterator[str]:
    if made.copy != ORIGINAL:
        yield DUPLICATE
    if found.player_id is None:
        yield BINDING
        yield f"{game(found.game).payment_words} {AT_A_DESK}"
    else:
        yield ONLINE
    yield CLAIMS
    yield NOT_HELD
    yield CANCELLED
    if found.player_id is None:
        yield NEVER_LAPSES


def _plain(figure: Decimal) -> str:
    """A percent or a coefficient without zeros that say nothing."""
    return figure_text(Decimal(f"{figure.normalize():f}"))
