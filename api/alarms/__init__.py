"""The alarm hook's work on the task queue, and what an operator sees of it."""
