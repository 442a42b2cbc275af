"""Alembic: the schema's history. ``flask --app wsgi migrate`` runs it as the owner, under an advisory lock."""
