"""The journal of cash payouts in the form of the annex: three formats, whose lines, and who saw persons in full."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest
from openpyxl import load_workbook

from documents import pdf
from office.persons.models import PersonView
from office.significant.kinds import PERSONS_EXPORTED
from tests.documents.papers import pages_of, picture_of, text_of
from tests.office import Member, Office
from tests.records import facts_of
from tests.reports.paid import LONG, Paid, pay_out

ANNEX = (
    "№ п/п",
    "Дата проведения выплаты",
    "Фамилия, имя, отчество игрока",
    "Наименование, номер, дата и место выдачи документа, удостоверяющего личность",
    "Размер выплаты, рублей",
    "Фискальный чек №",
    "Заводской номер обслуживающего кассового суммирующего аппарата",
    "Подпись кассира",
)
JOURNAL, VIEWS = "/documents/payout-journal", "/documents/payout-journal/views"
FULL = "паспорт MP1234567, выдан 01.03.2015, РУВД"


@pytest.fixture
def paid(office: Office) -> Paid:
    """Three payouts."""
    return pay_out(office)


def rows(answer: Any) -> list[list[str]]:
    """The rows of a CSV, its titles first."""
    assert answer.status_code in (200, 201), answer.json
    return list(csv.reader(io.StringIO(answer.data.decode("utf-8-sig"), newline=""), delimiter=";"))


def in_full(member: Member, **told: Any) -> Any:
    """Ask for the journal in full."""
    return member.post(VIEWS, {"format": "csv", "reason": "Подшивка журнала за ноябрь", **told})


def test_t_prov_23_the_columns_are_those_of_the_annex_and_a_line_is_a_payout(paid: Paid) -> None:
    """T-Prov 23, 24 and its annex: numbered through, when, who, by what document, how much, where, by whom."""
    titles, *lines = rows(in_full(paid.office.supervisor))
    assert tuple(titles) == ANNEX
    assert lines == [
        ["1", "2022-11-23", "Петров Пётр", FULL, "10,00", "", "SN-1", "Cashier"],
        ["2", "2022-11-23", "Петров Пётр", FULL, "10,00", "", "SN-1", "Cashier"],
        ["3", "2022-11-24", f"{LONG} Ўладзімір Іванавіч", FULL, "10,00", "", "K-2", "Cashier-2"],
    ]


def test_persons_are_masked_unless_it_is_asked_for_with_a_reason(paid: Paid) -> None:
    lines = rows(paid.office.accountant.get(JOURNAL, format="csv"))[1:]
    assert [line[2:4] for line in lines] == [
        ["П*** П.", "паспорт ***4567"],
        ["П*** П.", "паспорт ***4567"],
        ["К*** Ў. І.", "паспорт ***4567"],
    ]


def test_a_full_export_is_a_significant_event_and_every_person_in_it_is_on_record(paid: Paid) -> None:
    """FIELD-FAULTS 117: who, which lines, why; before the first byte."""
    office = paid.office
    assert in_full(office.supervisor, desk_id=1).status_code == 201
    assert facts_of(office, PERSONS_EXPORTED) == [
        ("journal:payouts", {"versions": 1, "reason": "Подшивка журнала за ноябрь"})
    ]
    with office.owner() as session:
        assert session.query(PersonView).count() == 1


def test_who_was_not_granted_it_sees_no_person_and_nothing_is_on_record(paid: Paid) -> None:
    answer = in_full(paid.office.auditor)
    assert (answer.status_code, answer.json["code"]) == (403, "unmasked_view_not_granted")
    assert paid.office.auditor.get(JOURNAL, format="csv").status_code == 200
    assert facts_of(paid.office, PERSONS_EXPORTED) == []
    no_reason = paid.office.supervisor.post(VIEWS, {"format": "csv"})
    assert (no_reason.status_code, no_reason.json["code"]) == (422, "validation_failed")


def test_a_cashier_gets_the_lines_of_the_own_desk_and_of_no_other(paid: Paid) -> None:
    """FIELD-FAULTS 115: as a file as well."""
    office = paid.office
    for asked in ({}, {"desk_id": 1}):
        assert [line[0] for line in rows(office.cashier.get(JOURNAL, format="csv", **asked))[1:]] == ["1", "2"]
    answers = [office.cashier.get(JOURNAL, format="csv", desk_id=number) for number in (2, 999)]
    assert [answer.status_code for answer in answers] == [404, 404] and answers[0].json == answers[1].json


def test_days_are_the_operators_and_both_belong_to_the_period(paid: Paid) -> None:
    """Paid at 10:00 in Minsk on the 23rd, twice, and on the 24th."""

    def numbers(**asked: str) -> list[str]:
        return [line[0] for line in rows(paid.office.accountant.get(JOURNAL, format="csv", **asked))[1:]]

    assert numbers(**{"from": "2022-11-23", "to": "2022-11-23"}) == ["1", "2"]
    assert numbers(**{"from": "2022-11-24"}) == ["3"]
    assert numbers(to="2022-11-23") == ["1", "2"]
    assert numbers(**{"from": "2022-11-25"}) == []


def test_as_a_paper_it_is_titled_added_up_and_bound(paid: Paid) -> None:
    answer = in_full(paid.office.supervisor, format="pdf", **{"from": "2022-11-23", "to": "2022-11-24"})
    assert answer.headers["Content-Disposition"] == 'attachment; filename="payout-journal-3.pdf"'
    assert (answer.mimetype, answer.headers["Cache-Control"]) == ("application/pdf", "no-store")
    (page,) = pages_of(answer.data)
    for told in (
        "Журнал учёта выплат наличных денег Организатор ООО «Проба» Охват с 23.11.2022 по 24.11.2022",
        "Сформировано 24.11.2022 10:00:0",
        "Ўладзімір Іванавіч",
        "Итого 30,00",
        "Всего строк: 3",
        "пронумеровано, прошнуровано и скреплено печатью листов: 1.",
        "Страница 1 из 1",
    ):
        assert told in page, (told, page)
    assert LONG in page.replace(" ", "")
    for title in ANNEX:
        assert all(word in page for word in title.split()), title
    assert page.count("MP1234567") == 3
    picture = picture_of(answer.data)
    assert picture.width > picture.height, "on its side"


def test_as_a_spreadsheet_it_has_numbers_and_dates(paid: Paid) -> None:
    answer = paid.office.accountant.get(JOURNAL, format="xlsx", desk_id=1)
    read = load_workbook(io.BytesIO(answer.data)).active
    assert [cell.value for cell in read[8]] == list(ANNEX)
    assert [(cell.value, cell.data_type) for cell in read[9]][:1] == [(1, "n")]
    assert read["B9"].is_date and read["E9"].value == 10 and read["E11"].value == 20
    assert read["A4"].value == "Отбор: касса K-1"


def test_an_empty_journal_says_so(office: Office) -> None:
    assert "Нет операций" in text_of(office.accountant.get(JOURNAL, format="pdf").data)


def test_more_lines_than_a_paper_takes_are_refused_with_what_to_do(paid: Paid, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf, "MOST_ROWS", 2)
    answer = paid.office.accountant.get(JOURNAL, format="pdf")
    assert (answer.status_code, answer.json["code"], answer.json["limit"]) == (422, "too_many_rows", 2)
    assert "CSV" in answer.json["detail"]
    assert paid.office.accountant.get(JOURNAL, format="csv").status_code == 200
