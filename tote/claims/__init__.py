"""Claims against announced results and disputes about tickets: what is on record, what it holds, how it is decided."""
