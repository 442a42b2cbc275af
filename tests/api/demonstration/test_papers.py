"""The papers the demonstration leaves, read back; what stands on them is worked by hand in `books` and `test_pools`."""

from __future__ import annotations

from pathlib import Path

import pytest
from openpyxl import load_workbook
from pypdf import PdfReader

from api.commands.demonstration.papers import ALL
from api.commands.demonstration.sales import ticket_of
from reports.papers.shift_report import NOT_FINAL
from tests.api.demonstration.staged import Stage, bet_named

# The amounts of `books.JOURNAL`, in the operator's way of writing.
PAID = ["57,00", "25,00", "40,00", "24,00", "36,00", "36,00"]
ON_PAPER = {
    "ticket.pdf": ("БИЛЕТ № 23", "PZV-NAR", "10,00 BYN"),
    "ticket-duplicate.pdf": ("БИЛЕТ № 23", "ДУБЛИКАТ № 1", "10,00 BYN"),
    "payout-slip.pdf": ("Расходный документ № 1", "57,00 BYN", "билет № 20", "З*** И."),
    "protocol.pdf": ("Протокол № 4", "2:1", "Белая Вежа — Свитязь-2"),
    "protocol-corrected.pdf": ("Протокол № 7", "2:0", "№ 4"),
    "pool-sheet.pdf": ("Ведомость пула BVE-SVI", "150,00 BYN", "60,00 BYN", "90,00 BYN", "3,0000"),
    "payout-journal.pdf": tuple(PAID),
    "shift-report.pdf": ("677,01 BYN", "82,00 BYN", "795,01 BYN", "0511", "SN-4711"),
}


@pytest.mark.parametrize("name", ON_PAPER)
def test_each_paper_says_what_happened(played: Stage, name: str) -> None:
    text = _text(played, name)

    assert [words for words in ON_PAPER[name] if words not in text] == []


@pytest.mark.parametrize("name", ["ticket.pdf", "ticket-duplicate.pdf"])
def test_original_and_duplicate_carry_the_code_that_pays(played: Stage, name: str) -> None:
    code = ticket_of(played.cast(), bet_named("f2"))["code"]

    assert code in _text(played, name).replace(" ", "")


def test_the_original_is_not_marked_as_a_duplicate(played: Stage) -> None:
    assert "ДУБЛИКАТ" not in _text(played, "ticket.pdf")


def test_the_shifts_report_wants_nothing_more(played: Stage) -> None:
    assert NOT_FINAL not in _text(played, "shift-report.pdf")


def test_the_journal_as_rows(played: Stage) -> None:
    lines = (_folder(played) / "payout-journal.csv").read_text("utf-8-sig").splitlines()

    assert [line.split(";")[4] for line in lines[1:]] == PAID


def test_the_journal_as_a_workbook(played: Stage) -> None:
    rows = load_workbook(_folder(played) / "payout-journal.xlsx").active.iter_rows(values_only=True)

    paid = [row[4] for row in rows if isinstance(row[0], int)]
    assert [f"{amount:.2f}".replace(".", ",") for amount in paid] == PAID


def test_papers_are_left_for_their_owner_alone_and_told_of(played: Stage) -> None:
    left = {path.name: path.stat().st_mode & 0o777 for path in _folder(played).iterdir()}

    assert left == dict.fromkeys([*ON_PAPER, "payout-journal.csv", "payout-journal.xlsx"], 0o600)
    told = played.screen.getvalue().split("Документы в ")[1]
    assert [paper.name for paper in ALL if paper.name not in told] == []


def _folder(stage: Stage) -> Path:
    return stage.here.folder / "var" / "demo"


def _text(stage: Stage, name: str) -> str:
    """All that stands on a paper, however its lines are broken."""
    pages = PdfReader(_folder(stage) / name).pages
    return " ".join(" ".join(page.extract_text() for page in pages).split())
