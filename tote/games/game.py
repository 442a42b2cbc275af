"""What a pool game is to the rest of the totalizator."""

from collections.abc import Callable
from datetime import datetime, tzinfo
from typing import Protocol, TypeVar

from tote.rules.payment_term import PaymentTerm
from tote.rules.pool import AnnouncedTerms, PoolTerms

Outcome = TypeVar("Outcome")
Result = TypeVar("Result")


class Game(Protocol[Outcome, Result]):
    """A game as a plug-in of the one pool mechanism; all that anybody ever asks of it.

    Its `code` is that by which pools and tickets name it for ever, its `title` what people read for it. `family` says
    whose jackpot gets what nobody wins, `family_title` how that is called, `payment_words` when a win is paid, as it
    stands on the ticket: the days themselves are known when a pool is settled (`payment_term`).

    `by_positions` tells whether bets mark positions or name one outcome; `terms_fields` are the terms an organizer may
    announce for a pool of this game, by their names in `AnnouncedTerms`; `bet_fields` are what one bet tells, the
    outcome in `outcome_field`.
    """

    @property
    def code(self) -> str: ...

    @property
    def title(self) -> str: ...

    @property
    def family(self) -> str: ...

    @property
    def family_title(self) -> str: ...

    @property
    def payment_words(self) -> str: ...

    @property
    def by_positions(self) -> bool: ...

    @property
    def terms_fields(self) -> frozenset[str]: ...

    @property
    def bet_fields(self) -> frozenset[str]: ...

    @property
    def outcome_field(self) -> str: ...

    def terms(self, announced: AnnouncedTerms) -> PoolTerms:
        """The terms of a pool; `RuleError` for what the rules of the game do not allow."""

    def outcome(self, told: object, field: str = ...) -> Outcome:
        """What a bet is made on; `RuleError` for what cannot be bet on."""

    def result(self, told: object, field: str = "result") -> Result:
        """What the protocol names as having happened; `RuleError` for what can be no result."""

    def judge(self, terms: PoolTerms, result: Result) -> Callable[[Outcome], int | None]:
        """What tells the level a bet reached under this result, or None where it lost."""

    def payment_term(self, determined_at: datetime, zone: tzinfo) -> PaymentTerm:
        """When the wins of a pool determined at this instant are paid."""
