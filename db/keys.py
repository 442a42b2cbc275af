"""The keys that hide ticket codes and persons: from the environment, or made once for a workplace of one's own."""

import base64
import binascii
import os
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from cryptography.fernet import Fernet

from db.environment import in_production, refuse_all_wrong
from db.errors import SetupError
from db.secret_files import made_once

HMAC_BYTES = 32
NAMES = ("CODE_HMAC_KEY", "DATA_KEYS")


@dataclass(frozen=True)
class Keys:
    """`code_hmac` finds a ticket or a person by a secret digest; `data_keys` are Fernet keys, the newest first.

    The first one wraps data keys, all of them unwrap (`db/master_keys.py`). Never shown.
    """

    code_hmac: bytes = field(repr=False)
    data_keys: tuple[bytes, ...] = field(repr=False)

    def environment(self) -> dict[str, str]:
        """The variables that hand these keys to a child process."""
        data_keys = ",".join(key.decode() for key in self.data_keys)
        return {"CODE_HMAC_KEY": base64.b64encode(self.code_hmac).decode(), "DATA_KEYS": data_keys}


def keys(root: Path) -> Keys:
    """The keys of this installation.

    CODE_HMAC_KEY and DATA_KEYS of the environment; what they lack is made once into `root/var/keys`. SetupError
    if one is malformed, or absent under APP_ENV=production: a key made up on the spot would hide data from every
    other machine.
    """
    given = _given()
    if len(given) < len(NAMES):
        given = {**_kept(root / "var" / "keys"), **given}
    return _read(given)


def keys_of_environment() -> Keys | None:
    """The keys the environment names, none if it leaves one to be made; nothing is made here.

    Raises:
        SetupError: as `keys`.
    """
    given = _given()
    _refuse_malformed(given)
    return _read(given) if len(given) == len(NAMES) else None


def _given() -> dict[str, str]:
    given = {name: os.environ[name] for name in NAMES if os.environ.get(name)}
    absent = [name for name in NAMES if name not in given]
    if absent and in_production():
        raise SetupError(
            f"Set {' and '.join(absent)}: under APP_ENV=production keys are never made up. CODE_HMAC_KEY is base64 "
            "of 32 random bytes, DATA_KEYS is Fernet keys separated by commas, the newest first."
        )
    return given


def _kept(path: Path) -> dict[str, str]:
    lines = made_once(path, _fresh).splitlines()
    return dict(line.split("=", 1) for line in lines if "=" in line)


def _fresh() -> str:
    hmac_key = base64.b64encode(secrets.token_bytes(HMAC_BYTES)).decode()
    return f"CODE_HMAC_KEY={hmac_key}\nDATA_KEYS={Fernet.generate_key().decode()}\n"


def _read(given: Mapping[str, str]) -> Keys:
    told = {name: given.get(name, "") for name in NAMES}
    _refuse_malformed(told)
    return Keys(code_hmac=_hmac_key(told["CODE_HMAC_KEY"]), data_keys=_data_keys(told["DATA_KEYS"]))


def _refuse_malformed(told: Mapping[str, str]) -> None:
    readers: dict[str, Callable[[str], object]] = {"CODE_HMAC_KEY": _hmac_key, "DATA_KEYS": _data_keys}
    refuse_all_wrong(partial(readers[name], text) for name, text in told.items())


def _data_keys(text: str) -> tuple[bytes, ...]:
    data_keys = tuple(key.strip().encode() for key in text.split(","))
    for key in data_keys:
        _check_data_key(key)
    return data_keys


def _hmac_key(text: str) -> bytes:
    try:
        key = base64.b64decode(text.strip(), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if len(key) != HMAC_BYTES:
        raise SetupError("CODE_HMAC_KEY must be base64 of exactly 32 random bytes (openssl rand -base64 32).")
    return key


def _check_data_key(key: bytes) -> None:
    try:
        Fernet(key)
    except ValueError:
        raise SetupError("DATA_KEYS must be Fernet keys separated by commas, the newest first.") from None
