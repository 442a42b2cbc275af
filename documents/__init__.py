"""A table once, rendered for those who read it elsewhere (DESIGN 5)."""
