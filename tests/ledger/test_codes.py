"""Ticket codes: at least 64 random bits, found by their HMAC, printed again from their ciphertext (DESIGN 4)."""

from __future__ import annotations

import base64

import pytest
from cryptography.fernet import Fernet, MultiFernet

from db.envelopes import SealBrokenError
from ledger.codes import Codes, masked

KEY = bytes(range(32))
MASTER = Fernet.generate_key()


class Ring:
    """Data keys by number, the last one newest."""

    def __init__(self, *keys: bytes, master: bytes = MASTER) -> None:
        self.keys = keys
        self.master = master

    def newest(self) -> tuple[int, bytes]:
        return len(self.keys), self.keys[-1]

    def key(self, key_id: int) -> bytes:
        return self.keys[key_id - 1]

    def direct(self) -> MultiFernet:
        return MultiFernet([Fernet(self.master)])


FIRST, SECOND = bytes([1]) * 32, bytes([2]) * 32
CODES = Codes(KEY, Ring(FIRST))


def test_a_code_holds_eighty_bits() -> None:
    assert len(base64.b32decode(CODES.new().text)) * 8 == 80


def test_codes_do_not_repeat() -> None:
    assert len({CODES.new().text for _ in range(1000)}) == 1000


def test_a_code_is_found_as_a_cashier_types_it() -> None:
    code = CODES.new()
    typed = f" {code.text[:4].lower()}-{code.text[4:8]} {code.text[8:]} "

    assert CODES.digest(typed) == code.digest


def test_a_code_is_printed_again_when_another_data_key_seals_by_now() -> None:
    code = CODES.new()
    later = Codes(KEY, Ring(FIRST, SECOND))

    assert later.open(code.sealed, code.digest) == code.text
    assert later.new().sealed[:9] == b"\x01" + (2).to_bytes(8, "big")
    assert code.text.encode() not in code.sealed


def test_a_ciphertext_moved_to_another_ticket_does_not_open() -> None:
    one, other = CODES.new(), CODES.new()

    with pytest.raises(SealBrokenError):
        CODES.open(one.sealed, other.digest)


def test_a_ticket_from_before_there_were_data_keys_is_still_printed() -> None:
    """Its code lies under a master key itself, as Fernet writes it."""
    sealed = Fernet(MASTER).encrypt(b"ABCDEFGHIJKLMNOP")

    assert CODES.open(sealed, CODES.digest("ABCDEFGHIJKLMNOP")) == "ABCDEFGHIJKLMNOP"
    with pytest.raises(SealBrokenError, match="another ticket's"):
        CODES.open(sealed, CODES.digest("AAAAAAAAAAAAAAAA"))
    with pytest.raises(SealBrokenError, match="no known master key"):
        Codes(KEY, Ring(FIRST, master=Fernet.generate_key())).open(sealed, CODES.digest("ABCDEFGHIJKLMNOP"))


def test_another_key_finds_nothing() -> None:
    code = CODES.new()

    assert Codes(bytes(32), Ring(FIRST)).digest(code.text) != code.digest


def test_lists_show_four_signs_of_a_code() -> None:
    assert masked("ABCDEFGHIJKLMNOP") == "…MNOP"
