"""What waits for a second person, and deciding on it."""
