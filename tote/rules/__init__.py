"""The rulebook's arithmetic: funds, shares, minus pools, payment terms. Pure."""
