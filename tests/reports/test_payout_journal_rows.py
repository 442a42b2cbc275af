"""The journal of cash payouts in the annex's columns (T-Prov 23, 24): rows as CSV, persons masked unless on record."""

from __future__ import annotations

import csv
import io

import pytest
from sqlalchemy import text
from werkzeug.test import TestResponse

from tests.office import Member, Office

DOCUMENT = "паспорт MP1234567, выдан 01.03.2015, РУВД"


def pay_two(office: Office) -> None:
    """Of 30.00 a fund of 18.00: two winners of 9.00, one paid at each of two desks, on 23 and on 24 November."""
    pool, second = office.pool(), office.another_cashier(2)
    first = office.bet(office.cashier, "1", "10.00").json["code"]
    other = office.bet(second, "1", "10.00").json["code"]
    office.bet(office.cashier, "2", "10.00")
    office.decide(pool, "1")
    office.clock("2022-11-23T23:59:59+03:00")
    assert office.pay(first).json["amount"] == "9.00"
    office.clock("2022-11-24T00:00:01+03:00")
    person = {"surname": "=Иванов", "name": "Иван", "patronymic": "Иванович"}
    assert office.pay(other, second, **person).json["amount"] == "9.00"


def journal(office: Office, member: Member | None = None, **asked: object) -> TestResponse:
    """The journal as a file."""
    return (member or office.accountant).get("/reports/payout-journal", **asked)


def rows(answer: TestResponse) -> list[list[str]]:
    """The lines of the file, as a spreadsheet reads them."""
    assert answer.status_code == 200 and answer.mimetype == "text/csv"
    return list(csv.reader(io.StringIO(answer.data.decode("utf-8-sig")), delimiter=";"))


def test_t_prov_23_the_annexs_columns(office: Office) -> None:
    """The day is Minsk's, the amount in roubles with a comma; without a fiscal receipt the desk's own register."""
    pay_two(office)
    path = "/payouts/1/fiscal-receipt"
    assert office.cashier.post(path, {"number": "000123"}).status_code == 201
    corrected = {"number": "000124", "cash_register": "SN-7", "reason": "опечатка"}
    assert office.accountant.post(path, corrected).status_code == 201
    header, *lines = rows(journal(office))
    assert header == [
        "№ п/п",
        "Дата проведения выплаты",
        "Фамилия, имя, отчество игрока",
        "Наименование, номер, дата и место выдачи документа, удостоверяющего личность",
        "Размер выплаты, рублей",
        "Фискальный чек №",
        "Заводской номер обслуживающего кассового суммирующего аппарата",
        "Подпись кассира",
    ]
    receipt = "000124 (исправлено, было: 000123)"
    assert lines == [
        ["1", "2022-11-23", "П*** П.", "паспорт ***4567", "9,00", receipt, "SN-7", "Cashier"],
        ["2", "2022-11-24", "'=*** И. И.", "паспорт ***4567", "9,00", "", "K-2", "Cashier-2"],
    ]


def test_t_prov_24_numbers_run_through_all_desks_and_a_part_keeps_them(office: Office) -> None:
    pay_two(office)

    def numbers(**asked: object) -> list[str]:
        return [line[0] for line in rows(journal(office, **asked))[1:]]

    assert numbers() == ["1", "2"]
    assert numbers(desk_id=1) == ["2"], "the second desk was registered before the first cashier's"
    assert numbers(**{"from": "2022-11-24"}) == ["2"]
    assert numbers(to="2022-11-23") == ["1"]
    assert numbers(**{"from": "2022-11-23", "to": "2022-11-24"}) == ["1", "2"]
    assert numbers(**{"from": "2022-11-25"}) == []


def test_persons_are_shown_whole_to_whom_it_is_granted_and_with_a_reason(office: Office) -> None:
    """D-16: an auditor is not granted it; who asked, why, and every person shown are on record first."""
    pay_two(office)
    refused = journal(office, office.auditor, reason="любопытство")
    assert (refused.status_code, refused.json["code"]) == (403, "unmasked_view_not_granted")
    assert office.auditor.get("/significant-events", kind="persons_exported").json["items"] == []
    assert len(rows(journal(office, office.auditor))) == 3

    lines = rows(journal(office, reason="проверка журнала"))[1:]
    assert [(line[2], line[3]) for line in lines] == [("Петров Пётр", DOCUMENT), ("'=Иванов Иван Иванович", DOCUMENT)]
    (event,) = office.auditor.get("/significant-events", kind="persons_exported").json["items"]
    assert (event["subject"], event["facts"]) == (
        "journal:payouts",
        {"versions": 2, "reason": "проверка журнала"},
    )
    with office.owner() as session:
        assert session.scalar(text("SELECT count(*) FROM person_views")) == 2


def test_the_whole_is_read_page_by_page(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page of one line: both lines come, each once."""
    pay_two(office)
    monkeypatch.setattr("reports.payout_journal.PAGE", 1)
    assert [line[0] for line in rows(journal(office))[1:]] == ["1", "2"]
