"""Words a person is found by, however they were typed (FIELD-FAULTS 125); each pair worked out by the letters."""

from __future__ import annotations

import unicodedata
from datetime import date

import pytest

from office.persons.details import Document, LegalEntity, NaturalPerson
from office.persons.identities import document_mark, weak_mark
from office.persons.words import email_in, names_in, number_in, phone_in, words_of


@pytest.mark.parametrize(
    "typed",
    [
        "Королёва",
        "королёва",
        "КОРОЛЁВА",
        "кОРОЛЁВА",
        "Королева",
        unicodedata.normalize("NFD", "Королёва"),
        "Koролёва",  # K and o of a Latin keyboard
        " Королёва ",
        "Коро\u00adлёва",  # a soft hyphen from a text processor
    ],
)
def test_one_surname_however_it_is_typed(typed: str) -> None:
    assert names_in(typed) == ["королева"]


def test_the_parts_of_a_double_surname_are_words_and_an_apostrophe_is_none() -> None:
    assert names_in("Салтыков-Щедрин") == names_in("салтыков щедрин") == names_in("Салтыков — Щедрин")
    assert names_in("Салтыков‑Щедрин") == ["салтыков", "щедрин"]
    assert names_in("Дем'янчук") == names_in("Дем’янчук") == names_in("Демянчук") == ["демянчук"]


def test_what_differs_in_letters_stays_different() -> None:
    assert names_in("Іван") != names_in("Иван")
    assert names_in("Каўрус") != names_in("Каурус")
    assert names_in("Петр") != names_in("Петров")
    assert names_in("Ivan") == ["ivan"]


@pytest.mark.parametrize("typed", ["MP1234567", "mp1234567", "МР1234567", "мр 123-45-67", "MР 1234567", "ＭＰ1234567"])
def test_one_series_in_latin_and_cyrillic(typed: str) -> None:
    """М and Р of a Cyrillic keyboard are seen as M and P, so they are."""
    assert number_in(typed) == "mp1234567"


def test_letters_without_a_look_alike_stay_what_they_are() -> None:
    assert number_in("II-ЖБ № 123456") == "iiжб123456"


@pytest.mark.parametrize(
    "typed", ["+375 29 123-45-67", "375291234567", "8 (029) 123-45-67", "80291234567", "+375(29)1234567"]
)
def test_one_telephone_however_it_is_dialled(typed: str) -> None:
    assert phone_in(typed) == "375291234567"


def test_a_telephone_of_elsewhere_keeps_its_digits() -> None:
    assert phone_in("+7 (495) 123-45-67") == "74951234567"


def test_a_mail_address_is_one_whatever_its_case() -> None:
    assert email_in("Ivan.Petrov@Example.BY") == "ivan.petrov@example.by"


def test_the_words_of_a_human_being_and_of_an_entity() -> None:
    passport = Document("паспорт", "МР 1234567")
    human = NaturalPerson("Петрова", "Анна", birth_date=date(1990, 5, 17), document=passport, phone="80291234567")
    assert words_of(human) == {
        ("name", "петрова"),
        ("name", "анна"),
        ("birth_date", "1990-05-17"),
        ("document", "mp1234567"),
        ("phone", "375291234567"),
    }
    entity = LegalEntity("ООО «Ромашка»", "190 123 456", NaturalPerson("Петрова", "Анна"))
    assert words_of(entity) == {
        ("name", "ооо"),
        ("name", "ромашка"),
        ("registration_number", "190123456"),
        ("name", "петрова"),
        ("name", "анна"),
    }


def test_a_document_is_named_by_number_and_country_not_by_its_kind() -> None:
    passport, called_otherwise = Document("паспорт", "MP1234567"), Document("Паспорт гражданина РБ", "мр1234567")
    assert document_mark(passport) == document_mark(called_otherwise)
    assert document_mark(passport) != document_mark(Document("паспорт", "MP1234567", country="UA"))


def test_a_patronymic_left_out_does_not_make_another_person() -> None:
    with_it = NaturalPerson("Ёлкин", "Пётр", "Ильич", date(1990, 5, 17))
    without = NaturalPerson("ЕЛКИН", "петр", birth_date=date(1990, 5, 17))
    assert weak_mark(with_it) == weak_mark(without)
    assert weak_mark(without) != weak_mark(NaturalPerson("Елкин", "Петр", birth_date=date(1990, 5, 18)))
