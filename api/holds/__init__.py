"""Holds of payouts."""
