"""Words a person is found by, written one way however they were typed (FIELD-FAULTS 125).

Names: letter case, ё and е, apostrophes and the kind of dash do not matter, the parts of a double surname are words of
their own, and a Latin letter that slipped into a Cyrillic word is read as the Cyrillic one it looks like. Іван and Иван
stay two names, as ў and у stay two letters: they are different spellings of two languages, not of one word.
Document numbers: letters and digits only, and the Cyrillic letters that look like Latin ones are those (МР is MP).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from datetime import date

from office.persons.details import Details, LegalEntity, NaturalPerson

NAME, DOCUMENT, BIRTH_DATE, PHONE, EMAIL, REGISTRATION = (
    "name",
    "document",
    "birth_date",
    "phone",
    "email",
    "registration_number",
)

_APOSTROPHES = re.compile("['’‘ʼ`´′]")
_NO_LETTER_OR_DIGIT = re.compile(r"[\W_]+")
_CYRILLIC = re.compile("[\u0400-\u052f]")
_SEEN_AS_CYRILLIC = str.maketrans("abcehikmoptxy", "авсенікмортху")
_SEEN_AS_LATIN = str.maketrans("авсенікмортху", "abcehikmoptxy")
_HOME_CODE = re.compile(r"^(?:8|80|\+?375)(?=\d{9}$)")

Word = tuple[str, str]
"""A field and one word of it."""


def names_in(text: str) -> list[str]:
    """The words of a name, in their order."""
    plain = _APOSTROPHES.sub("", _plain(text)).replace("ё", "е")
    return [_of_one_script(word) for word in _NO_LETTER_OR_DIGIT.split(plain) if word]


def number_in(text: str) -> str:
    """A number of a document or a registration, in the one way all typings of it come to."""
    # № is one sign to us and two letters to Unicode.
    return _NO_LETTER_OR_DIGIT.sub("", _plain(text.replace("№", ""))).translate(_SEEN_AS_LATIN)


def phone_in(text: str) -> str:
    """A telephone number by its digits, one at home with its country's code however it was dialled."""
    digits = re.sub(r"\D", "", _plain(text))
    return _HOME_CODE.sub("375", digits)


def email_in(text: str) -> str:
    """A mail address; letter case does not matter."""
    return _plain(text).strip()


def words_of(details: Details) -> set[Word]:
    """Every word a person can be found by."""
    return set(_words(details))


def _words(details: Details) -> Iterator[Word]:
    if isinstance(details, LegalEntity):
        yield from ((NAME, word) for word in names_in(details.title))
        yield REGISTRATION, number_in(details.registration_number)
        yield from _words(details.representative)
    else:
        yield from ((NAME, word) for word in names_in(details.full_name))
        yield from _born_and_documented(details)
    if details.phone:
        yield PHONE, phone_in(details.phone)
    if details.email:
        yield EMAIL, email_in(details.email)


def _born_and_documented(person: NaturalPerson) -> Iterator[Word]:
    if person.birth_date is not None:
        yield BIRTH_DATE, day(person.birth_date)
    if person.document is not None:
        yield DOCUMENT, number_in(person.document.number)


def day(born: date) -> str:
    """A birth date as a word."""
    return born.isoformat()


def _plain(text: str) -> str:
    """One form of every letter, small, without signs that are not seen (soft hyphens, zero width, marks of order)."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return "".join(sign for sign in folded if unicodedata.category(sign) != "Cf")


def _of_one_script(word: str) -> str:
    return word.translate(_SEEN_AS_CYRILLIC) if _CYRILLIC.search(word) else word
