"""Desks, shifts, cash and payouts."""
