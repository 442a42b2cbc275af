"""Registered desks, terminals, shifts, cash in and out, payouts and their journal."""
