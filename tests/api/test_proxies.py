"""Whose address counts: the socket's, or what our own proxies say; never what the client wrote itself."""

from __future__ import annotations

import subprocess
import sys
from ipaddress import ip_network
from pathlib import Path

import pytest
from gunicorn.config import Config

from api.proxies import VARIABLE, counted_as, trusted_proxies
from db.errors import SetupError

OURS = (ip_network("10.0.0.0/8"), ip_network("fd00::/8"))
CASES = {
    "no proxy": ("192.0.2.7", "", "192.0.2.7"),
    "a stranger's header": ("192.0.2.7", "198.51.100.1", "192.0.2.7"),
    "our proxy": ("10.0.0.1", "192.0.2.7", "192.0.2.7"),
    "our proxy says nothing": ("10.0.0.1", "", "10.0.0.1"),
    "written by the client": ("10.0.0.1", "198.51.100.1, 192.0.2.7", "192.0.2.7"),
    "two of our proxies": ("10.0.0.1", "198.51.100.1, 192.0.2.7, 10.0.0.2", "192.0.2.7"),
    "only our own": ("10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"),
    "no address": ("10.0.0.1", "198.51.100.1, unknown", "10.0.0.1"),
    "nothing between commas": ("10.0.0.1", "198.51.100.1,", "10.0.0.1"),
    "with a port": ("10.0.0.1", "192.0.2.7:40712", "192.0.2.7"),
    "IPv6 is counted by subscriber": ("2001:db8:1:2:3:4:5:6", "", "2001:db8:1:2::/64"),
    "IPv6 behind our proxy": ("fd00::1", "[2001:db8:1:2::9]:443", "2001:db8:1:2::/64"),
    "IPv4 written as IPv6": ("::ffff:192.0.2.7", "", "192.0.2.7"),
    "our proxy written as IPv6": ("::ffff:10.0.0.1", "192.0.2.7", "192.0.2.7"),
    "a socket file": ("", "192.0.2.7", "unknown"),
}

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(("peer", "forwarded", "counted"), CASES.values(), ids=CASES)
def test_whom_a_request_counts_for(peer: str, forwarded: str, counted: str) -> None:
    assert counted_as(peer, forwarded, OURS) == counted


def test_without_trusted_proxies_nobody_is_believed() -> None:
    assert counted_as("127.0.0.1", "192.0.2.7", ()) == "127.0.0.1"


def test_the_environment_names_the_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, " 10.0.0.0/8, 192.0.2.7 ,fd00::/8,")
    assert trusted_proxies() == (ip_network("10.0.0.0/8"), ip_network("192.0.2.7/32"), ip_network("fd00::/8"))
    monkeypatch.delenv(VARIABLE)
    assert trusted_proxies() == ()


@pytest.mark.parametrize("told", ["*", "10.0.0.1/8", "proxy.example", "10.0.0.0/33"])
def test_what_is_no_network_is_refused(monkeypatch: pytest.MonkeyPatch, told: str) -> None:
    monkeypatch.setenv(VARIABLE, told)
    with pytest.raises(SetupError, match="TRUSTED_PROXIES"):
        trusted_proxies()


def test_gunicorn_believes_the_same_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its own default would believe whatever comes from this machine."""
    for told, believed in (("", ""), ("10.0.0.0/8, 192.0.2.7", "10.0.0.0/8,192.0.2.7/32")):
        monkeypatch.setenv(VARIABLE, told)
        # In a process of its own, as gunicorn reads it: the settings change how a process counts.
        asked = (
            sys.executable,
            "-c",
            "from api import gunicorn_settings; print(gunicorn_settings.forwarded_allow_ips)",
        )
        read = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
        assert read == believed
        config = Config()
        config.set("forwarded_allow_ips", read)
        assert tuple(config.forwarded_allow_networks()) == trusted_proxies()
