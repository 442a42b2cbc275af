"""The HTTP API under /api/v1, the commands, and the one table of errors."""
