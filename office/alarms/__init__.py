"""The alarm hook: loud significant events go out through channels, each at least once (DESIGN 1)."""
