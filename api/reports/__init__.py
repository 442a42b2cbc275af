"""What the accountant and the auditor read."""
