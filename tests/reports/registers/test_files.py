"""Reports as files for spreadsheets and on paper: the same rows as the CSV, under the head every report has."""

from __future__ import annotations

import io
from typing import Any

import pytest
from openpyxl import load_workbook
from sqlalchemy import text

from api.documents.files import FORMATS
from documents import csv, pdf
from documents.version import SOFTWARE
from office.significant.kinds import REPORT_EXPORTED
from reports.registers import reading
from reports.registers.register import REPORTS
from tests.documents.papers import text_of
from tests.office import Office
from tests.records import facts_of
from tests.reports.registers.conftest import NOON
from tests.reports.registers.reading import exported, table

GONE = text("SELECT pg_terminate_backend(pg_backend_pid())")


def sheet(office: Office, code: str, **asked: str) -> list[tuple[Any, ...]]:
    """The lines of a report's spreadsheet."""
    read = load_workbook(io.BytesIO(exported(office, code, format="xlsx", as_of=NOON, **asked))).active
    return list(read.iter_rows(values_only=True))


@pytest.mark.parametrize("code", list(REPORTS))
def test_every_report_is_a_spreadsheet_with_the_rows_of_its_csv(noon: Office, code: str) -> None:
    titles, *rows = table(exported(noon, code, as_of=NOON))
    lines = sheet(noon, code)
    assert lines[0][0] == REPORTS[code].title
    assert list(lines[7]) == titles
    assert len([line for line in lines[8:] if line[0] not in (None, "Итого", "Нет операций")]) == len(rows)


@pytest.mark.parametrize("code", list(REPORTS))
def test_every_report_is_set_on_paper_under_its_head(noon: Office, code: str) -> None:
    page = text_of(exported(noon, code, format="pdf", as_of=NOON))
    for told in (
        REPORTS[code].title,
        "Организатор ООО «Проба»",
        "печать №",
        "Отбор без отбора",
        SOFTWARE,
        "Страница 1 из",
    ):
        assert told in page, (told, page)


def test_the_liability_on_paper_adds_up(noon: Office) -> None:
    """Owed are 12.00, 10.00, 11.00 and 7.00 of tickets 4 to 7: 40.00; undecided 2.00 and 4.00 of 9 and 10: 6.00."""
    lines = sheet(noon, "liability")
    titles, total = lines[7], next(line for line in lines if line[0] == "Итого")
    assert [total[titles.index(title)] for title in ("Нерассчитанная ставка", "К выплате")] == [6, 40]
    page = text_of(exported(noon, "liability", format="pdf", as_of=NOON))
    assert "6,00" in page and "40,00" in page


def test_the_head_of_a_file_says_what_was_asked(noon: Office) -> None:
    asked = {"from": "2022-11-22", "to": "2022-11-23", "status": "paid"}
    said = [line[0] for line in sheet(noon, "ticket-register", **asked)[:6]]
    assert said[2].startswith("Охват: с 22.11.2022 по 23.11.2022; по состоянию на 23.11.2022 11:59:")
    assert said[3] == "Отбор: состояние выплачен"
    assert said[4].startswith("Сформировано: 23.11.2022 12:0") and said[4].endswith("Europe/Minsk (UTC+03:00)")


def test_a_file_says_what_form_it_was_asked_in_and_is_not_understood_in_another(day: Office) -> None:
    exported(day, "intake", as_of=NOON, format="xlsx")
    ((subject, facts),) = facts_of(day, REPORT_EXPORTED)
    assert (subject, facts["format"]) == ("report:intake", "xlsx")
    assert day.auditor.get("/reports/intake/export", format="doc").status_code == 422
    answer = day.auditor.get("/reports/intake/export", as_of=NOON, format="pdf")
    assert answer.mimetype == FORMATS["pdf"][0] and answer.headers["As-Of-Seal"] == str(facts["seal"])
    assert answer.headers["Content-Disposition"] == f'attachment; filename="intake-{facts["seal"]}.pdf"'


def test_more_rows_than_a_paper_takes_are_refused_with_what_to_do(
    noon: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ten tickets were sold; a paper of nine rows is none."""
    monkeypatch.setattr(pdf, "MOST_ROWS", 9)
    answer = noon.auditor.get("/reports/ticket-register/export", as_of=NOON, format="pdf")
    assert (answer.status_code, answer.json["code"], answer.json["limit"]) == (422, "too_many_rows", 9)
    assert "CSV" in answer.json["detail"]
    assert len(table(exported(noon, "ticket-register", as_of=NOON))) == 11


def test_files_take_a_place_among_the_documents_being_made(noon: Office) -> None:
    """FIELD-FAULTS 071: whoever comes when all are taken is refused at once, and the place comes back."""
    for form in FORMATS:
        for _ in range(4):
            exported(noon, "intake", as_of=NOON, format=form)
    taken = [noon.house.papers.acquire(blocking=False) for _ in range(2)]
    answer = noon.auditor.get("/reports/intake/export", as_of=NOON)
    for _ in taken:
        noon.house.papers.release()
    assert taken == [True, True]
    assert (answer.status_code, answer.json["code"]) == (503, "papers_busy")


@pytest.mark.parametrize("format_", list(FORMATS))
def test_a_file_whose_database_is_away_is_asked_for_later(
    noon: Office, monkeypatch: pytest.MonkeyPatch, format_: str
) -> None:
    monkeypatch.setattr(reading, "BY_INDEXES", GONE)
    answer = noon.auditor.get("/reports/ticket-register/export", format=format_, as_of=NOON)
    assert (answer.status_code, answer.json["code"], answer.headers["Retry-After"]) == (503, "too_busy", "1")
    monkeypatch.undo()
    assert exported(noon, "ticket-register", format=format_, as_of=NOON), "its place was given back"


def test_a_file_whose_database_goes_away_in_the_middle_breaks_off(
    noon: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ten tickets, read and sent one by one: the titles are sent, and one ticket."""
    monkeypatch.setattr(reading, "PAGE", 1)
    monkeypatch.setattr(csv, "PIECE", 1)
    answer = noon.auditor.get("/reports/ticket-register/export", as_of=NOON)
    pieces = iter(answer.response)
    sent = table(next(pieces) + next(pieces))
    monkeypatch.setattr(reading, "BY_INDEXES", GONE)
    with pytest.raises(ConnectionResetError):
        list(pieces)
    assert [line[0] for line in sent] == ["Номер билета", "1"]
    monkeypatch.undo()
    assert len(table(exported(noon, "ticket-register", as_of=NOON))) == 11
