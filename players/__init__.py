"""Registrations and game accounts of players (T-Rules 35.3)."""
