"""The calculators: what does this pay, without a database."""
