"""Significant events: the log of its own that regulators ask for (INDUSTRY: significant events)."""
