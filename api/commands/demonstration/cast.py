"""Who plays the demonstration day: the office's logins, the cashier at a terminal, the players on their pages."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, cached_property
from itertools import count

import httpx

from api.commands.demonstration.bets import Bet
from api.commands.demonstration.facts import DESK, PASSWORD
from api.commands.demonstration.members import Member, RefusedError, sign_in, sign_player_in
from api.commands.demonstration.records import LostSecretError, Records


class Cast:
    """Members signed in when they are first needed; one for each start of the demonstration.

    ``sweep_lapsed`` is what the task worker does every minute with wins past their term; nobody asks for it by the API.
    """

    def __init__(self, client: httpx.Client, records: Records, sweep_lapsed: Callable[[], object]) -> None:
        self._client = client
        self.records = records
        self.sweep_lapsed = sweep_lapsed
        self.office = cache(lambda login: sign_in(client, login, PASSWORD))
        self.player = cache(lambda login: sign_player_in(client, login, PASSWORD))

    @property
    def administrator(self) -> Member:
        """Hires, registers desks and terminals."""
        return self.office("administrator")

    @property
    def organizer(self) -> Member:
        """Announces, enters results, closes and settles."""
        return self.office("organizer")

    @property
    def second_organizer(self) -> Member:
        """Confirms what the first one entered."""
        return self.office("second-organizer")

    @property
    def supervisor(self) -> Member:
        """The second person at the desk, who prints duplicates."""
        return self.office("supervisor")

    @property
    def accountant(self) -> Member:
        """Moves the operator's money and reads the books."""
        return self.office("accountant")

    @cached_property
    def cashier(self) -> Member:
        """The cashier at the desk's terminal.

        Raises:
            LostSecretError: the terminal's secret is not remembered, or is another database's.
        """
        member = self._cashier_at(self.records.terminal())
        if member is None:
            raise LostSecretError(
                "День прерван, а ключ терминала потерян (var/demonstration.json): начните заново с `make clean run`."
            )
        return member

    def install_terminal(self) -> None:
        """Put a terminal at the desk and keep its secret, unless the remembered one still works.

        A new terminal in place of one that already took money would take it twice, for keys belong to a terminal.
        """
        works = self._cashier_at(self.records.terminal()) is not None
        if works or self.records.shift_ids(DESK["code"]):
            return
        path = f"/desks/{self.records.desk_id(DESK['code'])}/terminals"
        for number in count(1):
            made = self.administrator.post_unless("code_taken", path, {"code": f"T-{number}"})
            if made:
                self.records.remember_terminal(made["code"], made["secret"])
                return

    def bettor(self, bet: Bet) -> Member:
        """Whoever sends a bet: the player, or the cashier for a bettor at the desk."""
        return self.cashier if bet.player is None else self.player(bet.player)

    def _cashier_at(self, terminal: dict[str, str] | None) -> Member | None:
        if terminal is None:
            return None
        try:
            return sign_in(self._client, "cashier", PASSWORD, terminal)
        except RefusedError as refused:
            if refused.code != "unknown_terminal":
                raise
            return None
