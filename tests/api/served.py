"""A house served on a port of this machine, as the demonstration meets it, without processes of its own."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from zoneinfo import ZoneInfo

from werkzeug.serving import WSGIRequestHandler, make_server

from api.application import create_app
from api.house import House
from db.urls import DatabaseUrls
from office.operator import Operator
from tests.office import KEYS


class Quiet(WSGIRequestHandler):
    """Requests are not told on the screen of the tests."""

    def log(self, type: str, message: str, *args: object) -> None:
        """Say nothing."""


def house_on(urls: DatabaseUrls, folder: Path) -> House:
    """A house on a test's database, whose files go into a test's folder."""
    return House(Operator("ООО «Проба»", ZoneInfo("Europe/Minsk")), lambda: urls, lambda: KEYS, folder)


@contextmanager
def served(here: House) -> Iterator[str]:
    """The address the house's API answers at."""
    server = make_server("127.0.0.1", 0, create_app(here), threaded=True, request_handler=Quiet)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
        here.engine.dispose()
