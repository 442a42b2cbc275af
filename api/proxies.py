"""Whence a request comes: the socket's peer, or what a proxy of ours says of it; nobody else is believed.

A proxy appends the address it was called from, so the header is read from its end: the last address that is not a
trusted proxy's is the client's, and whatever stands before it the client wrote itself. Counting hops from the end would
not do: whoever reaches the application past a proxy could then write any address.
"""

from __future__ import annotations

import os
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from db.errors import SetupError

VARIABLE = "TRUSTED_PROXIES"
SUBSCRIBER = 64
"""Bits of an IPv6 address that tell subscribers apart: a single one may use any address behind them."""

Networks = tuple[IPv4Network | IPv6Network, ...]


def trusted_proxies() -> Networks:
    """The networks of TRUSTED_PROXIES, whose X-Forwarded-For is believed; none if it is not set.

    Raises:
        SetupError: one of them is no address and no network.
    """
    told = [part.strip() for part in os.environ.get(VARIABLE, "").split(",") if part.strip()]
    try:
        return tuple(ip_network(part) for part in told)
    except ValueError as error:
        raise SetupError(f"{VARIABLE} must be addresses or networks (10.0.0.0/8) by commas: {error}.") from error


def counted_as(peer: str, forwarded: str, trusted: Networks) -> str:
    """The client among the addresses a request came through, nearest last, as it is counted."""
    client = peer
    for told in reversed([part.strip() for part in forwarded.split(",")] if forwarded else []):
        if not _is_trusted(client, trusted) or _read(told) is None:
            break
        client = told
    return _grouped(client)


def _is_trusted(address: str, trusted: Networks) -> bool:
    read = _read(address)
    return read is not None and any(read in network for network in trusted)


def _grouped(address: str) -> str:
    read = _read(address)
    if isinstance(read, IPv6Address):
        return str(ip_network((int(read) >> SUBSCRIBER << SUBSCRIBER, SUBSCRIBER)))
    # A socket in the file system has no address; all who come through it are one.
    return str(read) if read is not None else "unknown"


def _read(told: str) -> IPv4Address | IPv6Address | None:
    """An address as proxies write it, with a port or without; none if it is no address."""
    bare = told.removeprefix("[").partition("]")[0] if told.startswith("[") else told
    if bare.count(":") == 1:
        bare = bare.partition(":")[0]
    try:
        address = ip_address(bare.partition("%")[0])
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address
