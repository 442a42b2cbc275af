"""The papers of one thing: what is on each equals the record; whose they are; how many are made at once."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import text

from events.models import CorrectionReason, Standing
from office.persons.models import PersonVersion
from office.significant.kinds import PERSON_VIEWED
from reports.papers.pool_sheet import RETURNED as RETURNED_POOL
from reports.papers.pool_sheet import STATUSES
from reports.papers.protocol import CORRECTION_REASONS, RETURNED
from reports.papers.words import STANDINGS
from tests.documents.papers import pages_of
from tests.office import Office
from tests.records import facts_of
from tests.reports.paid import LONG, Paid, pay_out
from tests.tote.match import sold
from tests.tote.test_settled_again_after import draw
from tote.statuses import PoolStatus

REASON = {"reason": "Подпись получателя"}
IN_TRANSACTION = """
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND state <> 'idle' AND pid <> pg_backend_pid()
"""
LEVEL = {"home": 1, "away": 1}
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


def test_t_rules_35_the_slip_of_money_from_a_game_account_names_the_withdrawal(office: Office) -> None:
    """12.50 of ivan's 20.00: no ticket is paid; whose account it is is masked until somebody puts on record a view."""
    office.player("ivan", "20.00")
    paid = office.withdraw("ivan", "12.50")
    assert (paid.status_code, paid.json["ticket"], paid.json["number"]) == (201, None, 1)
    withdrawal = paid.json["account_withdrawal"]
    page = page_of(office.cashier.get("/documents/payout-slips/1"))
    holds(page, "Сумма 12,50 BYN", f"Основание вывод № {withdrawal} с игрового счёта игрока i***")
    assert "None" not in page and "ivan" not in page and "билет" not in page
    page = page_of(office.supervisor.post("/documents/payout-slips/1/views", REASON))
    holds(page, f"Основание вывод № {withdrawal} с игрового счёта игрока ivan")


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
        "Результат внёс Organizer, ",
        "Результат подтвердил Second-Organizer, ",
        "Член комиссии Первый член",
        "Член комиссии Второй член",
    )
    assert paid.office.trader.get("/documents/protocols/2").status_code == 404


def test_a_corrected_protocol_names_the_one_before_and_why(office: Office) -> None:
    pool = office.pool()
    office.determine(pool, "1")
    path = f"/events/{pool['event_id']}"
    entered = {"outcomes": ["X"], "source": "бюллетень", "corrects": 1, "reason": "clerical_error"}
    entered |= {"scores": [{"period": "first_half", "home": 1, "away": 0}, {"period": "regular_time", **LEVEL}]}
    result = office.organizer.post(path + "/results", entered)
    assert result.status_code == 201, result.json
    protocol = {
        "result_id": result.json["id"],
        "signatories": ["Третий член"],
        "place": "Минск",
        "remarks": "без замечаний",
    }
    assert office.second_organizer.post(path + "/protocols", protocol).status_code == 201
    holds(
        page_of(office.auditor.get("/documents/protocols/2")),
        "Протокол № 2",
        "Счёт 1:1",
        "1-й тайм 1 0 Основное время 1 1",
        "Исправляет протокол № 1",
        "Причина исправления описка",
        "Место составления Минск",
        "Замечания без замечаний",
        "Исход матча (шифр P1) Ничья (шифр X)",
    )
    holds(page_of(office.auditor.get("/documents/protocols/1")), "Исправлен протоколом № 2")


def test_t_rules_32_the_protocol_of_an_event_not_held_says_that_stakes_go_back(office: Office) -> None:
    event = office.pool()["event_id"]
    office.clock("2022-11-22T16:00:00+03:00")
    assert office.organizer.post("/pools/P1/closing").status_code == 201
    result = office.organizer.post(f"/events/{event}/results", {"standing": "interrupted", "source": "бюллетень"})
    assert result.status_code == 201, result.json
    protocol = {"result_id": result.json["id"], "signatories": ["Первый член"]}
    assert office.second_organizer.post(f"/events/{event}/protocols", protocol).status_code == 201
    page = page_of(office.auditor.get("/documents/protocols/1"))
    holds(page, "Событие прервано", "Шифры наступивших исходов —", RETURNED, "Исход матча (шифр P1) —")


def test_the_sheet_of_a_pool_adds_up(paid: Paid) -> None:
    """50.00 staked, 40 % withdrawn, a fund of 30.00 shared by 30.00 of winning stakes: coefficient 1."""
    holds(
        page_of(paid.office.accountant.get("/documents/pool-sheets/P1")),
        "Ведомость пула P1",
        "Состояние выигрыши выплачиваются",
        "Ставка от 1,00 BYN до 10 000,00 BYN",
        "1 П1 3 30,00 да",
        "X Ничья 0 0,00 нет",
        "2 П2 2 20,00 нет",
        "Итого 5 50,00",
        "Изъятие 20,00 BYN",
        "Выигрышный фонд 30,00 BYN",
        "Минусовый пул нет",
        "Коэффициент 1,0000",
        "Выигрыши и возвраты 30,00 BYN",
        "В джек-пот 0,00 BYN",
    )
    assert paid.office.accountant.get("/documents/pool-sheets/NONE").json["code"] == "unknown_pool"


def test_t_rules_32_the_sheet_of_a_returned_pool_sets_no_end_to_its_payment(office: Office) -> None:
    """Determined on 22 November at 16:00: due at once; claims alone have their ten days (D-21)."""
    assert office.decide(office.pool()).json["returned"] is True
    page = page_of(office.accountant.get("/documents/pool-sheets/P1"))
    holds(page, "Ставки возвращаются с 22.11.2022 16:00", "Ставки возвращаются до без срока")
    holds(page, "Споры рассматриваются до без срока")
    assert "Выигрыши выплачиваются" not in page


def test_the_sheet_shows_every_settlement_and_what_the_jackpot_lacked(office: Office) -> None:
    """Nobody won: 30.00 to the jackpot, 18.00 drawn elsewhere. By 1 the 20.00 on it win 30.00: 30/20 is 1.5 (D-14).

    Then A's bet is cancelled; the division stands (T-Rules 29, D-18).
    """
    match = sold(office)
    match.settle_by("X")
    draw(office, 18_00)
    match.settle_by("1")
    reason = {"reason": "under_age", "explanation": "участнику 17 лет"}
    cancelled = office.organizer.post(f"/tickets/{match.numbers[0]}/cancellation", reason)
    assert cancelled.status_code == 201, cancelled.json
    page = page_of(office.accountant.get("/documents/pool-sheets/P1"))
    holds(
        page,
        "Состояние рассчитан",
        "Отменено организатором Ставок 1 Сумма ставок 10,00 BYN",
        "Недостаток джек-пота за счёт организатора 18,00 BYN",
        "1 № 1 состоялось X 0,00 22.11.2022",
        "2 № 2 состоялось 1 1,5000 30,00 22.11.2022",
        "Выигрыши выплачиваются с 23.11.2022 00:00:00",
        "Выигрыши выплачиваются до 24.02.2023 00:00:00",
    )


def test_t_rules_32_the_sheet_of_a_returned_pool_knows_no_wins(office: Office) -> None:
    """All 50.00 go back, the withdrawal of 20.00 among them; without an end (D-21)."""
    match = sold(office)
    match.settle_by()
    page = page_of(office.accountant.get("/documents/pool-sheets/P1"))
    holds(page, "Состояние ставки возвращаются", RETURNED_POOL, "1 № 1 не состоялось 50,00", "Споры рассматриваются до")
    assert "Выигрыши выплачиваются" not in page


def test_every_word_of_the_trade_is_said_in_russian() -> None:
    """A status, a standing or a reason that is added without a word would print as an error or as its code."""
    for words, codes in ((STATUSES, PoolStatus), (STANDINGS, Standing), (CORRECTION_REASONS, CorrectionReason)):
        assert set(words) == set(codes)
        assert all(word and not word.isascii() for word in words.values())
        assert len(set(words.values())) == len(words)


def test_the_sheet_of_a_pool_that_sells_says_what_there_is(office: Office) -> None:
    office.pool()
    page = page_of(office.trader.get("/documents/pool-sheets/P1"))
    holds(page, "Состояние идёт приём ставок", "Итого 0 0,00")
    assert "Распределение" not in page and "Изъятие" not in page


def test_the_report_of_a_shift_keeps_accepted_and_paid_cash_apart(paid: Paid) -> None:
    """100.00 at the beginning, two bets of 10.00, two payouts of 10.00: 100.00 are expected; 99.00 are counted.

    B-Prov 17: until the fiscal receipts and the fiscal report are entered the paper says it is not final, and why.
    """
    office = paid.office
    path = f"/documents/shift-reports/{office.shift_id}"
    page = page_of(office.cashier.get(path))
    holds(page, "не окончательный", "НЕ ОКОНЧАТЕЛЬНЫЙ: смена не закрыта; не внесены фискальные чеки выплат № 1, 2.")
    holds(page, "(смена не закрыта)", "Должно быть по учёту 100,00 BYN", "Пересчитано —", "Номер —")
    closed = office.cashier.post(f"/shifts/{office.shift_id}/closing", {"counted": "99.00"})
    assert closed.status_code == 201, closed.json
    for number in (1, 2):
        entered = office.cashier.post(f"/payouts/{number}/fiscal-receipt", {"number": f"00{number}"})
        assert entered.status_code == 201, entered.json
    holds(page_of(office.cashier.get(path)), "НЕ ОКОНЧАТЕЛЬНЫЙ: не внесён номер фискального отчёта.")
    assert office.cashier.post(f"/shifts/{office.shift_id}/fiscal-report", {"number": "517"}).status_code == 201
    page = page_of(office.supervisor.get(path))
    holds(
        page,
        f"Сменный отчёт № {office.shift_id}, касса K-1",
        "Касса K-1, Минск, пр. Победителей, 1",
        "Смену открыл Cashier",
        "Принято Вид движения Операций Сумма Ставки 2 20,00 Итого 2 20,00",
        "Выдано Вид движения Операций Сумма Выигрыши 2 20,00 Итого 2 20,00",
        "На начало смены 100,00 BYN",
        "Пересчитано 99,00 BYN",
        "Расхождение -1,00 BYN",
        "Фискальный отчёт Номер 517 Заводской номер аппарата SN-1",
    )
    assert "окончательн" not in page.lower()
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
        assert paid.office.house.engine.pool.checkedout() == 0
        with paid.office.owner() as session:
            seen.append(session.scalars(text(IN_TRANSACTION)).one())
        return b"%PDF-"

    for place in ("api.documents.files.form_pdf", "documents.pdf._set_apart"):
        monkeypatch.setattr(place, looking)
    assert paid.office.supervisor.get(path, **asked).status_code == 200
    assert seen == [0]
