"""When an event starts: as announced, corrected, moved, and as it really began and ended (D-15, D-20)."""
