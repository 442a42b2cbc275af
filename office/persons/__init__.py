"""Persons: names, documents and contacts as ciphertext; facts point to a version and never hold them (D-16)."""
