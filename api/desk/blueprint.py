"""The folder's routes under one name."""

from __future__ import annotations

from api.requests import Blueprint

desk = Blueprint("desk", __name__, url_prefix="/api/v1", description="Смены, наличные, выплаты")
