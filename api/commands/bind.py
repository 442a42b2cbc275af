"""Where the API listens: the address asked for, or the first free port from 8000 on."""

from __future__ import annotations

import errno
import socket
from dataclasses import dataclass

from db.errors import SetupError

HOST = "127.0.0.1"
PORTS = range(8000, 8100)
EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}


@dataclass(frozen=True)
class Address:
    """A host and a port of this machine."""

    host: str
    port: int

    @property
    def text(self) -> str:
        """As gunicorn takes it."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def url(self) -> str:
        """As a browser on this machine reaches it."""
        return "http://" + Address(EVERYWHERE.get(self.host, self.host), self.port).text

    def trouble(self) -> OSError | None:
        """Why nobody can listen here now, if nobody can."""
        family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((self.host, self.port))
            except OSError as error:
                return error
        return None


def chosen_address(asked: str | None) -> Address:
    """The address asked for as HOST:PORT, or the first free one.

    Raises:
        SetupError: it cannot be read, is taken, or is not this machine's; no port is free.
    """
    if asked is None:
        return _first_free()
    address = _read(asked)
    trouble = address.trouble()
    if trouble is not None:
        why = "порт занят" if trouble.errno == errno.EADDRINUSE else trouble.strerror
        raise SetupError(f"Адрес {asked} не годится: {why}. Укажите другой: --bind {HOST}:8001.")
    return address


def _first_free() -> Address:
    for port in PORTS:
        address = Address(HOST, port)
        if address.trouble() is None:
            return address
    raise SetupError(f"Порты {PORTS[0]}–{PORTS[-1]} на {HOST} заняты: укажите другой через --bind.")


def _read(asked: str) -> Address:
    host, _, port = asked.rpartition(":")
    if not host or not port.isascii() or not port.isdigit() or not 0 < int(port) < 65536:
        raise SetupError(f"Адрес {asked} не читается: нужен ХОСТ:ПОРТ, например {HOST}:8000.")
    return Address(host.strip("[]"), int(port))
