"""The one error of the ground: the surroundings are not as the application needs them."""


class SetupError(RuntimeError):
    """A server, an address or a key is missing or wrong; the message says what to do about it."""
