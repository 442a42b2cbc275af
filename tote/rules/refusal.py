"""How the rules say no."""


class RuleError(ValueError):
    """What was told breaks a rule of the pool.

    `code` is stable and for programs, `field` names what was told (`bets[2].stake`; None for the whole), `message` is
    for people.
    """

    def __init__(self, code: str, field: str | None, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.field = field
        self.message = message
