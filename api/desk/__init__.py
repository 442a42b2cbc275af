"""Shifts, cash and payouts: a file of routes for each, under one blueprint."""

from api.desk import cash, deliveries, fiscal_papers, payouts, prints, shifts, ticket_checks
from api.desk.blueprint import desk

__all__ = ["cash", "deliveries", "desk", "fiscal_papers", "payouts", "prints", "shifts", "ticket_checks"]
