"""The applications: ``flask --app wsgi COMMAND``, ``gunicorn --config python:api.gunicorn_settings wsgi:app``.

The streams service is ``gunicorn --config python:api.streams.gunicorn_settings 'wsgi:streams()'``.
"""

import sys
from pathlib import Path

from flask import Flask

from api.application import create_app
from api.house import house_at
from api.streams.application import create_streams
from api.surroundings import refuse_malformed
from db.errors import SetupError

ROOT = Path(__file__).resolve().parent

try:
    refuse_malformed()
    app = create_app(house_at(ROOT))
except SetupError as error:
    sys.exit(f"Error: {error}")


def streams() -> Flask:
    """The streams service, made where it is asked for: most processes serve the API."""
    return create_streams(house_at(ROOT))
