"""Papers of pools of positions: ticket, sheet, protocol. Every figure is that of `tests/reports/positions.py`."""

from __future__ import annotations

from base64 import b64decode
from fractions import Fraction
from hashlib import sha256
from itertools import islice, product
from typing import Any

import pytest

from reports.bet_words import positions_and_bets
from reports.papers.positions import EMPTY_LEVELS, NOT_HELD
from reports.papers.words import percent_text
from tests.documents.papers import pages_of
from tests.documents.printer import printed
from tests.office import Office
from tests.reports.positions import CAME, SPORTLOTO, THREE, TOTOLOT, announced, bet, correct, determine, settle, sold
from tests.reports.test_papers import holds
from tote.models import NotHeld
from tote.rules.levels import EmptyLevel


def ticket(office: Office, number: int, form: str = "pdf") -> bytes:
    """An original."""
    answer = office.cashier.post(f"/tickets/{number}/prints", {"format": form})
    assert answer.status_code == 201, answer.json
    return b64decode(answer.json["content"])


def text_of(written: bytes) -> str:
    """The text of a paper, over all its pages."""
    return " ".join(pages_of(written))


def paper(office: Office, path: str) -> str:
    """The text of a document."""
    answer = office.accountant.get(f"/documents/{path}")
    assert answer.status_code == 200, answer.json
    return text_of(answer.data)


def test_t_rules_25_a_ticket_tells_its_marks_and_what_it_was_made_on(office: Office) -> None:
    """First of 6.00 on two rows of 3.00; the terms are those the pool was announced on (T-Rules 9.11, 24)."""
    _, (first, *_) = sold(office, TOTOLOT, empty_level="other_levels", not_held="drop")
    page = text_of(ticket(office, first))
    holds(
        page,
        "Динамо — Торпедо (шифр A) 1 Шахтёр — Неман (шифр B) 1, X Гомель — Минск (шифр C) 2",
        "Ставок 2",
        "Одна ставка 3,00 BYN",
        "Сумма ставок 6,00 BYN",
        "Уровень 1 100 %: 3 из 3; 70 % фонда",
        "Уровень 2 200/3–99,99 %: 2 из 3; 30 % фонда",
        "Пустой уровень его фонд делится между уровнями, где есть выигравшие",
        "Позиция не состоялась она не считается: процент совпадений берётся от остальных",
    )
    assert "*" not in page and "Исход" not in page and "SHA" not in page


def test_a_receipt_printer_is_told_the_marks_too(office: Office) -> None:
    _, (first, *_) = sold(office, SPORTLOTO)
    lines = printed(ticket(office, first, "escpos")).text.splitlines()
    assert {"Шахтёр - Неман (шифр B): 1, X", "Цена ставки: 2,50 BYN", "5,00 BYN"} <= set(lines)


def test_a_few_uploaded_rows_are_printed(office: Office) -> None:
    _, (_, second, _) = sold(office, SPORTLOTO)
    page = text_of(ticket(office, second))
    holds(
        page,
        "Позиция A Динамо — Торпедо Позиция B Шахтёр — Неман Позиция C Гомель — Минск",
        "Ставка 1 1,X,2 Ставка 2 1,X,2 Ставка 3 2,2,X",
        "Ставок 3",
        "Цена ставки 2,50 BYN",
        "Сумма ставок 7,50 BYN",
        "Пустой уровень его фонд идёт в джек-пот",
        "Позиция не состоялась все ставки пула возвращаются",
    )
    assert "SHA" not in page


def test_of_many_rows_the_ticket_tells_their_number_and_the_word_they_are_checked_by(office: Office) -> None:
    """Twenty are printed, twenty-one are not; the word is that of the file which anybody may take."""
    announced(office, TOTOLOT)
    lines = [",".join(row) for row in islice(product("1X2", repeat=3), 21)]
    twenty, more = (
        bet(office.cashier, {"uploaded": "\n".join(lines[:rows])}, f"{rows}.00")["number"] for rows in (20, 21)
    )
    page = text_of(ticket(office, twenty))
    holds(page, f"Ставка 20 {lines[19]}", "Ставок 20")
    page = text_of(ticket(office, more))
    word = sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()
    assert word in page.replace(" ", "")
    assert word == sha256(office.cashier.get(f"/tickets/{more}/rows").data).hexdigest()
    holds(page, "Ставок 21", "Одна ставка 1,00 BYN", "Позиция C Гомель — Минск", "электронная запись")
    assert "Ставка 1 " not in page


def test_the_sheet_of_a_pool_that_sells_tells_positions_and_the_table_of_matches(office: Office) -> None:
    sold(office, TOTOLOT)
    page = paper(office, "pool-sheets/P1")
    holds(
        page,
        "Уровень 1 100 %: 3 из 3; 70 % фонда",
        "Шахтёр — Неман (шифр B) П1 (шифр 1); Ничья (шифр X); П2 (шифр 2)",
        "0 0 % — 1 100/3 % — 2 200/3 % 2 3 100 % 1",
        "Билетов 3 Ставок 6 Сумма ставок 13,00 BYN",
    )
    assert "Распределение" not in page and "По позициям" not in page


def test_t_rules_36_2_the_sheet_tells_what_every_level_had_and_brought(office: Office) -> None:
    pool, _ = sold(office, TOTOLOT)
    determine(office, pool, CAME)
    settle(office, pool)
    page = paper(office, "pool-sheets/P1")
    holds(
        page,
        "Динамо — Торпедо (шифр A) П1 (шифр 1); Ничья (шифр X); П2 (шифр 2) П1 (шифр 1)",
        "Билетов 3 Сумма ставок 13,00 BYN Изъятие 5,20 BYN Выигрышный фонд 7,80 BYN",
        "Выигравших ставок 5 Сумма выигравших ставок 12,00 BYN Выигрыши и возвраты 7,78 BYN В джек-пот 0,02 BYN",
        "1 100 % 70 % 5,4600 3 5,00 1,0920",
        "2 200/3–99,99 % 30 % 2,3400 2 7,00 0,3342",
        "1 № 1 состоялось 1, X, 2 7,78",
    )
    assert page.count("Коэффициент") == 1, "the levels' alone: the pool has none"
    assert "Уровни по расчётам" not in page


def test_t_rules_11_3_the_sheet_of_sportloto_tells_wins_of_a_bet(office: Office) -> None:
    pool, _ = sold(office, SPORTLOTO)
    determine(office, pool, CAME)
    settle(office, pool)
    page = paper(office, "pool-sheets/P1")
    holds(page, "Билетов 3 Ставок 6 Сумма ставок 15,00 BYN", "Цена ставки 2,50 BYN")
    holds(page, "1 100 % 70 % 7,3500 3 7,50 2,4500", "2 200/3–99,99 % 30 % 3,1500 2 5,00 1,5750")


def test_the_sheet_tells_the_levels_of_every_settlement(office: Office) -> None:
    """Corrected to 1, 1, 2: the row 1 1 2 of 3.00 has 5.46, which is 1.82; 1 X 2 has matched twice.

    Level 2 are 3.00 of the first and 2.00 of the second: 2.34 on 5.00 is 0.468 (D-14).
    """
    pool, _ = sold(office, TOTOLOT)
    determine(office, pool, CAME)
    settle(office, pool)
    correct(office, pool, {**CAME, "B": "1"})
    settle(office, pool)
    page = paper(office, "pool-sheets/P1")
    in_force, _, former = page.partition("Уровни по расчётам")
    holds(in_force, "1 100 % 70 % 5,4600 1 3,00 1,8200 2 200/3–99,99 % 30 % 2,3400 3 5,00 0,4680")
    holds(
        former,
        "1 1 100 % 70 % 5,4600 3 5,00 1,0920 1 2 200/3–99,99 % 30 % 2,3400 2 7,00 0,3342",
        "2 1 100 % 70 % 5,4600 1 3,00 1,8200 2 2 200/3–99,99 % 30 % 2,3400 3 5,00 0,4680",
    )


def test_d_22_the_papers_say_which_position_was_not_held(office: Office) -> None:
    """Two positions are left. Both rows of the first match them, and two of the second: 5.46 on 8.00 is 0.6825.

    The third matches one of two, which is on no level; nobody is on level 2.
    """
    pool, _ = sold(office, TOTOLOT, not_held="drop")
    determine(office, pool, {**CAME, "B": None})
    settle(office, pool)
    page = paper(office, "pool-sheets/P1")
    holds(page, "позиция не состоялась", "1 № 1 состоялось 1, —, 2")
    holds(page, "1 100 % 70 % 5,4600 4 8,00 0,6825", "2 200/3–99,99 % 30 % 2,3400 0 0,00")
    page = paper(office, "protocols/1")
    holds(page, "Шифр позиции Наступило A 1 B позиция не состоялась C 2")
    holds(
        page,
        "Динамо — Торпедо (шифр A) П1 (шифр 1) Шахтёр — Неман (шифр B) позиция не состоялась "
        "Гомель — Минск (шифр C) П2 (шифр 2)",
    )
    assert "Шифры наступивших исходов" not in page


def test_a_pool_returned_for_a_position_tells_nothing_that_came_true(office: Office) -> None:
    pool, _ = sold(office, TOTOLOT)
    determine(office, pool, {**CAME, "B": None})
    assert settle(office, pool)["returned"] is True
    page = paper(office, "pool-sheets/P1")
    holds(page, "Состояние ставки возвращаются", "Выигрыши и возвраты 13,00 BYN")
    positions = page.partition("Наступило")[2].partition("Совпадения и уровни")[0]
    assert "П2 (шифр 2) П1 (шифр 1)" not in positions and "не состоялась" not in positions


def test_t_rules_30_a_protocol_tells_each_pool_of_the_event_by_name(office: Office) -> None:
    """Three pools on one event: one of outcomes, two of positions, of whose position D the result does not tell."""
    pool = announced(office, TOTOLOT)
    more = [*TOTOLOT["positions"], {"code": "D", "name": "Ислочь — БАТЭ", "outcomes": THREE}]
    plain = {name: told for name, told in TOTOLOT.items() if name not in ("positions", "levels")}
    others = {"P2": {**TOTOLOT, "positions": more}, "P3": {**plain, "game": "totolot_variant", "outcomes": THREE}}
    for code, game in others.items():
        answer = office.organizer.post("/pools", {**game, "code": code, "event_id": pool["event_id"]})
        assert answer.status_code == 201, answer.json
    office.clock("2022-11-22T16:00:00+03:00")
    told: dict[str, Any] = {"standing": "held", "positions": CAME}
    assert office.confirm(pool, office.enter(pool, "2", **told)).status_code == 201
    shown = office.auditor.get(f"/events/{pool['event_id']}/protocols/1").json
    assert shown["positions"] == CAME
    first, second, third = shown["pools"]
    assert [first["code"], first["outcomes"]] == ["P1", []]
    assert first["positions"][1] == {
        "code": "B",
        "name": "Шахтёр — Неман",
        "told": True,
        "outcome": {"code": "X", "name": "Ничья"},
    }
    assert second["positions"][3] == {"code": "D", "name": "Ислочь — БАТЭ", "told": False, "outcome": None}
    assert (third["outcomes"], third["positions"]) == ([{"code": "2", "name": "П2"}], [])
    page = paper(office, "protocols/1")
    holds(page, "Шифры наступивших исходов 2", "A 1 B X C 2", "Ислочь — БАТЭ (шифр D) не определено протоколом")
    holds(page, "(шифр P3) П2 (шифр 2)")


@pytest.mark.parametrize(
    ("positions", "bets", "said"),
    [
        (13, 1_594_323, "13 позиций, 1594323 ставки"),
        (1, 1, "1 позиция, 1 ставка"),
        (2, 11, "2 позиции, 11 ставок"),
        (21, 112, "21 позиция, 112 ставок"),
        (24, 1_000_021, "24 позиции, 1000021 ставка"),
    ],
)
def test_bets_on_positions_are_counted_in_russian(positions: int, bets: int, said: str) -> None:
    assert positions_and_bets(positions, bets) == said


@pytest.mark.parametrize(
    ("percent", "said"),
    [("100", "100"), ("0", "0"), ("200/3", "200/3"), ("6667/100", "66,67"), ("125/2", "62,5"), ("100/7", "100/7")],
)
def test_a_percent_on_paper_is_exact(percent: str, said: str) -> None:
    assert percent_text(Fraction(percent)) == said


def test_every_term_of_positions_is_said_in_russian() -> None:
    assert (set(EMPTY_LEVELS), set(NOT_HELD)) == (set(EmptyLevel), set(NotHeld))
