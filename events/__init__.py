"""Sporting and other events, their results and the signed protocols."""
