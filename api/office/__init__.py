"""Signing in, and the logins of the office."""
