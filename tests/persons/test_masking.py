"""What is shown without asking: initials, four signs of a document, the year of birth (D-16)."""

from __future__ import annotations

from datetime import date

import pytest

from office.persons.details import Document, LegalEntity, NaturalPerson, read, written
from office.persons.masking import born, contacts, full_document, full_name, masked_document, masked_name, masked_number

PASSPORT = Document("паспорт", "MP1234567", date(2015, 3, 1), "Минское РУВД")
ANNA = NaturalPerson("Петрова", "Анна", "Ильинична", date(1990, 5, 17), PASSPORT, "80291234567", "anna@example.by")
FIRM = LegalEntity("ООО «Ромашка»", "190123456", ANNA)


def test_masked() -> None:
    assert masked_name(ANNA) == "П*** А. И."
    assert masked_name(NaturalPerson("Ли", "Бо")) == "Л*** Б."
    assert masked_document(ANNA) == "паспорт ***4567"
    assert (born(ANNA), contacts(ANNA)) == ("1990", "телефон, почта")
    assert masked_name(FIRM) == "ООО «Ромашка», П*** А. И."


def test_in_full_as_the_journal_is_printed() -> None:
    assert full_name(ANNA) == "Петрова Анна Ильинична"
    assert full_document(ANNA) == "паспорт MP1234567, выдан 01.03.2015, Минское РУВД"


def test_of_an_erased_version_it_is_said_that_it_is() -> None:
    assert {masked_name(None), masked_document(None), full_name(None), full_document(None)} == {"удалено"}


@pytest.mark.parametrize(
    ("number", "shown"), [("1", "***"), ("12", "***2"), ("123456", "***456"), ("12345678", "***5678")]
)
def test_never_more_than_half_of_a_short_number(number: str, shown: str) -> None:
    assert masked_number(number) == shown


def test_a_look_at_the_program_shows_nothing() -> None:
    assert "Петрова" not in repr(ANNA) and "Петрова" not in repr(FIRM) and "MP1234567" not in repr(ANNA)


@pytest.mark.parametrize("details", [ANNA, FIRM, NaturalPerson("Ли", "Бо")])
def test_what_is_written_is_read_back(details: NaturalPerson | LegalEntity) -> None:
    assert read(written(details)) == details


def test_what_was_written_before_is_read() -> None:
    before = {
        "surname": "Петров",
        "name": "Пётр",
        "patronymic": "",
        "document_kind": "паспорт",
        "document_number": "MP1",
        "document_issued_on": "2015-03-01",
        "document_issued_by": "РУВД",
    }
    passport = Document("паспорт", "MP1", date(2015, 3, 1), "РУВД")
    assert read(before) == NaturalPerson("Петров", "Пётр", document=passport)
    player = {"surname": "Петров", "name": "Пётр", "patronymic": "", "birth_date": "1990-05-17"}
    assert read(player) == NaturalPerson("Петров", "Пётр", birth_date=date(1990, 5, 17))
