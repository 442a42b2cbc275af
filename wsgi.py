"""The application: ``flask --app wsgi COMMAND``, ``gunicorn --config python:api.gunicorn_settings wsgi:app``."""

import sys
from pathlib import Path

from api.application import create_app
from api.house import house_at
from db.errors import SetupError

try:
    app = create_app(house_at(Path(__file__).resolve().parent))
except SetupError as error:
    sys.exit(f"Error: {error}")
