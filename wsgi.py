"""The application as gunicorn and flask find it: ``gunicorn wsgi:app``, ``flask --app wsgi COMMAND``."""

from pathlib import Path

from api.application import create_app
from api.house import house_at

app = create_app(house_at(Path(__file__).resolve().parent))
