"""Users, sessions and rights, persons (encrypted), numbers without gaps, settings of the operator."""
