"""One file a pool game, and the register that refuses a reused code. Pure."""
