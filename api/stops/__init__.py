"""Stops of sales and their ends."""
