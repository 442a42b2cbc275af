"""The channels alarms go out through: the log always, a file and a webhook where the environment names them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from db.errors import SetupError
from office.alarms.lines_in_file import LinesInFile
from office.alarms.log_lines import LogLines
from office.alarms.message import Message
from office.alarms.webhook import webhook_at

Channels = Mapping[str, "Channel"]


class Channel(Protocol):
    """A way out of the house."""

    def send(self, message: Message) -> None:
        """Give a message on; when this returns, it has arrived.

        Raises:
            OSError, SendingError: it has not, or nobody knows.
        """
        ...


def channels_from_environment() -> Channels:
    """The channels set by ``ALARM_FILE``, ``ALARM_WEBHOOK_URL`` and ``ALARM_WEBHOOK_SECRET``, and the log.

    Only the environment names a receiver, never a request: whoever may set it runs this machine anyway, so that a
    receiver on a private address is the operator's choice and no door for others.

    Raises:
        SetupError: a variable is malformed, or address and secret are not set together.
    """
    channels: dict[str, Channel] = {"log": LogLines()}
    if file := os.environ.get("ALARM_FILE"):
        channels["file"] = LinesInFile(Path(file))
    url, secret = os.environ.get("ALARM_WEBHOOK_URL"), os.environ.get("ALARM_WEBHOOK_SECRET", "")
    if url:
        channels["webhook"] = webhook_at(url, secret)
    elif secret:
        # Somebody believes that alarms go out.
        raise SetupError("Set ALARM_WEBHOOK_URL too: without it ALARM_WEBHOOK_SECRET cannot be used.")
    return channels
