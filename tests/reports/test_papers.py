"""The papers of one thing: what is on each equals the record; whose they are; how many are made at once."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import text

from office.persons.models import PersonVersion
from office.significant.kinds import PERSON_VIEWED
from tests.documents.papers import pages_of
from tests.office import Office
from tests.records import facts_of
from tests.reports.paid import LONG, Paid, pay_out

REASON = {"reason": "Подпись получателя"}
IN_TRANSACTION = """
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND state <> 'idle' AND pid <> pg_backend_pid()
"""
SLIP: tuple[str, dict[str, str]] = ("/documents/payout-slips/1", {})


@pytest.fixture
def paid(office: Office) -> Paid:
    """Three payouts."""
    return pay_out(office)


def page_of(answer: Any) -> str:
    """The text of a paper's only page."""
    assert answer.status_code in (200, 201), answer.json
    assert answer.mimetype == "application/pdf"
    (page,) = pages_of(answer.data)
    return page


def holds(page: str, *said: str) -> None:
    """Whether all of it is on the page."""
    for each in said:
        assert each in page, (each, page)


def test_the_slip_of_a_payout_in_figures_and_words(paid: Paid) -> None:
    page = page_of(paid.office.cashier.get("/documents/payout-slips/1"))
    holds(
        page,
        "Расходный документ № 1 от 23.11.2022",
        "Организатор ООО «Проба»",
        "Сумма 10,00 BYN",
        "Сумма прописью Десять рублей 00 копеек",
        f"Основание билет № {paid.lines[0]['ticket']}",
        "Фамилия, имя, отчество П*** П.",
        "Документ паспорт ***4567",
        "Касса K-1",
        "Заводской номер аппарата SN-1",
        "Кассир Cashier",
        "Подтвердил второй сотрудник —",
        "Получил",
        "Выдал кассир",
        "Страница 1 из 1",
    )
    assert "Петров" not in page and "MP1234567" not in page


def test_a_slip_to_be_signed_shows_the_person_in_full_and_that_is_on_record(paid: Paid) -> None:
    page = page_of(paid.office.supervisor.post("/documents/payout-slips/3/views", REASON))
    holds(page, "Ўладзімір Іванавіч", "паспорт MP1234567, выдан 01.03.2015, РУВД")
    assert LONG in page.replace(" ", "")
    with paid.office.owner() as session:
        version = session.query(PersonVersion).order_by(PersonVersion.id.desc()).first()
        assert version is not None
    assert facts_of(paid.office, PERSON_VIEWED) == [(f"person:{version.person_id}", {"version": version.id, **REASON})]
    refused = paid.office.auditor.post("/documents/payout-slips/3/views", REASON)
    assert (refused.status_code, refused.json["code"]) == (403, "unmasked_view_not_granted")
    for member in (paid.office.supervisor, paid.office.accountant):
        assert member.post("/documents/payout-slips/99/views", REASON).status_code == 404


def test_t_rules_30_a_protocol_names_event_result_source_and_whoever_signs(paid: Paid) -> None:
    """T-Rules 10, 30: the two logins, the commission, and what came true of the pool."""
    holds(
        page_of(paid.office.trader.get("/documents/protocols/1")),
        "Протокол № 1 от 22.11.2022",
        "Наименование Аргентина — Саудовская Аравия (шифр E-P1)",
        "Событие состоялось",
        "Шифры наступивших исходов 1",
        "Источник протокол матча",
        "Исход матча (шифр P1) П1 (шифр 1)",
        "Результат внёс Organizer",
        "Результат подтвердил Second-Organizer",
        "Член комиссии Первый член",
        "Член комиссии Второй член",
    )
    assert paid.office.trader.get("/documents/protocols/2").status_code == 404


def test_a_corrected_protocol_names_the_one_before_and_why(office: Office) -> None:
    pool = office.pool()
    office.determine(pool, "1")
    path = f"/events/{pool['event_id']}"
    entered = {"outcomes": ["X"], "source": "бюллетень", "score": "1:1", "corrects": 1, "reason": "clerical_error"}
    result = office.organizer.post(path + "/results", entered)
    assert result.status_code == 201, result.json
    protocol = {"result_id": result.json["id"], "signatories": ["Третий член"]}
    assert office.second_organizer.post(path + "/protocols", protocol).status_code == 201
    holds(
        page_of(office.auditor.get("/documents/protocols/2")),
        "Протокол № 2",
        "Счёт 1:1",
        "Исправляет протокол № 1",
        "Причина исправления описка",
        "Исход матча (шифр P1) Ничья (шифр X)",
    )


def test_the_sheet_of_a_pool_adds_up(paid: Paid) -> None:
    """50.00 staked, 40 % withdrawn, a fund of 30.00 shared by 30.00 of winning stakes: coefficient 1."""
    holds(
        page_of(paid.office.accountant.get("/documents/pool-sheets/P1")),
        "Ведомость пула P1",
        "Состояние выплачиваются выигрыши",
        "Ставка от 1,00 BYN до 10 000,00 BYN",
        "1 П1 3 30,00 да",
        "X Ничья 0 0,00 нет",
        "2 П2 2 20,00 нет",
        "Итого 5 50,00",
        "Изъятие 20,00 BYN",
        "Выигрышный фонд 30,00 BYN",
        "Минусовый пул нет",
        "Коэффициент 1,0000",
        "Выигрыши 30,00 BYN",
        "В джек-пот 0,00 BYN",
    )
    assert paid.office.accountant.get("/documents/pool-sheets/NONE").json["code"] == "unknown_pool"


def test_the_sheet_of_a_pool_that_sells_says_what_there_is(office: Office) -> None:
    office.pool()
    page = page_of(office.trader.get("/documents/pool-sheets/P1"))
    holds(page, "Состояние идёт приём ставок", "Итого 0 0,00")
    assert "Распределение" not in page and "Изъятие" not in page


def test_the_report_of_a_shift_keeps_accepted_and_paid_cash_apart(paid: Paid) -> None:
    """100.00 at the beginning, two bets of 10.00, two payouts of 10.00: 100.00 are expected; 99.00 are counted."""
    office = paid.office
    page = page_of(office.cashier.get(f"/documents/shift-reports/{office.shift_id}"))
    holds(page, "(смена не закрыта)", "Пересчитано —", "Расхождение —")
    closed = office.cashier.post(f"/shifts/{office.shift_id}/closing", {"counted": "99.00"})
    assert closed.status_code == 201, closed.json
    holds(
        page_of(office.supervisor.get(f"/documents/shift-reports/{office.shift_id}")),
        f"Сменный отчёт № {office.shift_id}, касса K-1",
        "Касса K-1, Минск, пр. Победителей, 1",
        "Смену открыл Cashier",
        "Принято Вид движения Операций Сумма Ставки наличными 2 20,00 Итого 2 20,00",
        "Выплаты по билетам 2 20,00",
        "На начало смены 100,00 BYN",
        "Пересчитано 99,00 BYN",
    )
    assert office.supervisor.get("/documents/shift-reports/99").status_code == 404


def test_when_too_many_are_being_made_another_is_refused_at_once_and_bets_are_taken(paid: Paid) -> None:
    """FIELD-FAULTS 071: two of eight threads make documents; a third document is told to come back."""
    office = paid.office
    taken = [office.house.papers.acquire(blocking=False) for _ in range(3)]
    assert taken == [True, True, False]
    for path, asked in (SLIP, ("/documents/payout-journal", {"format": "csv"}), ("/documents/pool-sheets/P1", {})):
        answer = office.supervisor.get(path, **asked)
        assert (answer.status_code, answer.json["code"], answer.headers["Retry-After"]) == (503, "papers_busy", "1")
    office.clock("2022-11-22T09:00:00+03:00")
    office.pool("P2")
    assert office.bet(office.another_cashier(3), "1", "10.00", pool="P2").status_code == 201
    office.house.papers.release()
    for _ in range(5):
        assert office.supervisor.get("/documents/payout-slips/1").status_code == 200
        assert office.supervisor.get("/documents/payout-journal", format="csv").data
        office.supervisor.get("/documents/payout-journal", format="csv").close()


def test_a_document_that_fails_gives_its_place_back(paid: Paid, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> bytes:
        raise RuntimeError("no paper")

    for place in ("api.documents.files.form_pdf", "documents.pdf._set_apart"):
        monkeypatch.setattr(place, fails)
    for _ in range(3):
        assert paid.office.supervisor.get("/documents/payout-slips/1").status_code == 500
        assert paid.office.supervisor.get("/documents/payout-journal", format="pdf").status_code == 500
    monkeypatch.undo()
    assert paid.office.supervisor.get("/documents/payout-slips/1").status_code == 200


@pytest.mark.parametrize(("path", "asked"), [SLIP, ("/documents/payout-journal", {"format": "pdf"})])
def test_no_connection_is_held_while_a_document_is_set(
    paid: Paid, path: str, asked: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """FIELD-FAULTS 071: looked at from another connection in the middle of the setting."""
    seen: list[int] = []

    def looking(*_: object) -> bytes:
        assert paid.office.house.engine.pool.checkedout() == 0  # type: ignore[attr-defined]
        with paid.office.owner() as session:
            seen.append(session.scalars(text(IN_TRANSACTION)).one())
        return b"%PDF-"

    for place in ("api.documents.files.form_pdf", "documents.pdf._set_apart"):
        monkeypatch.setattr(place, looking)
    assert paid.office.supervisor.get(path, **asked).status_code == 200
    assert seen == [0]
