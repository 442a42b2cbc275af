"""All tables of all rooms in one place, for Alembic and for the tests that count them."""

from __future__ import annotations

import tote.models  # noqa: F401 - the modules are imported for the tables they declare
from db.base import Base

metadata = Base.metadata
