"""The papers of the demonstration, fetched over the API and left in a folder where one can open them.

A ticket on paper carries its payable code, so the files are for their owner alone.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from api.commands.demonstration.bets import LOST_TICKET
from api.commands.demonstration.cast import Cast
from api.commands.demonstration.facts import DESK
from api.commands.demonstration.matches import MISWRITTEN
from api.commands.demonstration.sales import number_of
from api.commands.demonstration.screen import Screen

LOST = "Билет утерян, предъявлен паспорт"


@dataclass(frozen=True)
class Paper:
    """A file, what it is, and the request that fetches it; asked again, the same paper is made again."""

    name: str
    title: str
    fetch: Callable[[Cast], bytes]


def print_original(cast: Cast, screen: Screen) -> None:
    """The ticket as the desk gives it out: once, in the shift that sold it."""
    cast.records.leave_paper(ORIGINAL.name, ORIGINAL.fetch(cast))
    screen.line(f"Билет ставки {LOST_TICKET.stake} напечатан; печать второго экземпляра — только дубликатом.")


def leave_papers(cast: Cast, screen: Screen) -> None:
    """Every paper of the days behind, in a file of its own."""
    for paper in PAPERS:
        cast.records.leave_paper(paper.name, paper.fetch(cast))
    screen.line("Билет, дубликат, расходный ордер, протоколы, ведомость, журнал и отчёт смены сохранены в файлах.")


def tell_papers(cast: Cast, screen: Screen) -> None:
    """Where the papers lie."""
    screen.table(
        f"Документы в {cast.records.papers}/", ("<файл", "<документ"), [(each.name, each.title) for each in ALL]
    )


def _original(cast: Cast) -> bytes:
    path = f"/tickets/{number_of(cast, LOST_TICKET)}/prints"
    return _printed(cast.bettor(LOST_TICKET).post(path, {"format": "pdf"}, "print-original"))


def _duplicate(cast: Cast) -> bytes:
    path = f"/tickets/{number_of(cast, LOST_TICKET)}/duplicates"
    return _printed(cast.supervisor.post(path, {"format": "pdf", "reason": LOST}, "print-duplicate"))


def _payout_slip(cast: Cast) -> bytes:
    return cast.accountant.file(f"/documents/payout-slips/{cast.accountant.get('/payouts')['items'][0]['number']}")


def _protocol(place: int, cast: Cast) -> bytes:
    """A protocol of the match that was written down wrongly, by its place from the first."""
    event_id = cast.records.event_id(MISWRITTEN.code)
    protocols = cast.accountant.get(f"/events/{event_id}/protocols")["items"]
    return cast.accountant.file(f"/documents/protocols/{protocols[-1 - place]['number']}")


def _pool_sheet(cast: Cast) -> bytes:
    return cast.accountant.file(f"/documents/pool-sheets/{MISWRITTEN.code}")


def _journal(kind: str, cast: Cast) -> bytes:
    return cast.accountant.file("/documents/payout-journal", format=kind)


def _shift_report(cast: Cast) -> bytes:
    return cast.accountant.file(f"/documents/shift-reports/{cast.records.shift_ids(DESK['code'])[0]}")


def _printed(answer: dict[str, Any]) -> bytes:
    return b64decode(answer["content"], validate=True)


ORIGINAL = Paper("ticket.pdf", "билет, первый экземпляр", _original)
PAPERS = (
    Paper("ticket-duplicate.pdf", "тот же билет, дубликат", _duplicate),
    Paper("payout-slip.pdf", "расходный документ первой выплаты", _payout_slip),
    Paper("protocol.pdf", "протокол с опиской", partial(_protocol, 0)),
    Paper("protocol-corrected.pdf", "протокол, который его исправил", partial(_protocol, 1)),
    Paper("pool-sheet.pdf", "ведомость пула, рассчитанного дважды", _pool_sheet),
    Paper("payout-journal.pdf", "журнал выплат", partial(_journal, "pdf")),
    Paper("payout-journal.xlsx", "журнал выплат для Excel", partial(_journal, "xlsx")),
    Paper("payout-journal.csv", "журнал выплат, строки", partial(_journal, "csv")),
    Paper("shift-report.pdf", "отчёт первой смены", _shift_report),
)
ALL = (ORIGINAL, *PAPERS)
