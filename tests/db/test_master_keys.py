"""Envelopes and master keys: bound to their place, known by an id that tells nothing, readable by the old key alone."""

from __future__ import annotations

import base64

import pytest
from cryptography.fernet import Fernet

from db.envelopes import SealBrokenError, new_key, opened, seal
from db.master_keys import MasterKeys, UnknownMasterKeyError

OLD, NEW = (base64.urlsafe_b64encode(bytes([number]) * 32) for number in (1, 2))


def test_an_envelope_opens_in_its_place_and_nowhere_else() -> None:
    key = new_key()
    sealed = seal(key, b"text", b"row 1")
    assert opened(key, sealed, b"row 1") == b"text"
    for wrong in ((key, sealed, b"row 2"), (new_key(), sealed, b"row 1"), (key, sealed[:-1] + b"?", b"row 1")):
        with pytest.raises(SealBrokenError):
            opened(*wrong)
    for cut in (b"", sealed[:5], sealed[:20]):
        with pytest.raises(SealBrokenError):
            opened(key, cut, b"row 1")


def test_the_same_text_is_never_sealed_alike() -> None:
    key = new_key()
    assert len({seal(key, b"text", b"row") for _ in range(100)}) == 100


def test_the_first_key_wraps_and_all_of_them_unwrap() -> None:
    before, meanwhile, after = MasterKeys((OLD,)), MasterKeys((NEW, OLD)), MasterKeys((NEW,))
    data_key = new_key()
    wrapped = before.wrap(data_key, b"row")
    assert wrapped.under == before.newest == meanwhile.ids[1]
    assert meanwhile.unwrap(wrapped, b"row") == data_key
    with pytest.raises(UnknownMasterKeyError, match=before.newest):
        after.unwrap(wrapped, b"row")
    again = meanwhile.wrap(meanwhile.unwrap(wrapped, b"row"), b"row")
    assert again.under == after.newest
    assert after.unwrap(again, b"row") == data_key


def test_a_wrapped_key_moved_to_another_row_does_not_open() -> None:
    masters = MasterKeys((OLD,))
    with pytest.raises(SealBrokenError):
        masters.unwrap(masters.wrap(new_key(), b"row 1"), b"row 2")


def test_an_id_tells_nothing_of_its_key() -> None:
    masters = MasterKeys((NEW, OLD))
    assert len(set(masters.ids)) == 2
    for key_id, key in zip(masters.ids, (NEW, OLD), strict=True):
        assert len(key_id) == 16
        assert key_id not in base64.urlsafe_b64decode(key).hex()


def test_what_lies_under_a_master_key_itself_is_still_read() -> None:
    token = Fernet(OLD).encrypt(b"text")
    assert MasterKeys((NEW, OLD)).directly().decrypt(token) == b"text"
    assert MasterKeys((NEW,)).directly(OLD).decrypt(token) == b"text"
