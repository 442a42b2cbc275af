"""The application: ``flask --app wsgi COMMAND``, ``gunicorn --config python:api.gunicorn_settings wsgi:app``."""

from pathlib import Path

from api.application import create_app
from api.house import house_at

app = create_app(house_at(Path(__file__).resolve().parent))
