"""Ticket codes: at least 64 random bits, found by their HMAC, printed again from their ciphertext (DESIGN 4)."""

from __future__ import annotations

import base64

from cryptography.fernet import Fernet

from ledger.codes import Codes, masked

KEY = bytes(range(32))
DATA_KEY = Fernet.generate_key()
CODES = Codes(KEY, (DATA_KEY,))


def test_a_code_holds_eighty_bits() -> None:
    assert len(base64.b32decode(CODES.new().text)) * 8 == 80


def test_codes_do_not_repeat() -> None:
    assert len({CODES.new().text for _ in range(1000)}) == 1000


def test_a_code_is_found_as_a_cashier_types_it() -> None:
    code = CODES.new()
    typed = f" {code.text[:4].lower()}-{code.text[4:8]} {code.text[8:]} "

    assert CODES.digest(typed) == code.digest


def test_a_code_is_printed_again_from_what_is_stored_under_a_rotated_key() -> None:
    code = CODES.new()
    rotated = Codes(KEY, (Fernet.generate_key(), DATA_KEY))

    assert rotated.open(code.sealed) == code.text
    assert code.text.encode() not in code.sealed


def test_another_key_finds_nothing() -> None:
    code = CODES.new()

    assert Codes(bytes(32), (DATA_KEY,)).digest(code.text) != code.digest


def test_lists_show_four_signs_of_a_code() -> None:
    assert masked("ABCDEFGHIJKLMNOP") == "…MNOP"
