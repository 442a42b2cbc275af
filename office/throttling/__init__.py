"""Throttling: attempts at guessing, counted in the database for all workers together (FIELD-FAULTS 113)."""
