"""The register of tickets: every bet that was registered, how it stands, what it won, when and where it was paid."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Select, case, func, select

from db.pages import matching
from documents.columns import Column
from documents.table import Kind
from ledger.settlements import End
from ledger.tickets import Ticket
from reports.bet_words import BETS, POSITIONS
from reports.registers.cut import Cut
from reports.registers.report import DESKS, Ask, Report, Wanted
from reports.registers.standing import DECISION_WORDS, LATERAL, STATUS_WORDS, Standing, standing
from tote.games.register import GAMES

TITLES = {code: game.title for code, game in GAMES.items()}
"""What people read for a game."""
COLUMNS = (
    Column("number", "Номер билета", Kind.NUMBER),
    Column("placed_at", "Принят", Kind.INSTANT),
    Column("desk", "Касса"),
    Column("player", "Игрок, номер", Kind.NUMBER),
    Column("game", "Игра", words=TITLES),
    Column("pool", "Пул"),
    Column("event", "Событие"),
    Column("outcome", "Исход"),
    Column("rows", "Ставок", Kind.NUMBER),
    Column("stake", "Ставка", Kind.MONEY),
    Column("status", "Состояние", words=STATUS_WORDS),
    Column("decision", "Решение", words=DECISION_WORDS),
    Column("win", "Выигрыш", Kind.MONEY),
    Column("stake_back", "Возврат ставки", Kind.MONEY),
    Column("paid", "Выплачено", Kind.MONEY),
    Column("paid_at", "Когда выплачено", Kind.INSTANT),
    Column("paid_where", "Где выплачено"),
)


def query(cut: Cut, wanted: Wanted) -> Select[*tuple[Any, ...]]:
    """Every ticket wanted, in the order of the numbers."""
    at = standing(cut)
    decided, fetched = at.decided.c, at.last_fetching()
    where = case((fetched.c.end == End.CREDITED, "игровой счёт"), else_=fetched.c.desk)
    rows = at.joined(
        at.ticket.id.label("fact"),
        at.ticket.id.label("number"),
        at.ticket.placed_at,
        at.desk.code.label("desk"),
        at.ticket.player_id.label("player"),
        at.ticket.game,
        at.pool.code.label("pool"),
        at.event.name.label("event"),
        _bet_on(at).label("outcome"),
        at.bet.rows,
        at.ticket.stake,
        at.status.label("status"),
        decided.decision,
        decided.win,
        decided.stake_back,
        at.fetched.label("paid"),
        fetched.c.ended_at.label("paid_at"),
        where.label("paid_where"),
        at.provisional.label("provisional"),
    ).outerjoin(fetched, LATERAL)
    asked = {at.pool.code: wanted.pool, at.desk.id: wanted.desk_id, at.status: wanted.status}
    return matching(rows, asked).where(*placed_within(at.ticket, wanted))


def _bet_on(at: Standing) -> ColumnElement[str]:
    """The code of the outcome; in a pool of positions how many there are, and how many bets: 13 позиций, 96 ставок."""
    positions = func.jsonb_array_length(at.pool.positions)
    counts = func.concat(
        positions, " ", _counted(positions, POSITIONS), ", ", at.bet.rows, " ", _counted(at.bet.rows, BETS)
    )
    return case((at.pool.positions.is_(None), at.bet.outcome), else_=counts)


def _counted(number: ColumnElement[int], forms: tuple[str, str, str]) -> ColumnElement[str]:
    """:func:`ledger.amount_in_words.counted`, where the database tells it."""
    one, few, many = forms
    last = number % 10
    return case(((number % 100).between(11, 14), many), (last == 1, one), (last.between(2, 4), few), else_=many)


def placed_within(ticket: Any, wanted: Wanted) -> list[ColumnElement[bool]]:
    """The conditions for a ticket to be placed in the period, with the numbers between which such tickets lie.

    Without the numbers a page would go through all older tickets; the sum with zero keeps min and max from doing so.
    """
    instants = wanted.within(ticket.placed_at)
    if not instants:
        return []
    placed = wanted.within(Ticket.placed_at)
    first, last = (select(end(Ticket.id + 0)).where(*placed).scalar_subquery() for end in (func.min, func.max))
    return [*instants, ticket.id >= first, ticket.id <= last]


REPORT = Report(
    code="ticket-register",
    title="Реестр билетов",
    about="Every registered ticket with its bet, how it stands, what it won, when and where it was paid.",
    columns=COLUMNS,
    query=query,
    asks=(Ask.PERIOD, Ask.POOL, Ask.DESK, Ask.STATUS),
    readers=DESKS,
    sums=("rows", "stake", "win", "stake_back", "paid"),
    parts="status",
)
