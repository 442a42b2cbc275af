"""How the house is watched: whether it lives, whether it can serve, what it does, and a line for each request."""
