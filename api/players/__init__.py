"""Registering players, their money and their page."""
