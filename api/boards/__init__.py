"""Boards of pools: what is staked, and coefficients that are provisional until the division."""
