"""A fifth game, and a day of its pool: what is dropped beside the four, and played there."""
