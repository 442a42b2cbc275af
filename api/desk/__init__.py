"""Shifts, cash and payouts: a file of routes for each, under one blueprint."""

from api.desk import cash, payouts, prints, shifts
from api.desk.blueprint import desk

__all__ = ["cash", "desk", "payouts", "prints", "shifts"]
