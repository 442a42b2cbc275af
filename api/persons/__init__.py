"""Persons: found, seen with a reason, amended, erased."""
