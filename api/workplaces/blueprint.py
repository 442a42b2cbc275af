"""The folder's routes under one name."""

from __future__ import annotations

from api.requests import Blueprint
from office.callers import Role

workplaces = Blueprint("workplaces", __name__, url_prefix="/api/v1", description="Кассы, терминалы, допуск кассиров")
WATCHERS = (Role.ADMINISTRATOR, Role.ORGANIZER, Role.SUPERVISOR, Role.ACCOUNTANT, Role.AUDITOR)
"""Who sees every desk; a cashier sees the own one besides."""
