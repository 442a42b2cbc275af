"""The streams service: boards of pools told as they change, server-sent events from processes of its own (DESIGN 1)."""
