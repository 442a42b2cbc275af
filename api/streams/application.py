"""create_streams: the streams service as a server finds it, an application of its own on the same house."""

from __future__ import annotations

from flask import Flask
from sqlalchemy.orm import Session

from api.application import create_app
from api.house import House
from api.streams.hub import Hub
from api.streams.routes import streams
from db.environment import whole_number

CLIENTS = "STREAM_CLIENTS"
UNSET_CLIENTS = 100


def create_streams(house: House) -> Flask:
    """The application that tells boards, with the same gate in front of it, and the same health, as the API.

    Its looks go past the pool of connections, each on one of its own that gives up after a moment: a database that was
    restarted is found again, and requests that come meanwhile find a connection.
    """
    app = create_app(house, (streams,))
    app.extensions["hub"] = Hub(lambda: Session(house.probe), whole_number(CLIENTS, UNSET_CLIENTS))
    return app
