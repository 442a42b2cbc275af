"""Settings: what holds, what is planned, who changed what."""
