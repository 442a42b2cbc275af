"""Reports that are rows."""
