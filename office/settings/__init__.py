"""Settings: typed, versioned with who, when and why, effective from an instant."""
