"""The log of significant events: read, searched, exported."""
