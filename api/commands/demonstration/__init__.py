"""The demonstration day: real football results, played through the served API, every step told on the screen."""
