"""Claims against results and disputes about tickets."""
