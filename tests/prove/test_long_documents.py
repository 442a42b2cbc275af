"""Long tables as files: every row of them, in little memory, while bets are taken (FIELD-FAULTS 071, 123; DESIGN 7)."""

from __future__ import annotations

import re
import subprocess
import sys
import zipfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.documents.papers import pages_of
from tests.prove.served import Served, sized
from tests.prove.workers import ROOT

pytestmark = [pytest.mark.prove, pytest.mark.long]
MOST = 256 * 1024
"""Kilobytes a process may take."""
WRITTEN = """
import sys
from documents.csv import csv_pieces
from documents.xlsx import xlsx_pieces
from tests.documents.tables import long_table
form, file, number = sys.argv[1], sys.argv[2], int(sys.argv[3])
table = long_table(number)
pieces = xlsx_pieces(table) if form == "xlsx" else csv_pieces(table.titles, table.rows)
with open(file, "wb") as written:
    written.writelines(pieces)
"""
SET = """
import json, sys
from documents.long_tables import set_in_parts
from documents.pdf import told_of
from tests.documents.tables import long_table
with open(sys.argv[2], "wb") as written:
    written.write(set_in_parts(told_of(long_table(int(sys.argv[3])))))
"""
# The most the process's own memory came to: what getrusage tells begins with the tests' process it was born of.
MEASURED = """
with open("/proc/self/status") as told:
    print(*(line.split()[1] for line in told if line.startswith("VmHWM")))
"""


def made(program: str, form: str, file: Path, number: int) -> int:
    """Have a process of its own make a file of so many rows; the kilobytes it took."""
    command = (sys.executable, "-c", program + MEASURED, form, str(file), str(number))
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=1800)
    return int(done.stdout.split()[-1])


def test_a_million_rows_as_csv(tmp_path: Path) -> None:
    number, file = sized(20_000, 1_000_000), tmp_path / "long.csv"
    assert made(WRITTEN, "csv", file, number) < MOST
    with file.open("rb") as lines:
        assert sum(1 for _ in lines) == 1 + number


def test_a_million_rows_as_xlsx(tmp_path: Path) -> None:
    """The last row is there and the sum below it: each row is 1.50."""
    number, file = sized(20_000, 1_000_000), tmp_path / "long.xlsx"
    assert made(WRITTEN, "xlsx", file, number) < MOST
    ends, tail = Counter[bytes](), b""
    last = f"<v>{number * 3 // 2}.00</v>".encode()
    with zipfile.ZipFile(file) as parts, parts.open("xl/worksheets/sheet1.xml") as sheet:
        while piece := sheet.read(1 << 20):
            # What stands across the end of a piece is counted with the next one.
            read = tail + piece
            for sought in (b"</row>", last):
                ends[sought] += read.count(sought) - tail.count(sought)
            tail = read[-(len(last) - 1) :]
    # Title and five lines of heading, the titles, the rows, the sum; between them a line that is not there.
    assert ends[b"</row>"] == 1 + 5 + 1 + number + 1
    assert ends[last] == 1


def test_as_many_rows_as_a_paper_takes(tmp_path: Path) -> None:
    """Page x of y over the whole, every row once."""
    number, file = sized(3_000, 20_000), tmp_path / "long.pdf"
    assert made(SET, "pdf", file, number) < 2 * MOST
    pages = pages_of(file.read_bytes())
    assert all(page.endswith(f"Страница {at} из {len(pages)}") for at, page in enumerate(pages, start=1))
    assert [int(row) for page in pages for row in re.findall(r"(\d+) Петров", page)] == list(range(1, number + 1))


def test_while_documents_are_asked_for_without_end_bets_are_taken(served: Served) -> None:
    """Fifteen ask for the journal, as PDF and as XLSX, again and again: each is served or told to come back."""
    pool, bets = served.pool()["code"], sized(100, 2_000)
    cashier, accountant = served.cashier, served.line(served.office.accountant)

    def ask(number: int) -> set[tuple[int, str]]:
        form = "pdf" if number % 2 else "xlsx"
        answers = [accountant.get("/documents/payout-journal", format=form) for _ in range(sized(8, 40))]
        return {(answer.status_code, "" if answer.is_success else answer.json()["code"]) for answer in answers}

    with ThreadPoolExecutor(16) as crowd:
        asking = [crowd.submit(ask, number) for number in range(15)]
        placed = [cashier.bet("1", "1.00", pool).status_code for _ in range(bets)]
        met = set().union(*(each.result() for each in asking))
    assert placed == [201] * bets
    assert (200, "") in met and met <= {(200, ""), (503, "papers_busy")}
