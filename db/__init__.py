"""The ground all rooms stand on: addresses, sessions, instants, the embedded server. Knows no trade."""
