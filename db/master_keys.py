"""Master keys: they wrap data keys and nothing else, and a rotation changes them alone (DESIGN 3.9)."""

from __future__ import annotations

import base64
from dataclasses import dataclass

from cryptography.fernet import Fernet, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from db import envelopes

ID_BYTES = 8


class UnknownMasterKeyError(Exception):
    """A data key is wrapped under a master key that DATA_KEYS does not name; the text gives its id, never the key."""

    def __init__(self, key_id: str) -> None:
        super().__init__(f"DATA_KEYS lacks the master key {key_id}: a data key is wrapped under it")


@dataclass(frozen=True)
class Wrapped:
    """A data key as it is stored: the id of the master key and the wrapped bytes."""

    under: str
    blob: bytes


class MasterKeys:
    """The keys of DATA_KEYS: the first wraps, all of them unwrap.

    A key is known by an id that is derived from it and tells nothing of it, so that a stored data key says at once
    which master key it needs.
    """

    def __init__(self, data_keys: tuple[bytes, ...]) -> None:
        self._texts = {_id_of(text): text for text in data_keys}
        self._wrapping = {key_id: _derived(text, b"wrap data keys") for key_id, text in self._texts.items()}
        self.newest = next(iter(self._texts))
        self.ids = tuple(self._texts)

    def wrap(self, data_key: bytes, bound: bytes) -> Wrapped:
        """A data key wrapped under the newest master key, for the row that ``bound`` names."""
        return Wrapped(self.newest, envelopes.seal(self._wrapping[self.newest], data_key, bound))

    def unwrap(self, wrapped: Wrapped, bound: bytes) -> bytes:
        """The data key of this row.

        Raises:
            UnknownMasterKeyError: its master key is not among ours.
            SealBrokenError: the row is not what was stored.
        """
        if wrapped.under not in self._wrapping:
            raise UnknownMasterKeyError(wrapped.under)
        return envelopes.opened(self._wrapping[wrapped.under], wrapped.blob, bound)

    @property
    def older(self) -> dict[str, bytes]:
        """The master keys that wrap no more, as DATA_KEYS writes them, by their ids."""
        return {key_id: text for key_id, text in self._texts.items() if key_id != self.newest}

    def directly(self, *more: bytes) -> MultiFernet:
        """Opens what was sealed before there were data keys, under a master key itself, one of ours or of ``more``."""
        return MultiFernet([Fernet(text) for text in (*self._texts.values(), *more)])


def _derived(text: bytes, purpose: bytes) -> bytes:
    return HKDF(SHA256(), envelopes.KEY_BYTES, None, purpose).derive(base64.urlsafe_b64decode(text))


def _id_of(text: bytes) -> str:
    return _derived(text, b"name this key")[:ID_BYTES].hex()
