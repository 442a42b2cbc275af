"""Reports that are rows: each a file with its columns and its query, all of them read as of a seal (DESIGN 3.8)."""
