"""Events, their results and protocols."""
