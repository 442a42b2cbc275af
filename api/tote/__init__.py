"""Pools, bets and tickets of the totalizator."""
