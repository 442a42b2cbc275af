"""The folder's routes under one name."""

from __future__ import annotations

from api.requests import Blueprint

documents = Blueprint("documents", __name__, url_prefix="/api/v1/documents", description="Документы: PDF, XLSX, CSV")
