"""Keys: the environment's, or made once."""

import base64
import subprocess
import sys
from pathlib import Path

import pytest
from cryptography.fernet import Fernet

from db.errors import SetupError
from db.keys import keys
from db.secret_files import made_once
from tests.db.conftest import PROJECT

CODE = base64.b64encode(bytes(range(32))).decode()
NEWEST, OLDER = (base64.urlsafe_b64encode(bytes([number]) * 32).decode() for number in (2, 1))
TELL = """
import sys
from pathlib import Path
from db.keys import keys
print("ready", flush=True)
sys.stdin.readline()
found = keys(Path(sys.argv[1]))
print(found.code_hmac.hex(), *(key.decode() for key in found.data_keys))
"""


def test_the_environment_comes_first_and_nothing_is_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("APP_ENV", "production")
    monkeypatch.setenv("CODE_HMAC_KEY", CODE)
    monkeypatch.setenv("DATA_KEYS", f"{NEWEST}, {OLDER}")
    found = keys(tmp_path)
    assert found.code_hmac == bytes(range(32))
    assert found.data_keys == (NEWEST.encode(), OLDER.encode())
    assert list(tmp_path.iterdir()) == []


def test_keys_are_made_once_for_their_owner_alone(tmp_path: Path) -> None:
    made = keys(tmp_path)
    assert len(made.code_hmac) == 32
    for key in made.data_keys:
        assert Fernet(key).decrypt(Fernet(key).encrypt(b"name")) == b"name"
    assert keys(tmp_path) == made
    assert (tmp_path / "var" / "keys").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in (tmp_path / "var").iterdir()] == ["keys"]


def test_what_the_environment_lacks_comes_from_the_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    kept = keys(tmp_path)
    monkeypatch.setenv("CODE_HMAC_KEY", CODE)
    assert keys(tmp_path).code_hmac == bytes(range(32))
    assert keys(tmp_path).data_keys == kept.data_keys


def test_two_installations_have_different_keys(tmp_path: Path) -> None:
    one, other = keys(tmp_path / "one"), keys(tmp_path / "other")
    assert one.code_hmac != other.code_hmac
    assert one.data_keys != other.data_keys


def test_processes_that_come_at_once_get_the_same_keys(tmp_path: Path) -> None:
    command = [sys.executable, "-c", TELL, str(tmp_path)]
    crowd = [
        subprocess.Popen(command, cwd=PROJECT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for _ in range(4)
    ]
    for one in crowd:
        assert one.stdout is not None
        assert one.stdout.readline() == "ready\n"
    for one in crowd:
        assert one.stdin is not None
        one.stdin.write("\n")
        one.stdin.flush()
    told = {one.communicate(timeout=60)[0] for one in crowd}
    assert len(told) == 1
    assert len(told.pop().split()) == 2


def test_who_comes_second_takes_what_the_first_one_stored(tmp_path: Path) -> None:
    path = tmp_path / "secret"

    def overtaken() -> str:
        path.write_text("first")
        return "second"

    assert made_once(path, overtaken) == "first"
    assert path.read_text() == "first"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("given", "missing"),
    [
        ({}, "CODE_HMAC_KEY and DATA_KEYS"),
        ({"CODE_HMAC_KEY": CODE}, "Set DATA_KEYS"),
        ({"DATA_KEYS": NEWEST}, "Set CODE_HMAC_KEY:"),
    ],
)
def test_production_makes_none(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, given: dict[str, str], missing: str
) -> None:
    monkeypatch.setenv("APP_ENV", "production")
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SetupError, match=missing):
        keys(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("CODE_HMAC_KEY", base64.b64encode(bytes(31)).decode()),
        ("CODE_HMAC_KEY", "not base64 at all!"),
        ("DATA_KEYS", "short"),
        ("DATA_KEYS", f"{NEWEST},"),
    ],
)
def test_a_malformed_key_is_named_and_not_shown(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SetupError, match=name) as caught:
        keys(tmp_path)
    assert value not in str(caught.value)


def test_keys_are_never_shown(tmp_path: Path) -> None:
    made = keys(tmp_path)
    assert repr(made) == "Keys()"
