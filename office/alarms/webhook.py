"""Alarms as signed HTTPS requests to a receiver the operator names."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer
from urllib.parse import urlsplit

import httpx

from db.errors import SetupError
from office.alarms.message import Message
from office.alarms.signature import Secrets, read_secrets

TIMEOUT = httpx.Timeout(5.0, connect=3.0)
"""Seconds for each step; a worker that waits here does nothing else."""
PATIENCE = 10.0
"""Seconds for the whole: a receiver that answers a byte at a time keeps within every step's."""
LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})


class SendingError(Exception):
    """A message was not taken; the text is the receiver's status or the class of the fault, safe to keep and show."""


class Webhook:
    """A receiver. Redirects are not followed and no proxy is asked: the message goes there or nowhere.

    Its certificate is judged by the usual authorities, or by those of ``SSL_CERT_FILE`` where an operator has own ones.
    """

    def __init__(self, url: str, secrets: Secrets) -> None:
        self._url = url
        self._secrets = secrets
        # Made once: reading the authorities takes longer than a message.
        self._trusted = httpx.create_ssl_context()

    def send(self, message: Message) -> None:
        """Post the message; any 2xx means it was taken, and the answer's body is not read.

        Raises:
            SendingError: another status, or no answer in time: perhaps it was taken all the same.
        """
        body = message.body.encode("utf-8")
        signed = self._secrets.headers(message.key, int(time.time()), body)
        headers = {"content-type": "application/json", "user-agent": "totalizator-alarms/1", **signed}
        try:
            with (
                httpx.Client(timeout=TIMEOUT, verify=self._trusted, follow_redirects=False, trust_env=False) as client,
                _for(PATIENCE, client),
                client.stream("POST", self._url, content=body, headers=headers) as answer,
            ):
                status = answer.status_code
        except (httpx.HTTPError, httpx.InvalidURL, RuntimeError) as error:
            # The error's own text may quote the address, and an address may hold a secret.
            raise SendingError(type(error).__name__) from None
        if not 200 <= status < 300:
            raise SendingError(f"HTTP {status}")


@contextmanager
def _for(seconds: float, client: httpx.Client) -> Iterator[None]:
    """Let a client live so long: what reads from it then is told that it is closed."""
    end = Timer(seconds, client.close)
    end.daemon = True
    end.start()
    try:
        yield
    finally:
        end.cancel()


def webhook_at(url: str, secret: str) -> Webhook:
    """The receiver at an address: ``https``, or ``http`` on this very machine, where a relay may stand.

    Raises:
        SetupError: another scheme, no host, or no good secret.
    """
    parts = urlsplit(url)
    if not parts.hostname or not (parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in LOOPBACK)):
        raise SetupError("ALARM_WEBHOOK_URL must look like https://host/path (http only for 127.0.0.1).")
    return Webhook(url, read_secrets(secret))
