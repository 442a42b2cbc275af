"""Where API and streams listen: the address asked for, or the first free port from 8000, or 8100, on."""

from __future__ import annotations

import errno
import socket
from dataclasses import dataclass

from db.errors import SetupError

HOST = "127.0.0.1"
PORTS = range(8000, 8100)
STREAM_PORTS = range(8100, 8200)
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


def chosen_address(asked: str | None, option: str = "--bind") -> Address:
    """The address that an option asks for as HOST:PORT, or the first free one for what it is about.

    Raises:
        SetupError: it cannot be read, is taken, or is not this machine's; no port is free.
    """
    if asked is None:
        return _first_free(option)
    address = _read(asked)
    trouble = address.trouble()
    if trouble is not None:
        why = "порт занят" if trouble.errno == errno.EADDRINUSE else trouble.strerror
        raise SetupError(f"Адрес {asked} не годится: {why}. Укажите другой: {option} {HOST}:8001.")
    return address


def chosen_addresses(api: str | None, streams: str | None) -> tuple[Address, Address]:
    """Where API and streams listen.

    Raises:
        SetupError: those of :func:`chosen_address`; both are told to listen at the same place.
    """
    chosen = chosen_address(api), chosen_address(streams, "--bind-streams")
    if chosen[0] == chosen[1]:
        raise SetupError(f"API и потокам нужны разные адреса, а {chosen[0].text} указан дважды.")
    return chosen


def _first_free(option: str) -> Address:
    ports = PORTS if option == "--bind" else STREAM_PORTS
    for port in ports:
        address = Address(HOST, port)
        if address.trouble() is None:
            return address
    raise SetupError(f"Порты {ports[0]}–{ports[-1]} на {HOST} заняты: укажите другой через {option}.")


def _read(asked: str) -> Address:
    host, _, port = asked.rpartition(":")
    if not host or not port.isascii() or not port.isdigit() or not 0 < int(port) < 65536:
        raise SetupError(f"Адрес {asked} не читается: нужен ХОСТ:ПОРТ, например {HOST}:8000.")
    return Address(host.strip("[]"), int(port))
