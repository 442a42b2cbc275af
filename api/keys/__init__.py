"""What became of a request whose answer was lost."""
