"""Tickets on paper: an original once, where and while it was sold; duplicates by another right, marked and on record.

INDUSTRY "Ticket"; FIELD-FAULTS 010: a reprint is a logged, separately permitted action and marks the ticket.
"""

from __future__ import annotations

from base64 import b64decode
from threading import Barrier, Thread
from typing import Any

import pytest
from sqlalchemy import select

from office.significant.kinds import CODE_TOLD_AGAIN, TICKET_DUPLICATED
from office.users import User
from tests.documents.papers import pages_of, picture_of, scanned
from tests.documents.printer import printed
from tests.office import Member, Office
from tests.records import facts_of

REASON = "Бумага порвалась в принтере"


@pytest.fixture
def ticket(office: Office) -> dict[str, Any]:
    """A bet of 1234.50 on 1, sold at the cashier's terminal a minute past eight."""
    office.pool(minimum_coefficient="1.05")
    assert office.cashier
    office.clock("2022-11-22T08:01:44+03:00")
    answer = office.bet(office.cashier, "1", "1234.50")
    assert answer.status_code == 201, answer.json
    return dict(answer.json)


def print_by(member: Member, number: int, form: str = "pdf", key: str | None = None) -> Any:
    """Ask for an original."""
    return member.post(f"/tickets/{number}/prints", {"format": form}, key)


def duplicate_by(member: Member, number: int, form: str = "pdf", key: str | None = None) -> Any:
    """Ask for a duplicate."""
    return member.post(f"/tickets/{number}/duplicates", {"format": form, "reason": REASON}, key)


def file_of(answer: Any) -> bytes:
    """The file in an answer."""
    assert answer.status_code == 201, answer.json
    return b64decode(answer.json["content"])


def refused(answer: Any) -> tuple[int, str]:
    """How an answer refuses."""
    return answer.status_code, answer.json["code"]


def test_t_rules_25_a_ticket_carries_the_pool_the_outcome_and_their_codes(
    office: Office, ticket: dict[str, Any]
) -> None:
    """T-Rules 9.11, 25, T-Prov 8: all requisites, whose desk, when, on which terms; the code as QR and in letters."""
    answer = print_by(office.cashier, ticket["number"])
    made = file_of(answer)
    (page,) = pages_of(made)
    code = ticket["code"]
    for told in (
        "ООО «Проба» Тотализатор Касса K-1, Минск, пр. Победителей, 1",
        f"БИЛЕТ № {ticket['number']}",
        "Принят 22.11.2022 08:01:4",
        "Игра Тотолот-Вариант",
        "Пул Исход матча (шифр P1)",
        "Событие Аргентина — Саудовская Аравия",
        "Начало 22.11.2022 13:00:00",
        "Приём до 22.11.2022 12:55:00",
        "Исход П1 (шифр 1)",
        "Фонд 60 % суммы ставок пула",
        "Коэффициент не меньше 1,05",
        "Ставка 1 234,50 BYN",
        f"{code[:4]} {code[4:8]} {code[8:12]} {code[12:]}",
        "три месяца",
        "10 дней",
    ):
        assert told in page, (told, page)
    assert "ДУБЛИКАТ" not in page and "Игрок" not in page
    assert scanned(picture_of(made)) == [code]
    told = {name: answer.json[name] for name in ("ticket", "duplicate", "format", "media_type")}
    assert told == {
        "ticket": ticket["number"],
        "duplicate": None,
        "format": "pdf",
        "media_type": "application/pdf",
    }


def test_a_receipt_printer_is_told_the_same(office: Office, ticket: dict[str, Any]) -> None:
    found = printed(file_of(print_by(office.cashier, ticket["number"], "escpos")))
    lines = found.text.splitlines()
    assert f"БИЛЕТ № {ticket['number']}" in lines
    assert {"Пул: Исход матча (шифр P1)", "П1 (шифр 1)", "1 234,50 BYN"} <= set(lines)
    assert [scanned(picture) for picture in found.pictures] == [[ticket["code"]]]
    assert found.cuts == 1


def test_what_a_scanner_reads_is_what_the_desk_pays(office: Office, ticket: dict[str, Any]) -> None:
    """One bet of a minus pool: 1234.50 and 10 % of it are paid by the paper alone (T-Prov 16)."""
    (code,) = scanned(picture_of(file_of(print_by(office.cashier, ticket["number"]))))
    office.decide({"code": "P1", "event_id": 1}, "1")
    office.move("desk_float", "100.00", desk_id=office.desk["id"])
    office.clock("2022-11-23T10:00:00+03:00")
    answer = office.pay(code)
    assert (answer.status_code, answer.json["amount"]) == (201, "1357.95"), answer.json


def test_an_original_is_printed_once(office: Office, ticket: dict[str, Any]) -> None:
    first = print_by(office.cashier, ticket["number"])
    again = print_by(office.cashier, ticket["number"])
    assert refused(again) == (409, "already_printed")
    assert again.json["printed_at"].startswith("2022-11-22T05:01:4")
    assert first.status_code == 201


def test_a_retry_with_the_same_key_gives_the_same_original(office: Office, ticket: dict[str, Any]) -> None:
    first, again = (print_by(office.cashier, ticket["number"], key="a-print-of-a-ticket") for _ in range(2))
    assert again.headers["Idempotency-Replayed"] == "true"
    assert again.json == first.json
    other = print_by(office.cashier, ticket["number"], "escpos", key="a-print-of-a-ticket")
    assert refused(other) == (422, "idempotency_key_reused")


def test_the_same_original_comes_back_whatever_became_of_the_ticket_and_that_is_noted(
    office: Office, ticket: dict[str, Any]
) -> None:
    first = print_by(office.cashier, ticket["number"], key="a-print-of-a-ticket")
    office.decide({"code": "P1", "event_id": 1}, "1")
    again = print_by(office.cashier, ticket["number"], key="a-print-of-a-ticket")
    assert again.json == first.json
    assert [subject for subject, _ in facts_of(office, CODE_TOLD_AGAIN)] == [f"ticket:{ticket['number']}"]


def test_of_many_that_ask_at_once_one_gets_the_original(office: Office, ticket: dict[str, Any]) -> None:
    together, answers = Barrier(4), []

    def ask(key: str) -> None:
        member = Member(office.app.test_client(), office.cashier.token)
        together.wait()
        answers.append(print_by(member, ticket["number"], key=key).status_code)

    asking = [Thread(target=ask, args=(f"a-print-of-many-{number}",)) for number in range(4)]
    for each in asking:
        each.start()
    for each in asking:
        each.join()
    assert sorted(answers) == [201, 409, 409, 409]


def test_another_terminal_of_the_desk_prints_no_original_and_another_desk_finds_no_ticket(
    office: Office, ticket: dict[str, Any]
) -> None:
    beside = office.cashier_at(office.desk, "T-1b", "cashier-beside", cash=None)
    assert refused(print_by(beside, ticket["number"])) == (409, "not_sold_here")
    assert refused(print_by(office.another_cashier(2), ticket["number"])) == (404, "not_found")
    assert refused(print_by(office.cashier, 999)) == (404, "not_found")


def test_behind_the_end_of_the_shift_no_original_is_printed(office: Office, ticket: dict[str, Any]) -> None:
    closed = office.cashier.post(f"/shifts/{office.shift_id}/closing", {"counted": "1334.50"})
    assert closed.status_code == 201, closed.json
    assert refused(print_by(office.cashier, ticket["number"])) == (409, "no_open_shift")
    assert office.cashier.post("/shifts", {"counted": "1334.50"}).status_code == 201
    assert refused(print_by(office.cashier, ticket["number"])) == (409, "selling_shift_over")


def test_a_duplicate_is_marked_numbered_and_on_record(office: Office, ticket: dict[str, Any]) -> None:
    """FIELD-FAULTS 010: of a ticket sold by another desk's cashier, by the one role that may."""
    assert print_by(office.cashier, ticket["number"]).status_code == 201
    office.clock("2022-11-22T09:00:00+03:00")
    for number in (1, 2):
        answer = duplicate_by(office.supervisor, ticket["number"])
        made = file_of(answer)
        (page,) = pages_of(made)
        assert f"БИЛЕТ № {ticket['number']} ДУБЛИКАТ № {number} Напечатан 22.11.2022 09:00:0" in page
        assert "Принят 22.11.2022 08:01:4" in page
        assert answer.json["duplicate"] == number
        assert scanned(picture_of(made)) == [ticket["code"]]
    with office.owner() as session:
        cashier = session.scalars(select(User.id).where(User.login == "cashier")).one()
    assert facts_of(office, TICKET_DUPLICATED) == [
        (f"ticket:{ticket['number']}", {"duplicate": number, "reason": REASON, "sold_by": cashier}) for number in (1, 2)
    ]


def test_a_repeated_duplicate_is_the_same_one(office: Office, ticket: dict[str, Any]) -> None:
    first, again = (duplicate_by(office.supervisor, ticket["number"], key="a-duplicate-of-it") for _ in range(2))
    assert (again.json, again.headers["Idempotency-Replayed"]) == (first.json, "true")
    assert len(facts_of(office, TICKET_DUPLICATED)) == 1


def test_behind_a_duplicate_there_is_no_original_any_more(office: Office, ticket: dict[str, Any]) -> None:
    assert duplicate_by(office.supervisor, ticket["number"]).status_code == 201
    assert refused(print_by(office.cashier, ticket["number"])) == (409, "already_printed")


def test_nobody_else_prints_duplicates(office: Office, ticket: dict[str, Any]) -> None:
    for member in (office.cashier, office.accountant, office.auditor, office.player("ivan")):
        assert refused(duplicate_by(member, ticket["number"])) == (403, "forbidden")
    assert refused(print_by(office.supervisor, ticket["number"])) == (403, "forbidden")
    assert refused(office.supervisor.post(f"/tickets/{ticket['number']}/duplicates", {"format": "pdf"})) == (
        422,
        "validation_failed",
    )


def test_an_online_ticket_is_named_and_printed_by_whose_it_is(office: Office, ticket: dict[str, Any]) -> None:
    ivan, olga = office.player("ivan", "20.00"), office.player("olga")
    online = office.bet(ivan, "X", "10.00").json
    (page,) = pages_of(file_of(print_by(ivan, online["number"])))
    assert "Игрок ivan" in page and "Ставка с игрового счёта" in page and "Касса" not in page
    assert "Выигрыш зачисляется на игровой счёт" in page
    assert refused(print_by(ivan, online["number"])) == (409, "already_printed")
    assert refused(print_by(olga, online["number"])) == (404, "not_found")
    assert refused(print_by(office.cashier, online["number"])) == (404, "not_found")
    assert refused(print_by(ivan, ticket["number"])) == (404, "not_found")


def test_names_of_two_hundred_letters_are_whole(office: Office) -> None:
    assert office.cashier
    name = "Национальная-Лига " * 11
    long = [{"code": "1", "name": name.strip()}, {"code": "2", "name": "П2 #[*x*]"}]
    office.pool("LONG", name=name.strip(), outcomes=long)
    sold = [office.bet(office.cashier, outcome, "1.00", pool="LONG").json for outcome in ("1", "2")]
    first, second = (pages_of(file_of(print_by(office.cashier, each["number"])))[0] for each in sold)
    assert first.count("Национальная-Лига") == 22
    assert "Исход П2 #[*x*] (шифр 2)" in second


def test_the_code_is_in_no_stored_answer_and_in_no_event(office: Office, ticket: dict[str, Any]) -> None:
    assert print_by(office.cashier, ticket["number"]).status_code == 201
    assert duplicate_by(office.supervisor, ticket["number"]).status_code == 201
    with office.owner() as session:
        query = """
            SELECT row_to_json(t)::text FROM {} AS t
        """
        rows = [
            row
            for table in ("idempotency_keys", "ticket_prints", "significant_events")
            for row in session.connection().exec_driver_sql(query.format(table)).scalars()
        ]
    assert rows and not any(ticket["code"] in row or ticket["code"][-8:] in row for row in rows)


BREACH = {"reason": "influence", "explanation": "Ставка судьи матча"}


def cancel(office: Office, number: int) -> str:
    """The organizer cancels the bet; how the ticket stands then."""
    answer = office.organizer.post(f"/tickets/{number}/cancellation", BREACH)
    assert answer.status_code == 201, answer.json
    return str(office.auditor.get(f"/tickets/{number}").json["status"])


def test_t_rules_29_a_cancelled_bet_is_not_printed_while_its_stake_is_owed_nor_behind(
    office: Office, ticket: dict[str, Any]
) -> None:
    """A paper of it would look like a claim, in the shift it was sold in and when its 1234.50 are paid."""
    number = ticket["number"]
    assert cancel(office, number) == "cancelled"
    assert refused(print_by(office.cashier, number)) == (409, "ticket_cancelled")
    assert refused(duplicate_by(office.supervisor, number)) == (409, "ticket_cancelled")
    office.clock("2022-11-23T10:00:00+03:00")
    assert office.pay(ticket["code"]).json["amount"] == "1234.50"
    assert office.auditor.get(f"/tickets/{number}").json["status"] == "paid"
    assert refused(print_by(office.cashier, number)) == (409, "ticket_cancelled")
    assert refused(duplicate_by(office.supervisor, number)) == (409, "ticket_cancelled")


def test_t_rules_29_a_cancelled_online_bet_is_not_printed(office: Office, ticket: dict[str, Any]) -> None:
    """Its stake lies on the game account at once: the ticket stands credited like one that won."""
    ivan = office.player("ivan", "20.00")
    online = office.bet(ivan, "X", "10.00").json["number"]
    assert cancel(office, online) == "credited"
    assert refused(print_by(ivan, online)) == (409, "ticket_cancelled")
    assert refused(duplicate_by(office.supervisor, online)) == (409, "ticket_cancelled")
    assert print_by(office.cashier, ticket["number"]).status_code == 201
